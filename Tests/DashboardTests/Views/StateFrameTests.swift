import Foundation
import TerminalCore
import Testing

@testable import Dashboard
@testable import TimerBoard

/// Frames of the board in various states, on screens of all sizes, compared with the files in
/// `Snapshots`. `UPDATE_TEXTS=1 swift test --filter StateFrameTests` writes them again; review the
/// changes in the diff.
@Suite struct StateFrameTests {
  private static let timers = """
    tea=3m note 'first flush oolong' sets=every 45s x8 poll=every 10s pomodoro=cycle 25m/5m x4
    'お茶の時間'=5m slow=1h paused save=debounce 2s 'run'=stopwatch egg=10s
    """
  private static let sizes = [(200, 60), (120, 36), (80, 24), (40, 8), (20, 3)]

  struct State: CustomTestStringConvertible {
    let name: String
    let keys: String
    var then: @Sendable (Fixture) -> Void = { _ in }

    var testDescription: String { name }
  }

  private static let states: [State] = [
    State(name: "filtering", keys: "/s"),
    State(name: "filtered", keys: "/se\r"),
    State(name: "hidden", keys: "/nothing\r"),
    State(name: "marked", keys: "jvjv"),
    State(name: "command", keys: ":pa"),
    State(name: "command-empty", keys: ":"),
    State(name: "command-completed", keys: ":pa\t"),
    State(name: "command-timer", keys: ":more p"),
    State(name: "command-value", keys: ":theme "),
    State(name: "command-error", keys: ":more tea 5x\r"),
    State(name: "command-on-timeline", keys: "3:zo"),
    State(name: "adding", keys: "abrew=every 30s x5 tolerance 1s then tea note 'green tea'"),
    State(name: "adding-error", keys: "abrew=every 30 x\r"),
    State(name: "editing", keys: "je"),
    State(name: "sorted", keys: "ooO"),
    State(name: "muted", keys: "b"),
    State(name: "paused", keys: "P"),
    State(name: "finished", keys: "") { $0.advance(by: .seconds(4)) },
    State(name: "manual-fire", keys: "fjjc<]+"),
    State(name: "log", keys: "L"),
    State(name: "log-filtered", keys: "L/po\r"),
    State(name: "cycle", keys: "jjj"),
    State(name: "timeline-of-cycle", keys: "jjj3"),
    State(name: "focus-of-cycle", keys: "jjj2"),
    State(name: "debounce", keys: "jjjjjjfff"),
    State(name: "stopwatch", keys: "jjjjjjjcc"),
  ]

  @Test(arguments: states) func matchesTheSnapshot(_ state: State) throws {
    let snapshots = try Self.sizes.map { width, height in
      let fixture = try Fixture(Self.timers, width: width, height: height)
      fixture.advance(by: .seconds(62))
      for key in state.keys {
        switch key {
        case "\r": fixture.press(.enter)
        case "\t": fixture.press(.tab)
        default: fixture.press(.character(key))
        }
      }
      state.then(fixture)
      return "# \(width)×\(height)\n\(fixture.frame.snapshotText)\n"
    }
    try expectText(snapshots.joined(separator: "\n"), inSnapshot: state.name)
  }
}
