public import Dispatch

/// One wake-up that can be moved: the smallest timer, for those who build their own.
///
/// It keeps the rules of all timers: handlers run on the queue, one at a time; after ``schedule(at:)``
/// or ``cancel()`` no handler of the old deadline starts; dropping it cancels it.
public final class DeadlineTimer: Sendable {
  /// Called on the alarm's queue, and given the alarm, so that it need not capture it.
  public typealias Handler = @Sendable (DeadlineTimer, _ scheduled: TimerClock.Instant) -> Void

  @usableFromInline let storage: TimerStorage<DeadlineTimer, DeadlineStateMachine>

  /// - Parameters:
  ///   - tolerance: how much later than its time it may ring, to share a wake-up with others.
  ///   - timeline: the clock it follows.
  ///   - queue: where the handler runs; `nil` is a serial queue that all timers without one share.
  ///   - handler: called when it rings, with the deadline it rings for.
  public init(
    tolerance: Duration = .zero, clock: TimerClock = .suspending,
    queue: DispatchQueue? = nil,
    handler: @escaping Handler
  ) {
    storage = TimerStorage(
      DeadlineStateMachine(), on: timeline, queue: queue, tolerance: tolerance.clampedNanoseconds,
      handler: Call(handler: handler))
  }

  /// Sets the moment it rings, in place of any earlier one. One that is past is due at once.
  /// - Returns: false if it is cancelled.
  @discardableResult
  public func schedule(at deadline: TimerClock.Instant) -> Bool {
    storage.control(self) { (machine, _) in machine.schedule(deadline.nanoseconds) }
  }

  /// Takes the deadline away.
  /// - Returns: false if there was none.
  @discardableResult
  public func unschedule() -> Bool {
    storage.control(self) { (machine, _) in machine.schedule(nil) }
  }

  /// Ends it for good.
  /// - Returns: false if it was cancelled before.
  @discardableResult
  public func cancel() -> Bool { storage.end(self) }

  /// When it rings; `nil` if it does not.
  public var deadline: TimerClock.Instant? {
    storage.read(\.deadline).map(TimerClock.Instant.init(nanoseconds:))
  }
}

extension DeadlineTimer: TimerStorageOwner {
  @usableFromInline typealias Machine = DeadlineStateMachine

  @usableFromInline
  struct Call: TimerCall {
    let handler: Handler

    @usableFromInline
    func callAsFunction(_ alarm: DeadlineTimer, _ scheduled: TimerClock.Instant) { handler(alarm, scheduled) }
  }
}

/// An ``Alarm`` without its storage.
@usableFromInline
struct DeadlineStateMachine: TimerStateMachine {
  @usableFromInline private(set) var deadline: Int64?
  @usableFromInline private(set) var generation: UInt64 = 0
  @usableFromInline private(set) var isCancelled = false

  /// An alarm shows no states: there is nothing to observe.
  @usableFromInline var status: Bool { false }
  @usableFromInline var deliveryGeneration: UInt64 { generation }
  @usableFromInline var pendingSince: Int64? { nil }

  mutating func schedule(_ newDeadline: Int64?) -> Bool {
    guard !isCancelled, newDeadline != nil || deadline != nil else { return false }
    deadline = newDeadline
    generation += 1
    return true
  }

  @usableFromInline
  mutating func cancel() -> Bool {
    guard !isCancelled else { return false }
    isCancelled = true
    deadline = nil
    generation += 1
    return true
  }

  @usableFromInline
  mutating func alarm(generation: UInt64, at now: Int64) -> Effect<TimerClock.Instant> {
    guard generation == self.generation, let due = deadline else {
      return .stale(generation: generation)
    }
    guard now >= due else { return .nothing }
    deadline = nil
    return .deliver(TimerClock.Instant(nanoseconds: due))
  }

  @usableFromInline
  mutating func next(at now: Int64) -> Effect<TimerClock.Instant> { .nothing }

  @usableFromInline
  mutating func deliveryFinished(at now: () -> Int64) {}
}
