/// The behavior of a kind of timer, without a clock, a queue or a lock: time is an argument.
///
/// A machine takes a control, or the event that its alarm fired, with the time; it changes itself and
/// returns what is to be delivered. ``TimerStorage`` does the rest for every kind of timer. All times
/// are nanoseconds on the timer's clock.
@usableFromInline
protocol TimerStateMachine: Sendable {
  /// The state that observers see.
  associatedtype Status: Sendable, Equatable
  /// The value that handlers receive.
  associatedtype Delivery: Sendable

  var status: Status { get }

  /// The number of controls that changed the schedule: it tells a stale alarm from a current one.
  var generation: UInt64 { get }

  /// Changes when a control revokes the delivery that is under way: handlers that have not been
  /// called for it yet are then passed over.
  var deliveryGeneration: UInt64 { get }

  /// The time of the next alarm; `nil` while it waits for none.
  var deadline: Int64? { get }

  /// The longest time by which an alarm may be late to share a wake-up, whatever the tolerance.
  var longestTolerance: Int64 { get }

  /// The time since which something waits to be delivered without an alarm; `nil` while nothing does.
  var pendingSince: Int64? { get }

  /// True once the timer has ended for good: it needs no alarm any more.
  var isCancelled: Bool { get }

  /// Ends the timer for good.
  /// - Returns: false if it was ended before.
  mutating func cancel() -> Bool

  /// Handles the alarm that was armed for `generation`.
  /// - Parameter clock: the clock that instants in the delivery belong to.
  mutating func alarm(
    generation: UInt64, at now: Int64, on clock: ClockIdentity
  ) -> Effect<Delivery>

  /// Takes the first of what waits without an alarm: see ``pendingSince``.
  mutating func next(at now: Int64, on clock: ClockIdentity) -> Effect<Delivery>

  /// Handles the return of the newest delivery's handlers.
  /// - Parameter now: reads the clock, if it is needed.
  mutating func deliveryFinished(at now: () -> Int64)
}

extension TimerStateMachine {
  @usableFromInline var longestTolerance: Int64 { .max }
}

/// The outcome of an alarm.
@usableFromInline
enum Effect<Delivery: Sendable>: Sendable {
  case nothing
  case deliver(Delivery)
  /// Rejected: a control had superseded it.
  case stale(generation: UInt64)
}

extension Effect: Equatable where Delivery: Equatable {}
