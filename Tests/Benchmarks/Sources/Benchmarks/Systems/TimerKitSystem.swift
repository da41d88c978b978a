import TimerKit

/// Ours: a `Repeater` for each timer, on the queue that timers share unless told otherwise.
struct TimerKitSystem: TimerSystem {
  static let costOfMaking: Int64 = 4_000

  func once(after delay: Int64, _ body: @escaping @Sendable () -> Void) throws -> Repeater {
    try Repeater.once(after: .nanoseconds(delay)) { _, _ in body() }
  }

  func once(at instant: Int64, _ body: @escaping @Sendable () -> Void) throws -> Repeater {
    let delay = instant - Clocks.uptime
    guard delay > 0 else { throw Failure.notReadyInTime }
    let timer = try once(after: delay, body)
    try align(timer, with: instant)
    return timer
  }

  func move(
    _ timer: inout Repeater, after delay: Int64, _ body: () -> @Sendable () -> Void
  ) throws {
    try timer.reset(interval: .nanoseconds(delay))
  }

  func cancel(_ timer: Repeater) { timer.cancel() }

  func every(
    _ interval: Int64, from first: Int64, tolerance: Int64,
    _ body: @escaping @Sendable (_ missed: Int) -> Void
  ) throws -> Repeater {
    let timer = try Repeater(
      every: .nanoseconds(interval), tolerance: .nanoseconds(tolerance)
    ) { _, tick in body(tick.missed) }
    try timer.start()
    try align(timer, with: first)
    return timer
  }

  private func align(_ timer: Repeater, with instant: Int64) throws {
    guard let deadline = timer.snapshot.deadline else { return }
    try timer.adjustTimeLeft(by: .nanoseconds(instant - deadline.nanoseconds))
  }

  func debouncer(
    quiet: Int64, _ deliver: @escaping @Sendable (Int) -> Void
  ) throws -> AlarmDebouncer {
    throw Failure.unsupported("to come")
  }
}

struct AlarmDebouncer: Debouncing {
  func call(_ value: Int) {}
}
