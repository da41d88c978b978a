import Testing

/// Prompts, the help and other overlays.
struct PromptTests {
  @Test func addsATimerAndDescribesIt() async throws {
    try await withCarillon("tea=10m") { terminal in
      try await terminal.press("a")
      try await terminal.see("add")
      try await terminal.type("brew=every 30m x5")
      try await terminal.screen("the parsed timer") { screen in
        screen.lines.contains { $0.contains("brew · every 30m") && $0.contains("5") }
      }
      try await terminal.press("Enter")
      try await terminal.see("every 30m ×5", "5/", "▶ runs", inRow: "brew")
      try await terminal.see("▶ 2")
    }
  }

  @Test func pointsAtErrorsAndKeepsTheText() async throws {
    try await withCarillon("tea=10m") { terminal in
      try await terminal.press("a")
      try await terminal.type("brew=every 30 x")
      try await terminal.screen("the expected text below the entry") { screen in
        zip(screen.lines, screen.lines.dropFirst()).contains { line, below in
          line.contains("brew=every 30 x") && below.contains("30s, 30m or 30h")
        }
      }
      // Enter accepts nothing, and the text stays for correction.
      try await terminal.press("Enter", "BSpace", "BSpace", "m", "Enter")
      try await terminal.see("every 30m", inRow: "brew")
    }
  }

  @Test func escapeDropsTheText() async throws {
    try await withCarillon("tea=10m") { terminal in
      try await terminal.press("a")
      try await terminal.type("brew=30m")
      try await terminal.see("brew · once 30m")
      try await terminal.press("Escape")
      try await terminal.screen("no prompt and no brew") { !$0.contains("brew") }
      try await terminal.see("▶ 1")
    }
  }

  @Test func editsInPlace() async throws {
    try await withCarillon("tea=10m paused", "egg=5m paused") { terminal in
      try await terminal.press("e")
      try await terminal.see("tea=10m paused")
      try await terminal.press("C-u")
      try await terminal.type("oolong=every 20m x2 paused")
      try await terminal.press("Enter")
      try await terminal.screen("oolong in place of tea") { screen in
        screen.row("oolong", has: "every 20m ×2", "2/", "‖ paused", "20:00")
          && screen.row("tea") == nil && screen.isInOrder(["oolong", "egg"])
      }
      try await terminal.press("u")
      try await terminal.see("10:00", inRow: "tea")
    }
  }

  @Test func pastedTextIsTyped() async throws {
    try await withCarillon("tea=10m") { terminal in
      try await terminal.press("a")
      try await terminal.see("add")
      try await terminal.paste("q=30m\npaused")
      try await terminal.press("Enter")
      try await terminal.see("‖ paused", "30:00", inRow: "q")
    }
  }

  @Test(arguments: ["?", "F1"]) func helpShowsEveryKey(key: String) async throws {
    try await withCarillon("tea=10m", rows: 140) { terminal in
      try await terminal.see("▶ runs", inRow: "tea")
      try await terminal.press(key)
      try await terminal.screen("keys and their actions") { screen in
        ["Space", "reset and stop", "undo", "Ctrl-L", "Ctrl-Z"].allSatisfy(screen.contains)
          && screen.row("tea") == nil
      }
      try await terminal.press("Escape")
      try await terminal.see("▶ runs", inRow: "tea")
    }
  }

  @Test func ctrlLRedrawsTheScreen() async throws {
    try await withCarillon("tea=10m paused") { terminal in
      let clean = try await terminal.screen("a complete board", \.isComplete).withoutClock
      try await terminal.writeOverScreen(
        "\u{1B}[4;1Hnonsense from elsewhere\u{1B}[10;10Hmore of it")
      try await terminal.see("nonsense from elsewhere")
      try await terminal.press("C-l")
      try await terminal.screen("the clean screen again") { $0.withoutClock == clean }
    }
  }
}
