import Testing

/// The lab, as the fourth view and as a command.
struct LabTests {
  @Test func theFourthViewPlaysScenesWhileTimersRun() async throws {
    try await withCarillon("tea=3m", "beat=every", "1s") { terminal in
      try await terminal.see("tea")
      try await terminal.press("4")
      for text in ["how timers behave", "debounce", "Esc board", "▶ 2"] {
        try await terminal.see(text)
      }
      try await terminal.press("Enter")
      try await terminal.see("Esc menu")
      try await terminal.press("Escape")
      try await terminal.see("Esc board")
      try await terminal.press("Escape")
      try await terminal.screen("the timers continue") { screen in
        screen.row("tea", has: "▶ runs") && screen.row("beat", has: "▶ runs")
      }
    }
  }

  @Test func theCommandOpensAScene() async throws {
    try await withCarillon("demo", "stopwatch") { terminal in
      try await terminal.see("Esc menu")
      // A key of the scene starts user control.
      try await terminal.press("x")
      try await terminal.see("your keys")
      try await terminal.press("c")
      try await terminal.see("source code")
    }
  }
}
