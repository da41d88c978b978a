import NIOCore
import NIOPosix
import Synchronization

/// SwiftNIO's `scheduleTask` on one event loop, called from outside it.
struct NIOSystem: TimerSystem {
  static let costOfMaking: Int64 = 10_000

  /// Tick by `scheduleRepeatedTask`, and not by a chain of tasks with deadlines.
  var repeats = false

  private let loop: any EventLoop

  init(repeats: Bool = false) {
    self.repeats = repeats
    loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
  }

  func once(after delay: Int64, _ body: @escaping @Sendable () -> Void) -> Scheduled<Void> {
    loop.scheduleTask(in: .nanoseconds(delay), body)
  }

  func once(at instant: Int64, _ body: @escaping @Sendable () -> Void) -> Scheduled<Void> {
    loop.scheduleTask(deadline: .uptimeNanoseconds(UInt64(instant)), body)
  }

  func move(
    _ timer: inout Scheduled<Void>, after delay: Int64, _ body: () -> @Sendable () -> Void
  ) {
    timer.cancel()
    timer = once(after: delay, body())
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

  func debouncer(
    quiet: Int64, _ deliver: @escaping @Sendable (Int) -> Void
  ) -> EventLoopDebouncer {
    EventLoopDebouncer(quiet: .nanoseconds(quiet), loop: loop, deliver)
  }
}

/// Each call cancels a scheduled task and schedules another.
final class EventLoopDebouncer: Debouncing {
  private let scheduled = Mutex<Scheduled<Void>?>(nil)
  private let quiet: TimeAmount
  private let loop: any EventLoop
  private let deliver: @Sendable (Int) -> Void

  init(quiet: TimeAmount, loop: any EventLoop, _ deliver: @escaping @Sendable (Int) -> Void) {
    self.quiet = quiet
    self.loop = loop
    self.deliver = deliver
  }

  func call(_ value: Int) {
    scheduled.withLock { [deliver] scheduled in
      scheduled?.cancel()
      scheduled = loop.scheduleTask(in: quiet) { deliver(value) }
    }
  }
}
