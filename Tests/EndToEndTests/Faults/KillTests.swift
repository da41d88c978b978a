import Foundation
import Fuzzing
import Testing

/// A dashboard that is killed during changes: the session loads, and includes what was on the screen for
/// more than a second and a half. `KILLS=200 swift test --filter KillTests` sets the number of runs.
struct KillTests {
  private static let count =
    ProcessInfo.processInfo.environment["KILLS"].flatMap { Int($0) } ?? 4

  /// A timer and its minutes left.
  private struct ShownTimer: Hashable {
    var name: String
    var minutes: Int
  }

  /// Returns the next keys to type, and the timers on the board after them.
  private static func next(
    after timers: [ShownTimer], number: Int, using random: inout SplitMix
  ) -> (keys: String, timers: [ShownTimer]) {
    var timers = timers
    switch Int.random(in: 0..<3, using: &random) {
    case 0 where timers.count > 1:
      timers.removeLast()
      return ("d", timers)
    case 1 where timers.count < 12:
      timers.append(ShownTimer(name: "t\(number)", minutes: 10))
      return ("at\(number)=10m paused\r", timers)
    default:
      timers[timers.count - 1].minutes += 1
      return ("+", timers)
    }
  }

  @Test(arguments: 0..<count) func visibleStateSurvivesAKill(seed: Int) async throws {
    var random = SplitMix(state: UInt64(seed))
    let script = "echo $$ >$HOME.new; mv $HOME.new $HOME.pid; exec \"$0\" 't0=10m paused'"
    try await withTerminal(
      columns: 100, rows: 60, command: ["sh", "-c", script, Program.path()]
    ) { terminal in
      try await terminal.see("‖ paused", inRow: "t0")
      let process = try #require(pid_t(try terminal.folder.line(of: "home.pid")))
      let clock = ContinuousClock()
      let end = clock.now + .milliseconds(Int.random(in: 200...4000, using: &random))
      var states = [[ShownTimer(name: "t0", minutes: 10)]]
      // The time at which each state was last seen.
      var seen = [(state: 0, at: clock.now)]
      while clock.now < end {
        let next = Self.next(after: states[states.count - 1], number: states.count, using: &random)
        states.append(next.timers)
        try await terminal.type(next.keys)
        try await clock.sleep(for: .milliseconds(Int.random(in: 0...300, using: &random)))
        let shown = Self.timers(in: try await terminal.screen())
        if let state = states[seen[seen.count - 1].state...].firstIndex(of: shown) {
          seen.append((state, clock.now))
        }
      }
      kill(process, SIGKILL)
      let killed = clock.now
      let status = try await run(
        [Program.path(), "status"], environment: Program.environment(in: terminal.folder),
        in: terminal.folder)
      #expect(status.ending == .exited(0), "seed \(seed): \(status.error)")
      let kept = status.output.split(separator: "\n").compactMap { line in
        line.firstMatch(of: /^(t\d+) +(\d+):00 +paused/).flatMap { match in
          Int(match.2).map { ShownTimer(name: String(match.1), minutes: $0) }
        }
      }
      let oldest = seen.last { $0.at + .milliseconds(1500) <= killed }?.state ?? 0
      #expect(
        states[oldest...].contains(kept) || (oldest == 0 && kept.isEmpty),
        "seed \(seed): \(kept) is older than \(states[oldest])")
    }
  }

  /// The timers on a screen.
  private static func timers(in screen: Screen) -> [ShownTimer] {
    screen.lines.compactMap { line in
      line.firstMatch(of: /^ [ ▌] (t\d+) +(\d+):00 +‖ paused/).flatMap { match in
        Int(match.2).map { ShownTimer(name: String(match.1), minutes: $0) }
      }
    }
  }
}
