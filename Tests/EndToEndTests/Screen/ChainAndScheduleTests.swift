import Foundation
import Testing

/// Timers that follow the wall clock, and chains of timers, in the real program.
struct ChainAndScheduleTests {
  @Test func chainsCanLoop() async throws {
    try await withCarillon(
      "first=2s then second", "second=30s paused then first", columns: 120, rows: 36
    ) { terminal in
      try await terminal.see("✓ done", inRow: "first")
      try await terminal.see("→ first", "▶ runs", inRow: "second")
      try await terminal.see("started by first")
      try await terminal.press("Down", "f")
      try await terminal.see("started by second")
    }
  }

  @Test(arguments: [("UTC0", 0), ("Asia/Kolkata", 19_800), ("America/St_Johns", nil)])
  func aDailyTimerFollowsTheTimeZone(zone: String, secondsFromUTC: Int?) async throws {
    try await withCarillon(
      "morning=daily 9:05 x3", columns: 120, rows: 36, environment: ["TZ": zone]
    ) { terminal in
      let screen = try await terminal.screen("the time at which it is due") { screen in
        screen.row("morning", has: "daily 09:05 ×3") && screen.contains("09:05:00")
          && screen.row("morning", has: "▶ runs")
      }
      guard let secondsFromUTC else { return }
      let shown = try #require(screen.row("morning")?.firstMatch(of: /([\d:]+) +▶ runs/))
      let left = shown.1.split(separator: ":").reduce(0) { $0 * 60 + (Int($1) ?? 0) }
      let second = (Int(Date().timeIntervalSince1970) + secondsFromUTC) % 86_400
      let due = (second + left) % 86_400
      #expect(abs(due - (9 * 3600 + 5 * 60)) < 60)
    }
  }

  /// Of two alarms at the same time of day, one is behind a change of the clocks.
  @Test(arguments: ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"])
  func anAlarmIsShownAtItsTimeOfDay(zone: String) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let environment = Program.environment(in: folder, with: ["TZ": zone])
    func carillon(_ arguments: String...) async throws -> Finished {
      try await run([Program.path()] + arguments, environment: environment, in: folder)
    }
    let year = Calendar(identifier: .gregorian).component(.year, from: Date()) + 1
    let added = try await carillon(
      "ctl", "add", "a=at \(year)-07-01 09:00", "b=at \(year)-01-15 09:00")
    #expect(added.output == "a\nb\n", "\(added)")
    let status = try await carillon("status", "--format", "{name} {at}")
    #expect(status.output == "a 09:00:00\nb 09:00:00\n", "\(status)")
  }

  @Test func aTimeOfDayFires() async throws {
    try await withCarillon("tea=10m", environment: ["TZ": "UTC0"]) { terminal in
      try await terminal.see("▶ runs", inRow: "tea")
      // Read when the program has started: on a busy machine the start can take long.
      let soon = (Int(Date().timeIntervalSince1970) + 10) % 86_400
      let time = [soon / 3600, soon / 60 % 60, soon % 60]
        .map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
      try await terminal.press("a")
      try await terminal.type("soon=at \(time) ring")
      try await terminal.press("Enter")
      try await terminal.see("♪ rang", inRow: "soon")
      // The first key acknowledges; the second restarts the timer for tomorrow.
      try await terminal.press("Space", "Space")
      try await terminal.see("▶ runs", inRow: "soon")
    }
  }

  @Test func commandsAreReportedAndEndWithTheProgram() async throws {
    let command = [
      try Program.path(), "poll=every 1s", "run", "echo \"$CARILLON_NAME $CARILLON_EVENT\"; exit 3",
      "slow=1s", "run", "mkdir -p $XDG_STATE_HOME; echo $$ > $XDG_STATE_HOME/pid; exec sleep 600",
    ]
    try await withTerminal(columns: 120, rows: 36, command: command) { terminal in
      try await terminal.see("exit 3 'poll fired'", inRow: "poll")
      try await terminal.see("◆ executing", inRow: "slow")
      let hasBegun = try await eventually {
        (try? terminal.folder.line(of: "state/pid"))?.isEmpty == false
      }
      try #require(hasBegun)
      let process = try #require(pid_t(try terminal.folder.line(of: "state/pid")))
      try await terminal.press("q")
      let hasEnded = try await eventually { !isAlive(process) }
      #expect(hasEnded)
    }
  }
}
