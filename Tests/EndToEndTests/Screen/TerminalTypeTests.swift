import Testing

/// The same screen on every capable terminal, and a readable one on the others.
struct TerminalTypeTests {
  private static let timers = ["tea=10m paused", "sets=every 10m x3 paused", "nap=1h30m paused"]

  @Test(arguments: ["vt100", "linux", "xterm", "xterm-256color", "screen", "tmux-256color"])
  func showsTheSameBoard(terminalType: String) async throws {
    try await withCarillon(Self.timers, environment: ["TERM": terminalType]) { terminal in
      try await terminal.press("j", "+")
      try await terminal.screen("the board") { screen in
        let middle = screen.lines.prefix(9).dropFirst(2).map { String($0.prefix(31)) }
        return middle == [
          "   NAME     TIME  STATE        ", "   tea     10:00  ‖ paused     ",
          "   once 10m", " ▌ sets    11:00  ‖ paused     ", " ▌ every 10m ×3",
          "   nap   1:30:00  ‖ paused     ", "   once 1h30m",
        ]
      }
      try await terminal.see("sets: 1m added, 11:00 left")
      try await terminal.press("Up")
      try await terminal.see("▌ tea")
    }
  }

  @Test(arguments: ["C", "POSIX", "", nil])
  func otherLocalesGetASCIIOnly(locale: String?) async throws {
    try await withPseudoTerminal(
      ["tea=10m", "süß=every 10m x3", "朝=5m"], environment: ["LANG": locale]
    ) { terminal, _ in
      try await terminal.output("the first frame") { $0.contains("quit") || $0.contains("qui") }
      for keys in ["f", "j", "a", "ö=1h", "\r", "?"] { terminal.type(keys) }
      try await terminal.output("help") { $0.contains("reset and stop") }
      #expect(terminal.bytes.allSatisfy { $0 < 0x80 })
      #expect(terminal.output().contains("runs"))
    }
  }

  @Test func noColorDisablesColors() async throws {
    for (noColor, isColored) in [(nil, true), ("", true), ("1", false)] {
      try await withPseudoTerminal(
        ["tea=10m", "brief=every 100ms x3"], environment: ["NO_COLOR": noColor]
      ) { terminal, _ in
        let output = try await terminal.output("the end of brief") { $0.contains("rang") }
        #expect(output.usesColor == isColored, "NO_COLOR is \(noColor ?? "unset")")
      }
    }
  }
}

extension String {
  /// Returns true if a sequence that sets attributes sets a color.
  fileprivate var usesColor: Bool {
    matches(of: /\x1B\[([0-9;]*)m/).contains { sequence in
      sequence.1.split(separator: ";").compactMap { Int($0) }.contains { number in
        (30...38).contains(number) || (40...48).contains(number) || (90...107).contains(number)
      }
    }
  }
}
