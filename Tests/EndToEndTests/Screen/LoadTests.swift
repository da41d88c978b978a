import Testing

/// Many timers and many keys.
struct LoadTests {
  @Test func aThousandTimersStayResponsive() async throws {
    let timers = (1...1000).map { "t\($0)=every 10s" }
    try await withCarillon(timers, columns: 120, rows: 36) { terminal in
      try await terminal.see("▶ 1000")
      try await terminal.press("G")
      try await terminal.see("▌ t1000")
      try await terminal.press("d")
      try await terminal.see("▶ 999")
      try await terminal.press("u")
      try await terminal.see("▶ 1000")
      try await terminal.press("P")
      try await terminal.see("‖ 1000")
      try await terminal.press("P")
      try await terminal.see("▶ 1000")
      try await terminal.press("g", "Space")
      try await terminal.see("‖ paused", inRow: "t1")
    }
  }

  @Test func noKeyIsLost() async throws {
    try await withCarillon("tea=10m paused", "sets=every 10m x5 paused") { terminal in
      try await terminal.press("+", times: 500)
      try await terminal.see("8:30:00", inRow: "tea")
      try await terminal.press("-", times: 480)
      try await terminal.see("30:00", inRow: "tea")
      try await terminal.press("j")
      try await terminal.press("]", times: 300)
      try await terminal.see("305/", inRow: "sets")
    }
  }

  @Test func noKeyIsLostWhileTimersFire() async throws {
    let timers = ["tea=10m paused"] + (1...50).map { "t\($0)=every 50ms" }
    try await withCarillon(timers) { terminal in
      for _ in 1...10 {
        try await terminal.press("+", times: 20)
        try await terminal.press("J", times: 7)
        try await terminal.press("K", times: 7)
      }
      try await terminal.see("3:30:00", inRow: "tea")
      try await terminal.see("▶ 50")
    }
  }
}
