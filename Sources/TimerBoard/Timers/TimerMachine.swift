package import TimerKit

/// TimerKit's value of a timer, of any kind. It is the timer itself: a board contains no other form of its time, and every
/// change of it is a control, or a fire that ``advance(to:)`` delivers.
package enum TimerMachine: Hashable, Sendable {
  case repeater(Repeater.Value)
  case cycle(Cycle.Value)
  case stopwatch(Stopwatch.Value)
  /// A debouncer, a throttler or a background timer.
  case triggered(TriggerGate)
}

// MARK: Time

extension TimerMachine {
  /// The instants at which the next fire is to be delivered, from the earliest to the latest within the tolerance; `nil`
  /// if there is none.
  var wakeUp: ClosedRange<TimerClock.Instant>? {
    switch self {
    case .repeater(let value): value.wakeUp
    case .cycle(let value): value.wakeUp
    case .stopwatch(let value): value.wakeUp
    case .triggered(let gate): gate.wakeUp
    }
  }

  /// Delivers the first fire that is due; `nil` if none is.
  mutating func advance(to now: ClockReading) -> Fire? {
    switch self {
    case .repeater(var value):
      defer { self = .repeater(value) }
      return value.advance(to: now[value.clock]).map { tick in
        // A manual fire was not due, and so cannot be late.
        Fire(
          lateness: tick.isManual ? nil : tick.lateness, missed: tick.missedCount,
          due: tick.isManual ? nil : tick.deadline, iteration: tick.iteration)
      }
    case .cycle(var value):
      defer { self = .cycle(value) }
      return value.advance(to: now[value.clock]).map { tick in
        Fire(
          lateness: tick.isManual ? nil : tick.lateness, missed: tick.missedCount,
          due: tick.isManual ? nil : tick.deadline,
          iteration: value.snapshot.round(of: tick.begun ?? tick.ended))
      }
    case .stopwatch: return nil
    case .triggered(var gate):
      defer { self = .triggered(gate) }
      return gate.advance(to: now[gate.clock]).map { _ in Fire(lateness: nil) }
    }
  }

  /// Passes the deadlines up to an instant without delivering them: each uses up an iteration, on the grid.
  /// - Parameter leaving: The number of the last ones that stay due.
  /// - Returns: The number of deadlines that were passed.
  @discardableResult
  mutating func catchUp(to now: ClockReading, leaving: Int = 0) -> Int {
    switch self {
    case .repeater(var value):
      defer { self = .repeater(value) }
      return value.catchUp(to: now[value.clock], leaving: leaving)
    case .cycle(var value):
      defer { self = .cycle(value) }
      return value.catchUp(to: now[value.clock], leaving: leaving)
    case .stopwatch, .triggered: return 0
    }
  }

  /// Returns the instant of the last fire of the run; `nil` if the timer does not run, if the run has no end, or if it ends
  /// after `limit`.
  func end(by limit: ClockReading) -> TimerClock.Instant? {
    switch self {
    case .repeater(let value): value.end(by: limit[value.clock])
    case .cycle(let value): value.end(by: limit[value.clock])
    case .stopwatch, .triggered: nil
    }
  }
}

// MARK: What a board reads

extension TimerMachine {
  /// The state. A timer with a pending call is running.
  package var state: TimerState {
    switch self {
    case .repeater(let value): value.state
    case .cycle(let value): value.state
    case .stopwatch(let value): value.state
    case .triggered(let gate): gate.isPending ? .running : .idle
    }
  }

  package var clock: TimerClock.Kind {
    switch self {
    case .repeater(let value): value.clock
    case .cycle(let value): value.clock
    case .stopwatch(let value): value.clock
    case .triggered(let gate): gate.clock
    }
  }

  /// The instant of the next fire on the timer's clock; `nil` if there is none.
  package var deadline: TimerClock.Instant? {
    switch self {
    case .repeater(let value): value.deadline
    case .cycle(let value): value.deadline
    case .stopwatch: nil
    case .triggered(let gate): gate.snapshot.deadline
    }
  }

