import Dashboard
import Dispatch
import TimerKit

/// A timer of the board, of whatever kind.
protocol LiveTimer: AnyObject, Sendable {
  /// Everything it tells of itself.
  var status: TimerStatus { get }

  /// Does what it is told; what means nothing to its kind is ignored.
  func perform(_ command: TimerCommand) throws(TimerConfigurationError)

  /// Tells what happens to it from now on, on its queue.
  func tell(_ listener: @escaping @Sendable (any LiveTimer, TimerNews) -> Void)

  /// Ends it for good.
  func end()
}

extension TimerSpec {
  /// Makes the timer that was asked for, as it once was if that is said; without that it is idle.
  ///
  /// What a timer of the board does when it fires is tell its listener, so handlers do nothing.
  func makeTimer(
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
  fileprivate func tell(
    _ listener: @escaping @Sendable (any LiveTimer, TimerNews) -> Void,
    _ news: @escaping @Sendable (Delivery) -> TimerNews
  ) {
    observe { timer, event in
      switch event {
      case .state: listener(timer, .changed)
      case .tick(let delivery): listener(timer, news(delivery))
      case .stale: listener(timer, .stale)
      }
    }
  }
}

extension Repeater: LiveTimer {
  var status: TimerStatus { .repeater(snapshot) }

  func perform(_ command: TimerCommand) throws(TimerConfigurationError) {
    switch command {
    case .start: start()
    case .pause: pause()
    case .reset(let restart): reset(restart: restart)
    case .fire(let andPause): fire(andPause: andPause)
    case .adjustTimeLeft(let change): adjustTimeLeft(by: change)
    case .setInterval(let interval, let change): try setInterval(interval, change)
    case .setRemainingIterations(let count): try setRemainingIterations(count)
    case .skip, .lap: break
    }
  }

  func tell(_ listener: @escaping @Sendable (any LiveTimer, TimerNews) -> Void) {
    tell(listener) { tick in
      .fired(
        Fire(
          lateness: tick.isManual ? nil : tick.lateness, missed: tick.missed,
          due: tick.isManual ? nil : tick.scheduled, iteration: tick.iteration))
    }
  }

  func end() { cancel() }
}

extension Cycle: LiveTimer {
  var status: TimerStatus { .cycle(snapshot) }

  func perform(_ command: TimerCommand) throws(TimerConfigurationError) {
    switch command {
    case .start: start()
    case .pause: pause()
    case .reset(let restart): reset(restart: restart)
    case .adjustTimeLeft(let change): adjustTimeLeft(by: change)
    case .skip: skip()
    case .fire, .setInterval, .setRemainingIterations, .lap: break
    }
  }

  func tell(_ listener: @escaping @Sendable (any LiveTimer, TimerNews) -> Void) {
    tell(listener) { tick in
      .fired(
        Fire(
          lateness: tick.isManual ? nil : tick.lateness, missed: tick.missed,
          due: tick.isManual ? nil : tick.scheduled, iteration: tick.round))
    }
  }

  func end() { cancel() }
}

extension Stopwatch: LiveTimer {
  var status: TimerStatus { .stopwatch(snapshot) }

  func perform(_ command: TimerCommand) throws(TimerConfigurationError) {
    switch command {
    case .start: start()
    case .pause: pause()
    case .reset(let restart): reset(restart: restart)
    case .lap: lap()
    case .fire, .adjustTimeLeft, .setInterval, .setRemainingIterations, .skip: break
    }
  }

  func tell(_ listener: @escaping @Sendable (any LiveTimer, TimerNews) -> Void) {
    // A lap is a deed of its user, not a fire.
    tell(listener) { _ in .changed }
  }

  func end() { cancel() }
}

extension CallLimiter where Self: LiveTimer, Delivery == Void {
  var status: TimerStatus { .calls(snapshot) }

  func perform(_ command: TimerCommand) throws(TimerConfigurationError) {
    switch command {
    case .fire: call()
    case .reset: cancelPending()
    case .start, .pause, .adjustTimeLeft, .setInterval, .setRemainingIterations, .skip, .lap: break
    }
  }

  func tell(_ listener: @escaping @Sendable (any LiveTimer, TimerNews) -> Void) {
    tell(listener) { _ in .fired(Fire(lateness: nil)) }
  }

  func end() {
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

  var status: TimerStatus { .calls(timer.snapshot) }

  func perform(_ command: TimerCommand) throws(TimerConfigurationError) {
    switch command {
    case .fire: timer.after(delay) { _ in }
    case .reset: timer.cancelPending()
    case .start, .pause, .adjustTimeLeft, .setInterval, .setRemainingIterations, .skip, .lap: break
    }
  }

  func tell(_ listener: @escaping @Sendable (any LiveTimer, TimerNews) -> Void) {
    timer.observe { timer, event in
      guard let owner = timer.owner else { return }
      switch event {
      case .state: listener(owner, .changed)
      case .tick: listener(owner, .fired(Fire(lateness: nil)))
      case .stale: listener(owner, .stale)
      }
    }
  }

  func end() {
    timer.removeAllObservers()
    timer.cancel()
  }
}
