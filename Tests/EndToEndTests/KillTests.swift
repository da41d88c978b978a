import Foundation
import Fuzzing
import Testing

/// A dashboard that is killed in the midst of changes: the session loads, and what was on the screen
/// for more than a second and a half is in it. `KILLS=200 swift test --filter KillTests` does it
/// that often.
struct KillTests {
  private static let count =
    ProcessInfo.processInfo.environment["KILLS"].flatMap { Int($0) } ?? 4

  /// A timer, and the minutes that it has left.
  private struct Held: Hashable {
    var name: String
    var minutes: Int
  }

  /// Something typed, and what the board holds after it.
  private static func next(
    after held: [Held], number: Int, using random: inout SplitMix
  ) -> (keys: String, held: [Held]) {
    var held = held
    switch Int.random(in: 0..<3, using: &random) {
    case 0 where held.count > 1:
      held.removeLast()
      return ("d", held)
    case 1 where held.count < 12:
      held.append(Held(name: "t\(number)", minutes: 10))
      return ("at\(number)=10m paused\r", held)
    default:
      held[held.count - 1].minutes += 1
      return ("+", held)
    }
  }

  @Test(arguments: 0..<count) func whatWasSeenIsKept(seed: Int) async throws {
    var random = SplitMix(state: UInt64(seed))
    let script = "echo $$ >$HOME.new; mv $HOME.new $HOME.pid; exec \"$0\" 't0=10m paused'"
    try await withTerminal(
      columns: 100, rows: 60, command: ["sh", "-c", script, Program.path()]
    ) { terminal in
      try await terminal.see("‖ paused", inRow: "t0")
      let process = try #require(pid_t(try terminal.folder.line(of: "home.pid")))
      let clock = ContinuousClock()
      let end = clock.now + .milliseconds(Int.random(in: 200...4000, using: &random))
      var states = [[Held(name: "t0", minutes: 10)]]
      // When a state was seen at the latest.
      var seen = [(state: 0, at: clock.now)]
      while clock.now < end {
        let next = Self.next(after: states[states.count - 1], number: states.count, using: &random)
        states.append(next.held)
        try await terminal.type(next.keys)
        try await clock.sleep(for: .milliseconds(Int.random(in: 0...300, using: &random)))
        let shown = Self.held(in: try await terminal.screen())
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
          Int(match.2).map { Held(name: String(match.1), minutes: $0) }
        }
      }
      let oldest = seen.last { $0.at + .milliseconds(1500) <= killed }?.state ?? 0
      #expect(
        states[oldest...].contains(kept) || (oldest == 0 && kept.isEmpty),
        "seed \(seed): \(kept) is older than \(states[oldest])")
    }
  }

  /// The timers that a screen shows.
  private static func held(in screen: Screen) -> [Held] {
    screen.lines.compactMap { line in
      line.firstMatch(of: /^ [ ▌] (t\d+) +once 10m +‖ paused +(\d+):00\b/).flatMap { match in
        Int(match.2).map { Held(name: String(match.1), minutes: $0) }
      }
    }
  }
}
