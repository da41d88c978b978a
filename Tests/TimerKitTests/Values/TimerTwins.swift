import Fuzzing
import Testing

@testable import TimerKit

/// A live timer and a value of the same kind and configuration.
protocol TimerTwins: Sendable {
  associatedtype Setup: Sendable
  associatedtype Control: Sendable
  associatedtype Value: TimerValue where Value.Delivery: Hashable

  static func setup(_ random: inout SplitMix) -> Setup
  static func control(_ random: inout SplitMix) -> Control

  /// The clock of the timers, and the unit of the times that pass between the steps.
  static func clock(of setup: Setup) -> (kind: TimerClock.Kind, unit: Duration)

  /// - Parameter seed: the seed of the clock.
  init(
    _ setup: Setup, on clock: VirtualClock, seed: UInt64,
    handler: @escaping @Sendable (Value.Delivery) -> Void
  ) throws
  var value: Value { get set }

  /// Performs a control on both, and returns their results as texts.
  mutating func perform(_ control: Control) throws -> (live: String, value: String)
  /// All that the live timer and the value show, as texts.
  var snapshots: (live: String, value: String) { get }
}

/// Compares live timers on a virtual clock with values that a loop of a few lines advances.
enum TwinProperty<Twins: TimerTwins> {
  enum Action: Sendable {
    case control(Twins.Control)
    /// The time moves, and what comes due on the way is not delivered at its own time.
    case move(Int)
  }

  enum Step: Sendable {
    /// The time moves from deadline to deadline.
    case advance(Int)
    case act(Action)
    /// The queue is busy meanwhile.
    case busy([Action])
    /// The time of day is set.
    case adjustWall(Int)
  }

  static func failures(sequences: UInt64) -> [String] {
    Fuzzing.failures(
      sequences: sequences, setup: { (Twins.setup(&$0), $0.next()) }, step: { step(&$0) },
      name: "\(Twins.self)",
      failure: { setup, steps in
        do {
          return try fault(setup.0, seed: setup.1, steps)
        } catch {
          return "\(error)"
        }
      })
  }

  private static func step(_ random: inout SplitMix) -> Step {
    switch random.below(16) {
    case 0...4: .advance(random.below(30))
    case 5...11: .act(.control(Twins.control(&random)))
    case 12: .act(.move(random.below(40)))
    case 13: .adjustWall(random.below(60) - 30)
    default:
      .busy(
        (0..<random.below(5)).map { _ in
          random.below(3) == 0 ? .move(random.below(25)) : .control(Twins.control(&random))
        })
    }
  }

  private struct State: Sendable {
    var twins: Twins
    var fault: String?
  }

  private static func fault(
    _ setup: Twins.Setup, seed: UInt64, _ steps: [Step]
  ) throws -> String? {
    let (kind, unit) = Twins.clock(of: setup)
    // The last Sunday of October 2026 in Europe, before clocks are set back.
    let clock = VirtualClock(
      kind, wall: WallInstant(nanosecondsSince1970: 1_792_800_000_000_000_000), seed: seed)
    let delivered = Recorder<Twins.Value.Delivery>()
    let actions = Guarded<[Action]>([])
    let state = Guarded<State?>(nil)
    @Sendable func act(_ action: Action) {
      switch action {
      case .move(let time): clock.advance(by: unit * time)
      case .control(let control):
        // The handler is called meanwhile.
        guard var current = state.withLock({ $0 }) else { return }
        do {
          let results = try current.twins.perform(control)
          if results.live != results.value {
            current.fault = "\(control): value \(results.value), not \(results.live)"
          }
        } catch {
          current.fault = "\(control): \(error)"
        }
        state.withLock { [current] in $0 = current }
      }
    }
    // It is busy while it runs: nothing else is delivered.
    let busy = DeadlineTimer(clock: .virtual(clock)) { _, _ in
      for action in actions.withLock({ $0 }) { act(action) }
    }
    let twins = try Twins(setup, on: clock, seed: seed) { delivered.append($0) }
    state.withLock { $0 = State(twins: twins) }
    var expected: [Twins.Value.Delivery] = []
    func advance(to now: TimerClock.Instant) {
      state.withLock { state in
        while let delivery = state?.twins.value.advance(to: now) { expected.append(delivery) }
      }
    }
    for (index, step) in steps.enumerated() {
      switch step {
      case .advance(let time):
        let end = clock.now + unit * time
        let begin = clock.now
        clock.advance(by: unit * time)
        while let next = state.withLock({ $0?.twins.value.wakeUp })?.lowerBound, next <= end {
          advance(to: max(begin, next))
        }
      case .act(.move(let time)): clock.suspend(for: unit * time)
      case .act(let action): act(action)
      case .busy(let inside):
        actions.withLock { $0 = inside }
        busy.schedule(at: clock.now)
        clock.advance(by: .zero)
      case .adjustWall(let time): clock.adjustWall(by: unit * time)
      }
      // What was armed for this time is delivered, too.
      clock.advance(by: .zero)
      advance(to: clock.now)
      if let fault = state.withLock({ $0?.fault }) { return "step \(index): \(fault)" }
      let live = delivered.all
      if live != expected {
        let same = zip(live, expected).prefix { $0 == $1 }.count
        return """
          step \(index): value \(expected.dropFirst(same).map { "\($0)" }), \
          not \(live.dropFirst(same).map { "\($0)" })
          """
      }
      guard let snapshots = state.withLock({ $0?.twins.snapshots }) else { return nil }
      if snapshots.live != snapshots.value {
        return "step \(index): value \(snapshots.value), not \(snapshots.live)"
      }
    }
    return nil
  }
}

/// Live timers and values do the same: 100,000 random steps.
@Suite struct TimerTwinsTests {
  @Test func repeaters() {
    #expect(TwinProperty<RepeaterTwins>.failures(sequences: 1_700) == [])
  }

  @Test func cycles() {
    #expect(TwinProperty<CycleTwins>.failures(sequences: 900) == [])
  }

  @Test func stopwatches() {
    #expect(TwinProperty<StopwatchTwins>.failures(sequences: 700) == [])
  }

  @Test func callGates() {
    #expect(TwinProperty<GateTwins>.failures(sequences: 900) == [])
  }
}