  /// The time left when the timer was paused.
  package var pausedTimeLeft: Duration? {
    switch self {
    case .repeater(let value): value.snapshot.pausedTimeLeft
    case .cycle(let value): value.snapshot.pausedTimeLeft
    case .stopwatch, .triggered: nil
    }
  }

  /// Returns the time until the next fire, which does not change while paused; `nil` if there is none.
  package func timeLeft(at now: ClockReading) -> Duration? {
    deadline.map { max(.zero, now.duration(to: $0)) } ?? pausedTimeLeft
  }

  /// The whole time from the previous fire to the next one; `nil` if there is none.
  package var period: Duration? {
    switch self {
    case .repeater(let value): value.snapshot.configuration.interval
    case .cycle(let value):
      (value.snapshot.position?.phase ?? value.snapshot.configuration.phases.first)?.duration
    case .stopwatch, .triggered: nil
    }
  }

  /// The longest time that the timer shows before its next event.
  var longestTime: Duration {
    switch self {
    case .repeater(let value): value.snapshot.configuration.interval ?? .zero
    case .cycle(let value): value.snapshot.configuration.phases.map(\.duration).max() ?? .zero
    // The text of nine hours is as wide as the widest of all times below ten hours.
    case .stopwatch: .hours(9)
    case .triggered: .zero
    }
  }

  /// The numbers of iterations left in a run and in all; for a cycle, of rounds.
  package enum Iterations: Hashable, Sendable {
    case counted(left: Int, of: Int)
    case endless
    /// The timer has no runs.
    case none

    fileprivate init(left: Int?, of count: Int?) {
      // Iterations may have been added during the run.
      self = if let left, let count { .counted(left: left, of: max(left, count)) } else { .endless }
    }
  }

  package var iterations: Iterations {
    switch self {
    case .repeater(let value):
      let snapshot = value.snapshot
      return .init(left: snapshot.remainingIterations, of: snapshot.configuration.mode.count)
    case .cycle(let value):
      let snapshot = value.snapshot
      return .init(left: snapshot.roundsLeft, of: snapshot.roundCount)
    case .stopwatch, .triggered: return .none
    }
  }

  /// The mode: `once`, `finite` or `infinite`; `nil` for a timer without runs.
  package var modeName: String? {
    switch iterations {
    case .counted(_, of: 1): "once"
    case .counted: "finite"
    case .endless: "infinite"
    case .none: nil
    }
  }

  /// The number of fires since the timer, or the edit or snooze that made it anew.
  package var deliveredCount: Int {
    switch self {
    case .repeater(let value): value.snapshot.deliveredCount
    case .cycle(let value): value.snapshot.deliveredCount
    case .stopwatch(let value): value.snapshot.deliveredCount
    case .triggered(let gate): gate.snapshot.deliveredCount
    }
  }

  /// A Boolean value that indicates whether the timer is due at instants, so that it can miss one.
  package var canMiss: Bool {
    switch self {
    case .repeater, .cycle: true
    case .stopwatch, .triggered: false
    }
  }

  /// A Boolean value that indicates whether the timer runs and can be paused.
  var canPause: Bool {
    if case .triggered = self { false } else { state == .running }
  }

  /// False for a countdown, an interval, a cycle or a stopwatch that is paused at its beginning.
  package var hasRun: Bool {
    switch self {
    case .stopwatch(let value): return value.snapshot.elapsedWhenStopped != .zero
    case .repeater(let value):
      let snapshot = value.snapshot
      guard snapshot.deliveredCount == 0, let left = snapshot.pausedTimeLeft else { return true }
      let whole = snapshot.configuration.startDelay ?? snapshot.configuration.interval
      return left - snapshot.jitterDelay != whole
    case .cycle, .triggered:
      return deliveredCount > 0 || pausedTimeLeft == nil || pausedTimeLeft != period
    }
  }

  var activity: RecentActivity.Activity {
    guard state == .running else { return .notRunning }
    return phaseIndex.map { .phase($0) } ?? .running
  }

