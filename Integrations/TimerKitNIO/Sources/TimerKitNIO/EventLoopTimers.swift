public import NIOCore
public import TimerKit

/// Timers as values on an event loop: any number of them, by identifier, with one scheduled task of the loop.
///
/// ```swift
/// let timeouts = EventLoopTimers<Int, Repeater.Value>(on: eventLoop) { timeouts, connection, _ in
///   close(connection)
///   timeouts[connection] = nil
/// }
/// timeouts[7] = idle                                // a Repeater.Value that was started at timeouts.now
/// timeouts[7]?.restart(at: timeouts.now)            // whenever the connection receives something
/// ```
///
/// Use it on its event loop only; creating or changing it elsewhere traps. Its values follow ``TimerClock/suspending``, which
/// is the clock of `NIODeadline`. It waits for its timers while it is referenced, and the loop references it no longer
/// than a handler runs.
public final class EventLoopTimers<ID: Hashable & Sendable, Value: TimerValue> {
  /// A closure called for every delivery, on the event loop.
  public typealias Handler = (EventLoopTimers<ID, Value>, ID, Value.Delivery) -> Void

  private let eventLoop: NIOIsolatedEventLoop
  private let handler: Handler
  private var queue = TimerQueue<ID, Value>()
  /// The task that wakes the timers, and its time.
  private var wakeUp: (deadline: Int64, task: Scheduled<Void>)?
  private var isAdvancing = false

  /// The number of deliveries after which the loop has its turn.
  private let deliveriesPerTask = 1_000

  /// Creates an object without timers.
  /// - Parameters:
  ///   - eventLoop: the event loop, on which the caller must run.
  ///   - handler: called for every delivery. It can change all timers.
  public init(on eventLoop: any EventLoop, handler: @escaping Handler) {
    self.eventLoop = eventLoop.assumeIsolated()
    self.handler = handler
  }

  deinit { wakeUp?.task.cancel() }

  /// The current time of the event loop, for the controls of the values.
  public var now: TimerClock.Instant {
    let nanoseconds = eventLoop.nonisolated().now.uptimeNanoseconds
    return TimerClock.suspending.instant(nanoseconds: Int64(clamping: nanoseconds))
  }

  /// The number of timers.
  public var count: Int { queue.count }

  /// The timer with an identifier. Changing it changes it in place; setting it to `nil` removes it.
  public subscript(id: ID) -> Value? {
    get { queue[id] }
    _modify {
      eventLoop.nonisolated().preconditionInEventLoop()
      defer { if needsEarlierTask(for: id) { reschedule() } }
      yield &queue[id]
    }
  }

  /// Returns true if a timer that has changed needs a task that is earlier than the scheduled one, which is early enough for
  /// all others.
  private func needsEarlierTask(for id: ID) -> Bool {
    guard let end = queue[id]?.wakeUp?.upperBound.nanoseconds else { return false }
    return wakeUp.map { end < $0.deadline } ?? true
  }

  /// Schedules the task for the first wake-up. A task that is too early stays: it schedules the next one.
  private func reschedule() {
    guard !isAdvancing, let next = queue.wakeUp?.upperBound.nanoseconds else { return }
    if let wakeUp, wakeUp.deadline <= next { return }
    wakeUp?.task.cancel()
    let deadline = NIODeadline.uptimeNanoseconds(UInt64(max(0, next)))
    wakeUp = (next, eventLoop.scheduleTask(deadline: deadline) { [weak self] in self?.advance() })
  }

  private func advance() {
    wakeUp = nil
    isAdvancing = true
    let now = now
    var deliveries = 0
    while deliveries < deliveriesPerTask, let next = queue.advance(to: now) {
      deliveries += 1
      handler(self, next.id, next.delivery)
    }
    isAdvancing = false
    reschedule()
  }
}
