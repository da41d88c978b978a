import NIOCore
import NIOPosix
import Synchronization

/// SwiftNIO's `scheduleTask` on one event loop, called from outside it.
struct NIOSystem: TimerSystem {
  static let creationCost: Int64 = 10_000

  /// Uses `scheduleRepeatedTask` for ticks in place of a chain of tasks with deadlines.
  var repeats = false

  private let loop: any EventLoop

  init(repeats: Bool = false) {
    self.repeats = repeats
    loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
  }

  func once(after delay: Int64, _ number: Int, _ tally: Tally) -> Scheduled<Void> {
    loop.scheduleTask(in: .nanoseconds(delay)) { tally.add(number) }
  }

  func once(at instant: Int64, _ number: Int, _ tally: Tally) -> Scheduled<Void> {
    loop.scheduleTask(deadline: .uptimeNanoseconds(UInt64(instant))) { tally.add(number) }
  }

  func move(_ timer: inout Scheduled<Void>, after delay: Int64, _ number: Int, _ tally: Tally) {
    timer.cancel()
    timer = once(after: delay, number, tally)
  }

  func cancel(_ timer: Scheduled<Void>) { timer.cancel() }

  func every(
    _ interval: Int64, from first: Int64, tolerance: Int64,
    _ body: @escaping @Sendable (_ missed: Int) -> Void
  ) {
    if repeats {
      loop.scheduleRepeatedTask(
        initialDelay: .nanoseconds(first - Clocks.uptime), delay: .nanoseconds(interval)
      ) { _ in body(0) }
    } else {
      loop.scheduleTask(deadline: .uptimeNanoseconds(UInt64(first))) {
        body(0)
        every(interval, from: first + interval, tolerance: tolerance, body)
      }
    }
  }

  func debouncer(quiet: Int64, _ inbox: Inbox) -> EventLoopDebouncer {
    EventLoopDebouncer(quiet: .nanoseconds(quiet), loop: loop, inbox)
  }
}

/// Each call cancels a scheduled task and schedules another.
final class EventLoopDebouncer: Debouncing {
  private let scheduled = Mutex<Scheduled<Void>?>(nil)
  private let quiet: TimeAmount
  private let loop: any EventLoop
  private let inbox: Inbox

  init(quiet: TimeAmount, loop: any EventLoop, _ inbox: Inbox) {
    self.quiet = quiet
    self.loop = loop
    self.inbox = inbox
  }

  func submit(_ value: Int) {
    scheduled.withLock { [inbox] scheduled in
      scheduled?.cancel()
      scheduled = loop.scheduleTask(in: quiet) { inbox.deliver(value) }
    }
  }
}
