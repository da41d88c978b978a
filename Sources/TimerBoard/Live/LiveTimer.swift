package import Dispatch
package import TimerKit

/// A live timer of a board, of whatever kind.
package protocol LiveTimer: AnyObject, Sendable {
  var status: TimerStatus { get }

  /// Performs a command; one that means nothing to its kind changes nothing.
  @discardableResult
  func perform(_ command: TimerCommand) throws(TimerConfigurationError) -> ControlResult

  /// Calls a handler on the timer's queue with each event from now on.
  func observe(_ handler: @escaping @Sendable (any LiveTimer, Board.TimerEvent) -> Void)

  /// Ends it for good.
  func end()
}

extension TimerSpec {
  /// Creates the live timer, idle or as a checkpoint says.
  ///
  /// The board follows it by its events, so its handler does nothing.
  package func makeTimer(
    restoring checkpoint: TimerCheckpoint?, clock: TimerClock = .suspending,
    wall: TimerClock = .wall, queue: DispatchQueue?
  ) throws(RestoreError) -> any LiveTimer {
    switch (kind, checkpoint) {
    case (.at, .repeater(let checkpoint)), (.daily, .repeater(let checkpoint)):
      // Its next fire comes from the schedule. A date can pass between two readings of the clock;
      // the second attempt finds it past and the timer finished.
      do throws(RestoreError) {
        return try Repeater(restoring: checkpoint, .catchUp, clock: wall, queue: queue) { _, _ in }
      } catch .noOccurrence {
        return try Repeater(restoring: checkpoint, .catchUp, clock: wall, queue: queue) { _, _ in }
      }
    case (.once, .repeater(let checkpoint)), (.every, .repeater(let checkpoint)):
      return try Repeater(
        restoring: checkpoint, .keepTimeLeft, clock: clock, queue: queue
      ) { _, _ in }
    case (.cycle, .cycle(let checkpoint)):
      return try Cycle(restoring: checkpoint, .keepTimeLeft, clock: clock, queue: queue) { _, _ in }
    case (.stopwatch, .stopwatch(let checkpoint)):
      return try Stopwatch(
        restoring: checkpoint, .keepTimeLeft, clock: clock, queue: queue
      ) { _, _ in }
    default:
      do throws(TimerConfigurationError) {
        return try makeTimer(clock: clock, wall: wall, queue: queue)
      } catch {
        throw .configuration(error)
      }
    }
  }

  private func makeTimer(
    clock: TimerClock, wall: TimerClock, queue: DispatchQueue?
  ) throws(TimerConfigurationError) -> any LiveTimer {
    switch kind {
    case .at(let schedule):
      return try Repeater(
        schedule: schedule, mode: .once, tolerance: tolerance, missedTicks: missedTicks,
        clock: wall, queue: queue
      ) { _, _ in }
    case .daily(let schedule, let count):
      return try Repeater(
        schedule: schedule, mode: count.map { .finite($0) } ?? .infinite, tolerance: tolerance,
        missedTicks: missedTicks, clock: wall, queue: queue
      ) { _, _ in }
    case .once(let interval):
      return try Repeater(
        every: interval, mode: .once, tolerance: tolerance, missedTicks: missedTicks, clock: clock,
        queue: queue
      ) { _, _ in }
    case .every(let interval, let count):
      return try Repeater(
        every: interval, mode: count.map { .finite($0) } ?? .infinite, tolerance: tolerance,
        missedTicks: missedTicks, clock: clock, queue: queue
      ) { _, _ in }
    case .cycle(let phases, let rounds):
      return try Cycle(phases, rounds: rounds, tolerance: tolerance, clock: clock, queue: queue) {
        _, _ in
      }
    case .stopwatch: return Stopwatch(clock: clock, queue: queue) { _, _ in }
    case .debounce(let delay, let maxWait, let edges):
      return try Debouncer<Void>(
        delay: delay, edges: edges, maxWait: maxWait, tolerance: tolerance, clock: clock,
        queue: queue
      ) { _, _ in }
    case .throttle(let interval, let mode, let kept):
      return try Throttler<Void>(
        interval: interval, mode: mode, keeping: kept, tolerance: tolerance, clock: clock,
        queue: queue
      ) { _, _ in }
    case .coalesce(let delay):
      return try TriggeredTimer(.coalesce, delay, tolerance: tolerance, clock: clock, queue: queue)
    case .idle(let delay):
      return try TriggeredTimer(.delay, delay, tolerance: tolerance, clock: clock, queue: queue)
    }
  }
}

extension ObservableTimer where Self: LiveTimer {
  fileprivate func observe(
    _ handler: @escaping @Sendable (any LiveTimer, Board.TimerEvent) -> Void,
    _ event: @escaping @Sendable (Delivery) -> Board.TimerEvent
  ) {
    observe { timer, timerEvent in
      switch timerEvent {
      case .state: handler(timer, .changed)
      case .tick(let delivery): handler(timer, event(delivery))
      case .stale: handler(timer, .stale)
      }
    }
  }
}

