/// The behavior of a kind of timer, without a clock, a queue or a lock: time is an argument.
///
/// A machine handles controls and alarms: it changes its state and returns the value to deliver. ``TimerStorage``
/// does the rest for every kind of timer. All times are nanoseconds on the timer's clock.
@usableFromInline
protocol TimerStateMachine: Sendable {
  /// A state of the timer.
  associatedtype State: Sendable, Equatable
  /// The value that handlers receive.
  associatedtype Delivery: Sendable

  /// The state, which events report and the timer's property of the same name returns.
  var state: State { get }

  /// The word for the kind of timer, for an inspector.
  static var kindName: String { get }

  /// Adds the state and the values of this kind of timer to its description for an inspector.
  func describe(_ description: inout TimerDescription)

  /// Makes the next delivery due now, for an inspector.
  /// - Returns: `nil` if timers of this kind cannot fire at will.
  mutating func fireNow(at now: Int64) -> ControlResult?

  /// A number that increases when a control supersedes the alarm, and when a timer finishes. It distinguishes a stale
  /// alarm from a current one. A call or a new delay of a debouncer moves the deadline without superseding the alarm.
  var generation: UInt64 { get }

  /// A number that changes when a control revokes the delivery in progress. Callbacks that have not been
  /// called for that delivery are then skipped.
  var revocationNumber: UInt64 { get }

  /// The time of the next alarm; `nil` if there is none. Something is due then, or, in a
  /// ``KeyedStateMachine``, the entry of a key without a pending value expires.
  var deadline: Int64? { get }

  /// The upper bound of the tolerance: half of the interval or phase if the timer repeats.
  var maximumTolerance: Int64 { get }

  /// The time from which a delivery without an alarm has been pending, such as that of a manual fire; `nil` if none is
  /// pending. If there are several, the time of the first one. The storage requests a drain for it:
  /// a wake-up of the driver that delivers what is pending without an alarm.
  var readySince: Int64? { get }

  /// True if a control completes the deliveries that are due, when the timer has no callbacks. Nobody receives them then, so
  /// that the timer depends neither on its queue nor on the other timers there.
  static var deliversToNobodyAtOnce: Bool { get }

  /// True if the timer has ended permanently and needs no alarm.
  var isCancelled: Bool { get }

  /// True if the timer is cancelled, or drains: it refuses controls, and only delivers what was pending.
  var isClosed: Bool { get }

  /// Closes a timer that is open: makes due now what this kind of timer delivers before it ends, and drops the rest. A
  /// kind that delivers nothing is cancelled.
  mutating func close(at now: Int64)

  /// The number of values that a closed timer has yet to deliver.
  var undeliveredCount: Int { get }

  /// Ends a timer permanently that has not ended before.
  mutating func cancel()

  /// Handles the alarm. The storage rejects an alarm that a control has superseded.
  /// - Parameter clock: the clock that instants in the delivery belong to.
  mutating func handleArmedAlarm(at now: Int64, on clock: ClockIdentity) -> Effect<Delivery>

  /// Removes and returns the first pending delivery without an alarm: see ``readySince``.
  mutating func takeReady(at now: Int64, on clock: ClockIdentity) -> Effect<Delivery>

  /// Handles the end of a delivery, after all callbacks have returned.
  /// - Parameter now: a closure that reads the clock, for machines that need the time.
  mutating func deliveryFinished(at now: () -> Int64)
}

extension TimerStateMachine {
  @usableFromInline var revocationNumber: UInt64 { generation }
  @usableFromInline var maximumTolerance: Int64 { .max }
  @inlinable static var deliversToNobodyAtOnce: Bool { false }
  // Most kinds deliver only at alarms, or have nothing to do at the end of a delivery.
  @usableFromInline var readySince: Int64? { nil }

  @usableFromInline
  mutating func takeReady(at now: Int64, on clock: ClockIdentity) -> Effect<Delivery> { .nothing }

  @usableFromInline
  mutating func deliveryFinished(at now: () -> Int64) {}
}

/// The outcome of an alarm or a drain.
@usableFromInline
enum Effect<Delivery: Sendable>: Sendable {
  case nothing
  case deliver(Delivery)
  /// The alarm or the request was rejected, because a control had superseded it.
  case stale(generation: UInt64)
}

extension Effect: Equatable where Delivery: Equatable {}
