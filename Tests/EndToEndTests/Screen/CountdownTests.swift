import Testing

/// Timers that run on the screen.
struct CountdownTests {
  @Test func commandLineTimersCountDown() async throws {
    try await withCarillon("tea=3m", "sets=every", "45s", "x8", "nap=1:30:00") { terminal in
      let names = ["tea", "sets", "nap"]
      let first = try await terminal.screen("three running timers") { screen in
        names.allSatisfy { screen.row($0, has: "▶ runs") } && screen.row("sets", has: "8/")
      }
      for name in names {
        let before = try #require(first.secondsLeft(name))
        try await terminal.screen("less time left for \(name)") { screen in
          screen.secondsLeft(name).map { $0 < before } ?? false
        }
      }
    }
  }

  @Test func aFiniteTimerFinishesAndSpaceRestartsIt() async throws {
    try await withCarillon("brief=every 2s x3", "long=1h") { terminal in
      var seen: [String] = []
      try await terminal.screen("brief has finished") { screen in
        let row = screen.row("brief") ?? ""
        let count = ["3/", "2/", "1/"].first { screen.row("brief", has: $0) }
        if let count, count != seen.last { seen.append(count) }
        return row.contains("♪ rang")
      }
      // The screen may be read too late for some of them; those that are seen decrease.
      #expect(seen == Set(seen).sorted(by: >))
      try await terminal.see("✓ 1")
      // The first key acknowledges. An immediate pause keeps the restarted state on the screen, however slow the
      // machine is.
      try await terminal.press("Space", "Space", "Space")
      try await terminal.see("‖ paused", "3/", inRow: "brief")
      try await terminal.press("Space")
      try await terminal.screen("brief counts again") { screen in
        screen.row("brief", has: "2/") || screen.row("brief", has: "1/")
          || screen.row("brief", has: "finished")
      }
    }
  }

  @Test func theBoardQuitsWhenAllHaveFinished() async throws {
    try await withPseudoTerminal([
      "--exit-when-done", "a=300ms then b", "b=600ms paused run 'sleep 0.3'",
    ]) { terminal, _ in
      let ending = try await terminal.ending()
      #expect(ending == .exited(0))
      #expect(terminal.output().contains("\u{7}"))
    }
  }

  @Test func aPhaseWaitsUntilItIsStarted() async throws {
    try await withCarillon("pomo=cycle 1s/30m wait") { terminal in
      try await terminal.screen("that the rest is ready") { screen in
        screen.row("pomo", has: "30:00") && screen.lines.contains { $0.contains("rest ready") }
      }
      try await terminal.press("Space")
      try await terminal.see("29:5", inRow: "pomo")
    }
  }

  /// A countdown counts up after its end, keys only acknowledge it, and "+" snoozes it.
  @Test func aCountdownCountsUpAfterItsEnd() async throws {
    try await withCarillon("tea=1s", "nap=1h") { terminal in
      try await terminal.screen("the time since the end") { screen in
        // Any time since the end: on a busy machine no single second is certainly seen.
        screen.lines.contains { $0.contains(/tea +(\+0:0[2-9]|\+0:[1-5]\d)/) }
      }
      try await terminal.press("j", "p")
      try await terminal.see("tea: acknowledged at +")
      try await terminal.see("▶ runs", inRow: "nap")
      try await terminal.press("k", "+")
      try await terminal.see("tea: snoozed for 5m")
      try await terminal.see("▶ runs", inRow: "tea")
    }
  }

  @Test func withoutTimersExamplesAreOffered() async throws {
    try await withCarillon { terminal in
      try await terminal.see("What shall I time?")
      try await terminal.press("Down", "Down", "Enter")
      try await terminal.see("8/", inRow: "sets")
    }
  }
}
