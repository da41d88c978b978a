/// What a timer does, without a clock, a queue or a lock: time is an argument.
///
/// A machine takes a command, or "your alarm went off", with the time; it changes itself and says
/// what is to be delivered. ``TimerStorage`` does the rest for every kind of timer. All times are
/// nanoseconds on the timer's timeline.
@usableFromInline
protocol TimerStateMachine: Sendable {
  /// What the timer shows to observers.
  associatedtype Status: Sendable, Equatable
  /// What handlers are given.
  associatedtype Delivery: Sendable

  var status: Status { get }

  /// Counts the controls that changed the schedule: what tells a late alarm from a current one.
  var generation: UInt64 { get }

  /// Changes when a control took back what is being delivered: handlers that have not been called
  /// for it yet are then passed over.
  var deliveryGeneration: UInt64 { get }

  /// When it wants its alarm; `nil` while it waits for nothing.
  var deadline: Int64? { get }

  /// Since when something waits to be delivered without an alarm; `nil` while nothing does.
  var pendingSince: Int64? { get }

  /// It will never want to be woken again.
  var isCancelled: Bool { get }

  /// Ends it for good. Answers whether it was not ended before.
  mutating func cancel() -> Bool

  /// The alarm that was armed for `generation` went off.
  mutating func alarm(generation: UInt64, at now: Int64) -> Effect<Delivery>

  /// The next of what ``pendingSince`` announced.
  mutating func next(at now: Int64) -> Effect<Delivery>

  /// The handlers of the newest delivery have returned. `now` reads the clock, if it is needed.
  mutating func deliveryFinished(at now: () -> Int64)
}

/// What comes of an alarm.
@usableFromInline
enum Effect<Delivery: Sendable>: Sendable {
  case nothing
  case deliver(Delivery)
  /// Refused: a control had superseded it.
  case stale(generation: UInt64)
}

extension Effect: Equatable where Delivery: Equatable {}