extension Repeater: LiveTimer {
  package var status: TimerStatus { .repeater(snapshot) }

  package func perform(_ command: TimerCommand) throws(TimerConfigurationError) -> ControlResult {
    switch command {
    case .start: return start()
    case .pause: return pause()
    case .reset(let restart): return reset(restart: restart)
    case .fire(let andPause): return fire(andPause: andPause)
    case .adjustTimeLeft(let change): return adjustTimeLeft(by: change)
    case .setInterval(let interval, let change): return try setInterval(interval, change)
    case .setRemainingIterations(let count): return try setRemainingIterations(count)
    case .skip, .lap: return .unchanged
    }
  }

  package func observe(_ handler: @escaping @Sendable (any LiveTimer, Board.TimerEvent) -> Void) {
    observe(handler) { tick in
      .fired(
        Fire(
          lateness: tick.isManual ? nil : tick.lateness, missed: tick.missed,
          due: tick.isManual ? nil : tick.scheduled, iteration: tick.iteration))
    }
  }

  package func end() { cancel() }
}

extension Cycle: LiveTimer {
  package var status: TimerStatus { .cycle(snapshot) }

  package func perform(_ command: TimerCommand) throws(TimerConfigurationError) -> ControlResult {
    switch command {
    case .start: return start()
    case .pause: return pause()
    case .reset(let restart): return reset(restart: restart)
    case .adjustTimeLeft(let change): return adjustTimeLeft(by: change)
    case .skip: return skip()
    case .fire, .setInterval, .setRemainingIterations, .lap: return .unchanged
    }
  }

  package func observe(_ handler: @escaping @Sendable (any LiveTimer, Board.TimerEvent) -> Void) {
    observe(handler) { tick in
      .fired(
        Fire(
          lateness: tick.isManual ? nil : tick.lateness, missed: tick.missed,
          due: tick.isManual ? nil : tick.scheduled, iteration: tick.round))
    }
  }

  package func end() { cancel() }
}

extension Stopwatch: LiveTimer {
  package var status: TimerStatus { .stopwatch(snapshot) }

  package func perform(_ command: TimerCommand) throws(TimerConfigurationError) -> ControlResult {
    switch command {
    case .start: return start()
    case .pause: return pause()
    case .reset(let restart): return reset(restart: restart)
    case .lap: return lap() == nil ? .unchanged : .changed
    case .fire, .adjustTimeLeft, .setInterval, .setRemainingIterations, .skip: return .unchanged
    }
  }

  package func observe(_ handler: @escaping @Sendable (any LiveTimer, Board.TimerEvent) -> Void) {
    // A lap is a command, not a fire.
    observe(handler) { _ in .changed }
  }

  package func end() { cancel() }
}

extension CallLimiter where Self: LiveTimer, Delivery == Void {
  package var status: TimerStatus { .calls(snapshot) }

  package func perform(_ command: TimerCommand) throws(TimerConfigurationError) -> ControlResult {
    switch command {
    case .fire:
      call()
      return .changed
    case .reset: return cancelPending()
    case .start, .pause, .adjustTimeLeft, .setInterval, .setRemainingIterations, .skip, .lap:
      return .unchanged
    }
  }

  package func observe(_ handler: @escaping @Sendable (any LiveTimer, Board.TimerEvent) -> Void) {
    observe(handler) { _ in .fired(Fire(lateness: nil)) }
  }

  package func end() {
    removeAllObservers()
    cancel()
  }
}

extension Debouncer: LiveTimer where Value == Void {}
extension Throttler: LiveTimer where Value == Void {}

/// A background timer whose work is triggered by hand: it is the owner that its work is done for.
final class TriggeredTimer: LiveTimer {
  private let timer: BackgroundTimer<TriggeredTimer>
  private let delay: Duration

  init(
    _ behavior: BackgroundBehavior, _ delay: Duration, tolerance: Duration,
    clock: TimerClock, queue: DispatchQueue?
  ) throws(TimerConfigurationError) {
    self.delay = delay
    timer = try BackgroundTimer(behavior, tolerance: tolerance, clock: clock, queue: queue)
    timer.owner = self
  }

  package var status: TimerStatus { .calls(timer.snapshot) }

  package func perform(_ command: TimerCommand) throws(TimerConfigurationError) -> ControlResult {
    switch command {
    case .fire:
      timer.after(delay) { _ in }
      return .changed
    case .reset: return timer.cancelPending()
    case .start, .pause, .adjustTimeLeft, .setInterval, .setRemainingIterations, .skip, .lap:
      return .unchanged
    }
  }

  package func observe(_ handler: @escaping @Sendable (any LiveTimer, Board.TimerEvent) -> Void) {
    timer.observe { timer, event in
      guard let owner = timer.owner else { return }
      switch event {
      case .state: handler(owner, .changed)
      case .tick: handler(owner, .fired(Fire(lateness: nil)))
      case .stale: handler(owner, .stale)
      }
    }
  }

  package func end() {
    timer.removeAllObservers()
    timer.cancel()
  }
}
