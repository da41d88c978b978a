import Dispatch
import TimerKit
import TimerKitInspector

/// TimerKit: a `Repeater` for each timer, on the queue that timers share by default, or on another.
struct TimerKitSystem: TimerSystem {
  static let creationCost: Int64 = 4_000

  var queue: DispatchQueue?

  /// A system in a process whose inspector listens; nobody is attached.
  static func inspected() throws -> TimerKitSystem {
    try TimerInspector.start()
    return TimerKitSystem()
  }

  func once(after delay: Int64, _ number: Int, _ tally: Tally) throws -> Repeater {
    try Repeater.once(after: .nanoseconds(delay), queue: queue) { _, _ in tally.add(number) }
  }

  func once(at instant: Int64, _ number: Int, _ tally: Tally) throws -> Repeater {
    let delay = instant - Clocks.uptime
    guard delay > 0 else { throw Failure.notReadyInTime }
    let timer = try once(after: delay, number, tally)
    try align(timer, with: instant)
    return timer
  }

  func move(
    _ timer: inout Repeater, after delay: Int64, _ number: Int, _ tally: Tally
  ) throws {
    timer.restart(every: .nanoseconds(delay))
  }

  func cancel(_ timer: Repeater) { timer.cancel() }

  func every(
    _ interval: Int64, from first: Int64, tolerance: Int64,
    _ body: @escaping @Sendable (_ missed: Int) -> Void
  ) throws -> Repeater {
    let timer = try Repeater(
      interval: .nanoseconds(interval), tolerance: .nanoseconds(tolerance)
    ) { _, tick in body(tick.missedCount) }
    timer.start()
    try align(timer, with: first)
    return timer
  }

  private func align(_ timer: Repeater, with instant: Int64) throws {
    guard let deadline = timer.snapshot.deadline else { return }
    timer.adjustTimeLeft(by: .nanoseconds(instant - deadline.nanoseconds))
  }

  func debouncer(quiet: Int64, _ inbox: Inbox) throws -> Debouncer<Int> {
    try Debouncer(delay: .nanoseconds(quiet)) { _, value in inbox.deliver(value) }
  }

  func throttler(interval: Int64, _ inbox: Inbox) throws -> Throttler<Int> {
    try Throttler(interval: .nanoseconds(interval)) { _, value in inbox.deliver(value) }
  }
}

extension Debouncer: Debouncing where Value == Int {
  @inline(__always)
  func submit(_ value: Int) { call(value) }
}

extension Throttler: Throttling where Value == Int {
  @inline(__always)
  func submit(_ value: Int) { call(value) }
}
