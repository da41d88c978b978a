import Testing

/// The mouse, the command palette and the list in a real terminal.
struct InteractionTests {
  private static let timers = ["tea=10m paused", "sets=every 10m x3 paused", "nap=1h30m paused"]

  /// Types the sequence of a mouse click, in columns and rows from 1.
  private static func click(_ terminal: TmuxTerminal, x: Int, y: Int) async throws {
    try await terminal.type("\u{1B}[<0;\(x);\(y)M\u{1B}[<0;\(x);\(y)m")
  }

  @Test(arguments: ["xterm", "tmux-256color"])
  func theMouseSelectsAndSorts(terminalType: String) async throws {
    try await withCarillon(Self.timers, environment: ["TERM": terminalType]) { terminal in
      try await terminal.see("▌ tea")
      try await Self.click(terminal, x: 6, y: 8)
      try await terminal.see("▌ nap")
      try await Self.click(terminal, x: 5, y: 3)
      try await terminal.see("sorted by name")
      try await terminal.see("NAME▲")
      try await terminal.type("\u{1B}[<65;6;6M")
      try await terminal.see("▌ sets")
    }
  }

  @Test(arguments: ["vt100", "linux", "xterm", "xterm-256color"])
  func commandsAndFiltersWorkEverywhere(terminalType: String) async throws {
    try await withCarillon(Self.timers, environment: ["TERM": terminalType]) { terminal in
      try await terminal.see("▌ tea")
      try await terminal.type(":sort na")
      try await terminal.press("Tab", "Enter")
      try await terminal.see("sorted by name")
      try await terminal.type("/every")
      try await terminal.see("1 of 3")
      try await terminal.press("Enter")
      try await terminal.see("1 of 3 match 'every'")
      try await terminal.press("Escape")
      try await terminal.see("nap")
      try await terminal.type("t")
      let isMono = terminalType == "vt100"
      try await terminal.see(isMono ? "no colo" : "theme: light")
      for theme in isMono ? [] : ["high-contrast", "mono", "catppuccin"] {
        try await terminal.type("t")
        try await terminal.see("theme: \(theme)")
        try await terminal.see("‖ paused", inRow: "nap")
      }
    }
  }
}
