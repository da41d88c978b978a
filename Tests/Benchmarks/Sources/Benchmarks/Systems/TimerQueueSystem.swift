import TimerKit

/// TimerKit's timers as values in a `TimerQueue`, and a loop of one thread that advances it.
final class TimerQueueSystem: TimerSystem {
  static let creationCost: Int64 = 4_000

  private let clock = TimerClock.suspending
  private var queue = TimerQueue<Int, Repeater.Value>()

  func once(after delay: Int64, _ number: Int, _ tally: Tally) throws -> Int {
    var timer = try Repeater.Value(interval: .nanoseconds(delay), mode: .once)
    timer.start(at: clock.now)
    queue.set(timer, for: number)
    return number
  }

  func once(at instant: Int64, _ number: Int, _ tally: Tally) throws -> Int {
    let now = clock.now
    guard instant > now.nanoseconds else { throw Failure.notReadyInTime }
    var timer = try Repeater.Value(interval: .nanoseconds(instant - now.nanoseconds), mode: .once)
    timer.start(at: now)
    queue.set(timer, for: number)
    return number
  }

  func move(_ timer: inout Int, after delay: Int64, _ number: Int, _ tally: Tally) throws {
    queue[timer]?.restart(every: .nanoseconds(delay), at: clock.now)
  }

  func cancel(_ timer: Int) { queue.remove(timer) }

  func every(
    _ interval: Int64, from first: Int64, tolerance: Int64,
    _ body: @escaping @Sendable (_ missed: Int) -> Void
  ) throws -> Int {
    throw Failure.unsupported("a loop of its own")
  }

  func debouncer(quiet: Int64, _ inbox: Inbox) throws -> Debouncer<Int> {
    throw Failure.unsupported("a loop of its own")
  }

  func wait(for tally: Tally, until instant: Int64) {
    while !tally.isComplete {
      let next = queue.wakeUp?.lowerBound.nanoseconds ?? .max
      sleep(nanoseconds: min(next, instant) - Clocks.uptime)
      if next > instant { return }
      let now = clock.now
      while let fire = queue.advance(to: now) { tally.add(fire.id) }
    }
  }
}
