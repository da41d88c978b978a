/// Identifiers in the order of the wake-ups of timers that are stored elsewhere.
///
/// It is a ``TimerQueue`` without the values: set the wake-up of a timer whenever the timer has changed, and advance
/// those whose identifiers ``popFirst(through:)`` returns. Use one index for each clock.
public struct WakeUpIndex<ID: Hashable & Sendable>: Sendable {
  /// A wake-up without a timer. Its only delivery removes it.
  @usableFromInline
  struct WakeUp: TimerValue {
    @usableFromInline var wakeUp: ClosedRange<TimerClock.Instant>?

    @inlinable
    init(_ wakeUp: ClosedRange<TimerClock.Instant>) {
      self.wakeUp = wakeUp
    }

    @inlinable
    mutating func advance(to now: TimerClock.Instant) -> Void? {
      guard let first = wakeUp?.lowerBound, first <= now else { return nil }
      wakeUp = nil
      return ()
    }
  }

  @usableFromInline var queue: TimerQueue<ID, WakeUp>

  /// Creates an empty index.
  /// - Parameter clock: the clock of all wake-ups. The index never reads it.
  public init(clock: TimerClock = .suspending) {
    queue = TimerQueue(clock: clock)
  }

  /// The number of identifiers with a wake-up.
  @inlinable public var count: Int { queue.count }

  /// A Boolean value that indicates whether no identifier has a wake-up.
  @inlinable public var isEmpty: Bool { queue.isEmpty }

  /// Sets the wake-up of a timer: see ``TimerValue/wakeUp``. `nil` removes its identifier.
  /// - Complexity: O(log n) for an earlier time; otherwise O(1), amortized.
  @inlinable
  public mutating func set(_ wakeUp: ClosedRange<TimerClock.Instant>?, for id: ID) {
    if let wakeUp {
      queue.set(WakeUp(wakeUp), for: id)
    } else {
      queue.remove(id)
    }
  }

  /// Returns the wake-up of a timer.
  @inlinable
  public subscript(id: ID) -> ClosedRange<TimerClock.Instant>? { queue[id]?.wakeUp }

  /// The time at which to call ``popFirst(through:)`` again: see ``TimerQueue/wakeUp``.
  @inlinable public var wakeUp: ClosedRange<TimerClock.Instant>? { queue.wakeUp }

  /// Removes and returns the identifier with the earliest wake-up; `nil` if none is due at `now`. Of those with equal
  /// wake-ups, it can be any.
  @inlinable
  public mutating func popFirst(through now: TimerClock.Instant) -> ID? {
    guard let id = queue.advance(to: now)?.id else { return nil }
    queue.remove(id)
    return id
  }
}
