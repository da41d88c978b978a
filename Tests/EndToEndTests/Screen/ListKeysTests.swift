import Testing

/// The keys that change the list and move in it.
struct ListKeysTests {
  @Test func undoRestoresADeletedTimerWithItsTime() async throws {
    try await withCarillon("tea=10m paused", "egg=5m paused") { terminal in
      try await terminal.press("+", "d")
      try await terminal.screen("tea is gone") { $0.row("tea") == nil && $0.row("egg") != nil }
      try await terminal.press("u")
      try await terminal.screen("tea above egg, as before") { screen in
        screen.row("tea", has: "‖ paused", "11:00") && screen.isInOrder(["tea", "egg"])
      }
      try await terminal.press("u")
      try await terminal.see("10:00", inRow: "tea")
    }
  }

  @Test func undoRestoresATimerAfterAReset() async throws {
    try await withCarillon("sets=every 10m x3 paused") { terminal in
      try await terminal.press("f", "-", "r")
      try await terminal.see("▶ runs", "3/", inRow: "sets")
      try await terminal.press("u")
      try await terminal.see("‖ paused", "9:00", "2/", inRow: "sets")
    }
  }

  @Test func duplicatesATimer() async throws {
    try await withCarillon("sets=every 10m x3 paused", "tea=3m") { terminal in
      try await terminal.press("y")
      try await terminal.screen("a copy below sets") { screen in
        screen.row("sets-2", has: "every 10m ×3", "3/", "‖ paused", "10:00")
          && screen.isInOrder(["sets", "sets-2", "tea"])
      }
      // The copy is selected, and is an independent timer.
      try await terminal.press("+")
      try await terminal.see("11:00", inRow: "sets-2")
      try await terminal.see("10:00", inRow: "sets")
    }
  }

  @Test func movesRows() async throws {
    try await withCarillon("one=1h", "two=2h", "three=3h") { terminal in
      try await terminal.see("▶ 3")
      try await terminal.press("J")
      try await terminal.screen("one below two") { $0.isInOrder(["two", "one", "three"]) }
      try await terminal.press("J")
      try await terminal.screen("one at the end") { $0.isInOrder(["two", "three", "one"]) }
      try await terminal.press("K")
      try await terminal.screen("one in the middle") { $0.isInOrder(["two", "one", "three"]) }
    }
  }

  @Test func movesTheSelection() async throws {
    try await withCarillon("one=1h", "two=2h", "three=3h") { terminal in
      try await terminal.see("▌ one")
      let steps = [
        ("j", "two"), ("Down", "three"), ("k", "two"), ("Up", "one"), ("G", "three"), ("g", "one"),
        ("End", "three"), ("Home", "one"), ("NPage", "three"), ("PPage", "one"),
      ]
      for (key, name) in steps {
        try await terminal.press(key)
        try await terminal.see("▌ \(name)")
      }
    }
  }

  @Test func aListLongerThanTheScreenScrolls() async throws {
    let timers = (1...60).map { "timer\($0)=1h" }
    try await withCarillon(timers) { terminal in
      try await terminal.screen("the start of the list") {
        $0.row("timer1") != nil && $0.row("timer60") == nil
      }
      try await terminal.press("G")
      try await terminal.screen("the end of the list") {
        $0.contains("▌ timer60") && $0.row("timer1") == nil
      }
      try await terminal.press("C-u", "C-u", "C-u", "C-u", "C-u", "C-u", "C-u", "C-u")
      try await terminal.see("▌ timer1 ")
    }
  }
}