  /// Returns the part of the interval or of the phase that has passed, from 0 to 1: 0 without one.
  /// - Parameters:
  ///   - period: The whole time from the previous fire to the next one.
  ///   - left: The time until the next fire, also of a paused timer.
  package func progress(in period: Duration?, left: Duration?) -> Double {
    // An alarm has no period once it is over.
    if state == .finished { return 1 }
    guard let period, period > .zero, let left, state != .idle else { return 0 }
    return min(1, max(0, (period - left) / period))
  }
}

// MARK: Controls

extension TimerMachine {
  /// Performs an action. The current state of the timer determines its command, so that an action that is sent twice is
  /// performed twice.
  /// - Parameter baseInterval: The interval before failures of the timer's command increased it; `nil` if they did not.
  /// - Returns: The command, and whether it has changed the timer.
  mutating func perform(
    _ action: TimerAction, baseInterval: Duration?, at now: ClockReading
  ) throws(ControlRefusal) -> (command: TimerCommand, isChanged: Bool) {
    let command = try command(of: action, baseInterval: baseInterval, at: now)
    switch perform(command, at: now) {
    case .changed: return (command, true)
    case .unchanged: return (command, false)
    // On a board, the pause of a timer that does not run has nothing to do: pausing all timers is no failure.
    case .refused(.idle) where command == .pause, .refused(.finished) where command == .pause:
      return (command, false)
    case .refused(let refusal): throw ControlRefusal("\(refusal)")
    }
  }

  /// Returns the command of an action for the timer in its current state.
  func command(
    of action: TimerAction, baseInterval: Duration? = nil, at now: ClockReading
  ) throws(ControlRefusal) -> TimerCommand {
    switch self {
    case .repeater(let value):
      try value.command(of: action, baseInterval: baseInterval, at: now)
    case .cycle(let value): try value.command(of: action, at: now)
    case .stopwatch(let value): try value.command(of: action)
    case .triggered: try TriggeredFamily.command(of: action)
    }
  }

  private mutating func perform(_ command: TimerCommand, at now: ClockReading) -> ControlResult {
    switch self {
    case .repeater(var value):
      defer { self = .repeater(value) }
      return value.perform(command, at: now[value.clock])
    case .cycle(var value):
      defer { self = .cycle(value) }
      return value.perform(command, at: now[value.clock])
    case .stopwatch(var value):
      defer { self = .stopwatch(value) }
      return value.perform(command, at: now[value.clock])
    case .triggered(var gate):
      defer { self = .triggered(gate) }
      return gate.perform(command, at: now[gate.clock])
    }
  }

  /// Triggers a timer that waits for triggers, `count` times.
  /// - Complexity: O(1).
  mutating func trigger(times count: Int, at now: ClockReading) {
    guard case .triggered(var gate) = self else { return }
    gate.trigger(times: count, at: now[gate.clock])
    self = .triggered(gate)
  }
}

extension TimerAction {
  /// Returns the command of an action that is the same for all kinds except those that wait for triggers; `nil` for
  /// other actions.
  func commonCommand(in state: TimerState) -> TimerCommand? {
    switch self {
    case .toggle, .toggleAll: state == .running ? .pause : .start
    case .start: .start
    case .pause: .pause
    case .reset(let restart): .reset(restart: restart)
    case .startAsSuccessor: .reset(restart: true)
    default: nil
    }
  }
}

extension TimerAction.TimeStep {
  /// Returns the command that adds or removes the time.
  func command(
    in state: TimerState, timeLeft left: Duration?
  ) throws(ControlRefusal) -> TimerCommand {
    guard state != .finished else { throw .finished }
    guard let left else { throw .notStarted }
    let amount: Duration =
      switch self {
      case .more: TimerAction.timeStep(for: left)
      case .less: .zero - TimerAction.timeStep(for: left)
      case .exactly(let amount): amount
      }
    guard amount > .zero || left > .zero else { throw ControlRefusal("no time left to remove") }
    return .adjustTimeLeft(amount)
  }
}
