import Testing

/// Every view, in every kind of terminal.
struct ViewTests {
  /// A view or an overlay: the keys that open it from the board, and texts on it.
  private struct View {
    var name: Comment
    var keys: [String]
    var marks: [String]
  }

  private static let views = [
    View(name: "the board", keys: ["1"], marks: ["NAME", " next ", "Space"]),
    View(name: "focus", keys: ["2"], marks: ["tea", "once 10m", "Esc back"]),
    View(name: "the timeline", keys: ["3"], marks: ["now", "together", "zoom"]),
    View(name: "the lab", keys: ["4"], marks: ["how timers behave", "race", "Esc board"]),
    View(name: "the log", keys: ["L"], marks: ["fired, 1st of 3", "manual", "Esc back"]),
    View(name: "help", keys: ["?"], marks: ["move up", "reset and stop", "scroll"]),
    View(name: "the prompt", keys: ["a", "3", "y"], marks: ["add", "unknown unit", "Esc cancel"]),
    View(name: "the filter", keys: ["/", "n", "a", "p"], marks: ["1 of 3", "Enter accept"]),
  ]

  @Test(arguments: [
    ["TERM": "linux"], ["TERM": "vt100"], ["TERM": "xterm"], ["TERM": "xterm-256color"],
    ["NO_COLOR": "1"], ["LANG": "C"], ["LANG": "C", "TERM": "vt100", "NO_COLOR": "1"],
  ])
  func isReadable(environment: [String: String]) async throws {
    try await withPausedTimers(environment: environment) { terminal, view in
      try await terminal.expectSameScreenAfterRedraw(view.name)
      if environment["LANG"] == "C" {
        #expect(try await terminal.snapshot().text.allSatisfy(\.isASCII), view.name)
      }
    }
  }

  @Test func rapidResizingKeepsTheView() async throws {
    try await withPausedTimers { terminal, view in
      let snapshot = try await terminal.stableSnapshot()
      for step in 0..<25 {
        try await terminal.resize(columns: 1 + step * 37 % 150, rows: 1 + step * 17 % 50)
      }
      try await terminal.resize(columns: 80, rows: 24)
      try await terminal.see(snapshot, view.name)
    }
  }

  /// Opens each view with timers that do not change, and returns to the board after it.
  private func withPausedTimers(
    environment: [String: String] = [:], _ test: (TmuxTerminal, View) async throws -> Void
  ) async throws {
    let timers = ["tea=10m paused", "sets=every 10m x3", "nap=1h30m paused"]
    try await withCarillon(timers, environment: environment) { terminal in
      try await terminal.see("tea")
      try await terminal.press("j", "f", "Space", "k")
      try await terminal.see("paused", "2/", inRow: "sets")
      // With a cell of a day, past fires do not move during the comparison.
      try await terminal.press("3")
      try await terminal.press("-", times: 20)
      for view in Self.views {
        // Directly after an Escape, the first 1 may have been parsed as Alt-1.
        try await terminal.press("1", "1")
        for key in view.keys { try await terminal.press(key) }
        for mark in view.marks { try await terminal.see(mark) }
        try await test(terminal, view)
        try await terminal.press("Escape")
        try await terminal.screen("\(view.name) closes") { screen in
          !screen.contains("Esc cancel")
        }
      }
    }
  }
}
