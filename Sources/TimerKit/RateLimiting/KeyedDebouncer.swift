public import Dispatch

/// A ``Debouncer`` for every key: calls for one key do not touch those for another.
///
/// Keys need no registration. What is kept for one is there while something of it is pending, and
/// with a leading edge or `maxWait` until its calls have been quiet for the delay; then it is gone.
/// Every keyed debouncer has keys of its own. Handlers of all of them run one at a time.
///
/// Everything can be called from any thread and from inside the handler. A keyed debouncer that
/// nobody holds is dropped, and what is pending with it. Keys are hashed, compared and released
/// while it is locked: their own code for that must not use it.
///
/// SwiftTimer has the trailing edge of it, by identifier, in one dictionary for the whole process.
public final class KeyedDebouncer<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// Called on the timer's queue, one call at a time, and given the timer, so that it need not
  /// capture it.
  public typealias Handler = @Sendable (KeyedDebouncer<Key, Value>, Key, Value) -> Void

  @usableFromInline let storage:
    TimerStorage<KeyedDebouncer<Key, Value>, KeyedStateMachine<Key, DebounceStateMachine<Value>>>

  /// The parameters are those of ``Debouncer/init(delay:edges:maxWait:tolerance:on:queue:handler:)``,
  /// for each key; the handler is given the key as well.
  public init(
    delay: Duration, edges: DebounceEdges = .trailing, maxWait: Duration? = nil,
    tolerance: Duration = .zero, clock: TimerClock = .suspending,
    queue: DispatchQueue? = nil, handler: @escaping Handler
  ) throws(TimerError) {
    let machine = KeyedStateMachine<Key, DebounceStateMachine<Value>>(
      try DebounceStateMachine(delay: delay, edges: edges, maxWait: maxWait))
    storage = TimerStorage(
      machine, on: timeline, queue: queue, tolerance: try tolerance.checkedTolerance(),
      handler: Call(handler: handler))
  }
}

extension KeyedDebouncer: KeyedCallLimiter, KeyedCallLimiterOwner {
  public typealias State = CallState
  public typealias Delivery = KeyedCall<Key, Value>
  typealias Limiter = DebounceStateMachine<Value>
  @usableFromInline typealias Machine = KeyedStateMachine<Key, DebounceStateMachine<Value>>

  @usableFromInline
  struct Call: TimerCall {
    let handler: Handler

    @usableFromInline
    func callAsFunction(_ debouncer: KeyedDebouncer<Key, Value>, _ call: KeyedCall<Key, Value>) {
      handler(debouncer, call.key, call.value)
    }
  }
}
