import Testing

/// The keys that control the selected timer. The time of a paused timer is known to the second.
struct TimeKeysTests {
  @Test(arguments: ["Space", "p"]) func pausesAndResumes(key: String) async throws {
    try await withCarillon("tea=10m") { terminal in
      try await terminal.see("▶ runs", inRow: "tea")
      try await terminal.press(key)
      try await terminal.see("‖ paused", inRow: "tea")
      try await terminal.press(key)
      let resumed = try await terminal.see("▶ runs", inRow: "tea")
      let left = try #require(resumed.secondsLeft("tea"))
      try await terminal.screen("the time continues") {
        $0.secondsLeft("tea").map { $0 < left } ?? false
      }
    }
  }

  @Test func pauseAllResumesTheSameTimers() async throws {
    try await withCarillon("tea=10m", "egg=5m paused", "poll=every 1m") { terminal in
      try await terminal.see("▶ 2")
      try await terminal.press("P")
      try await terminal.see("‖ 3")
      try await terminal.press("P")
      try await terminal.see("▶ 2")
      try await terminal.see("‖ paused", "5:00", inRow: "egg")
    }
  }

  @Test func resetsAndRestartsOrStops() async throws {
    try await withCarillon("sets=every 10m x3 paused") { terminal in
      try await terminal.press("f", "+")
      try await terminal.see("‖ paused", "11:00", "2/", inRow: "sets")
      try await terminal.press("R")
      try await terminal.see("○ new", "10:00", "3/", inRow: "sets")
      try await terminal.press("f", "r")
      try await terminal.screen("ten minutes that run") { screen in
        screen.row("sets", has: "▶ runs", "3/")
          && screen.secondsLeft("sets").map { (500...600).contains($0) } ?? false
      }
    }
  }

  @Test func firesManually() async throws {
    try await withCarillon("sets=every 10m x5 paused") { terminal in
      try await terminal.see("5/", inRow: "sets")
      try await terminal.press("f")
      try await terminal.see("‖ paused", "10:00", "4/", inRow: "sets")
      try await terminal.press("Space")
      try await terminal.see("▶ runs", inRow: "sets")
      try await terminal.press("F")
      try await terminal.see("‖ paused", "3/", inRow: "sets")
    }
  }

  @Test func aRunningCommandIsShownAsExecuting() async throws {
    try await withPseudoTerminal(["poll=every 10m run 'sleep 600'"]) { terminal, _ in
      try await terminal.output("the first frame") { $0.contains("poll") }
      terminal.type("f")
      try await terminal.output("an execution") { $0.contains("◆") }
    }
  }

  @Test func addsAndRemovesTime() async throws {
    try await withCarillon("tea=10m paused", "egg=4m paused", "jump=20s paused") { terminal in
      for (key, left) in [("+", "11:00"), ("=", "12:00"), ("-", "11:00"), ("_", "10:00")] {
        try await terminal.press(key)
        try await terminal.see("‖ paused", left, inRow: "tea")
      }
      try await terminal.press("j", "+")
      try await terminal.see("4:10", inRow: "egg")
      try await terminal.press("j", "-")
      try await terminal.see("0:19", inRow: "jump")
      try await terminal.see("10:00", inRow: "tea")
    }
  }

  @Test func changesTheIntervalOfARunningTimer() async throws {
    try await withCarillon("poll=every 10m") { terminal in
      try await terminal.see("every 10m", inRow: "poll")
      try await terminal.press(">")
      try await terminal.screen("fifteen minutes from the start") { screen in
        screen.row("poll", has: "every 15m", "▶ runs")
          && screen.secondsLeft("poll").map { (800...900).contains($0) } ?? false
      }
      try await terminal.press("<", "<")
      try await terminal.screen("five minutes from the start") { screen in
        screen.row("poll", has: "every 5m", "▶ runs")
          && screen.secondsLeft("poll").map { (200...300).contains($0) } ?? false
      }
    }
  }

  @Test func changesTheIterationsLeft() async throws {
    try await withCarillon("sets=every 10m x3") { terminal in
      try await terminal.see("3/", inRow: "sets")
      try await terminal.press("]")
      try await terminal.see("4/", "▶ runs", inRow: "sets")
      try await terminal.press("[", "[")
      try await terminal.see("2/", "▶ runs", inRow: "sets")
    }
  }
}
