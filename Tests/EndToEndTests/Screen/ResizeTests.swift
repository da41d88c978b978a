import Testing

/// Screens of every size.
struct ResizeTests {
  private static let timers = ["tea=10m paused", "sets=every 10m x3 paused", "nap=1h30m paused"]

  @Test func shrinkingAndGrowingRestoresTheScreen() async throws {
    try await withCarillon(Self.timers) { terminal in
      let original = try await terminal.screen("a complete board", \.isComplete).withoutClock
      try await terminal.resize(columns: 40, rows: 8)
      try await terminal.screen("40×8 with all parts") { screen in
        Self.fits(screen, columns: 40, rows: 8) && screen.isComplete
          && screen.row("nap", has: "1:30:00") && screen.row("sets", has: "10:00", "‖", "3/3")
      }
      try await terminal.resize(columns: 20, rows: 3)
      try await terminal.screen("20×3 with the selected timer") { screen in
        Self.fits(screen, columns: 20, rows: 3) && screen.row("tea", has: "10:00")
      }
      try await terminal.resize(columns: 1, rows: 1)
      try await terminal.screen("1×1") { Self.fits($0, columns: 1, rows: 1) }
      try await terminal.press("j")
      try await terminal.press("k")
      try await terminal.press("Escape")
      try await terminal.resize(columns: 200, rows: 60)
      try await terminal.screen("a wall of 200×60") { screen in
        screen.lines.count == 60
          && screen.lines.contains { $0.contains("│ nap ") && $0.contains("‖ paused │") }
      }
      try await terminal.resize(columns: 80, rows: 24)
      try await terminal.screen("the previous screen") { $0.withoutClock == original }
    }
  }

  @Test(arguments: [(1, 1), (1, 24), (80, 1), (2, 2), (20, 3), (40, 8), (400, 120)])
  func startsInAnySize(columns: Int, rows: Int) async throws {
    try await withCarillon(Self.timers, columns: columns, rows: rows) { terminal in
      try await terminal.screen("part of a timer") { screen in
        Self.fits(screen, columns: columns, rows: rows) && screen.lines.contains { !$0.isEmpty }
      }
      // Whatever is typed, including prompts and help, is shown when there is space again.
      try await terminal.press("a")
      try await terminal.type("brew=30m paused")
      try await terminal.press("Enter", "?", "q")
      try await terminal.resize(columns: 80, rows: 24)
      try await terminal.see("‖ paused", "30:00", inRow: "brew")
    }
  }

  @Test func rapidResizingWhileTimersFireLeavesACorrectScreen() async throws {
    let timers = (1...8).map { "t\($0)=every 100ms" } + ["tea=every 10m paused"]
    try await withCarillon(timers) { terminal in
      try await terminal.see("▶ 8")
      for step in 0..<60 {
        try await terminal.resize(columns: 1 + step * 37 % 150, rows: 1 + step * 17 % 50)
      }
      try await terminal.resize(columns: 80, rows: 24)
      // Redraws a screen that does not change: nothing may differ.
      try await terminal.press("P")
      try await terminal.see("‖ 9")
      // A fire by hand is shown after all fires before it, which can be late on a busy machine.
      try await terminal.press("End", "f")
      try await terminal.see("tea: fired")
      try await terminal.press("Escape")
      let paused = try await terminal.screen("rows without a message") { screen in
        screen.row("tea", has: "‖ paused") && !screen.contains("tea: fired") && screen.isComplete
      }
      try await terminal.writeOverScreen("\u{1B}[20;1Hnonsense from elsewhere")
      try await terminal.see("nonsense")
      try await terminal.press("C-l")
      var redrawn = paused
      _ = try await eventually {
        redrawn = try await terminal.screen()
        return redrawn.withoutClock == paused.withoutClock
      }
      #expect(redrawn.withoutClock.lines == paused.withoutClock.lines)
    }
  }

  /// A line that is too long for the screen would have been wrapped or cut by the terminal.
  private static func fits(_ screen: Screen, columns: Int, rows: Int) -> Bool {
    screen.lines.count == rows && screen.lines.allSatisfy { $0.count <= columns }
      && !screen.contains("\u{FFFD}")
  }
}
