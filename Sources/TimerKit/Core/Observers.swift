import Synchronization

/// A value that identifies an observer, with which to remove it. No other observer has it, of any timer.
public struct ObserverToken: Sendable, Hashable {
  let number: UInt64

  /// The number of a handler that a timer was created with. Other callbacks have greater numbers, in the order in which
  /// they were added.
  private static let count = Atomic<UInt64>(Self.handler.number)

  static var handler: ObserverToken { ObserverToken(number: 1) }

  static func next() -> ObserverToken {
    ObserverToken(number: count.add(1, ordering: .relaxed).newValue)
  }
}

/// The handler of a timer. Each kind of timer has its own type for it, except generic kinds with equal parameters.
///
/// It is not a closure, because a closure that is stored in a generic type is wrapped in another one, which
/// costs an allocation for every timer.
@usableFromInline
protocol TimerHandler<Timer, Delivery>: Sendable {
  /// The timer.
  associatedtype Timer: AnyObject, Sendable
  associatedtype Delivery: Sendable

  func callAsFunction(_ timer: Timer, _ delivery: Delivery)
}

/// A closure or stream that receives events: the handler, or an observer.
@usableFromInline
enum Callback<Handler: TimerHandler, State: Sendable>: Sendable {
  @usableFromInline typealias Timer = Handler.Timer
  @usableFromInline typealias Event = TimerEvent<State, Handler.Delivery>

  case handler(Handler)
  case stateChanged(@Sendable (Timer, _ from: State, _ to: State) -> Void)
  case observer(@Sendable (Timer, Event) -> Void)
  /// Indirect, because the compiler does not know the layout of a continuation. If it were stored inline,
  /// each access to a timer would have to look up the timer's layout.
  indirect case stream(AsyncStream<Event>.Continuation)

  var isHandler: Bool { if case .handler = self { true } else { false } }
  var isStateChanged: Bool { if case .stateChanged = self { true } else { false } }

  var stream: AsyncStream<Event>.Continuation? {
    if case .stream(let stream) = self { stream } else { nil }
  }

  func receives(_ event: Event) -> Bool {
    switch (self, event) {
    case (.observer, _), (.stream, _), (.handler, .delivery), (.stateChanged, .state): true
    default: false
    }
  }

  /// Passes the event to the callback.
  /// - Returns: true if the buffer of a stream was full and an event was dropped.
  func call(_ timer: Timer, _ event: Event) -> Bool {
    switch (self, event) {
    case (.handler(let call), .delivery(let delivery)): call(timer, delivery)
    case (.stateChanged(let observer), .state(let old, let new)): observer(timer, old, new)
    case (.observer(let observer), _): observer(timer, event)
    case (.stream(let stream), _):
      if case .dropped = stream.yield(event) { return true }
    default: break
    }
    return false
  }
}

/// The callbacks of a timer, in the order in which they were added, and the events that wait to be passed
/// to them.
@usableFromInline
struct Observers<Handler: TimerHandler, State: Sendable>: Sendable {
  @usableFromInline typealias Callback = TimerKit.Callback<Handler, State>
  @usableFromInline typealias Event = TimerEvent<State, Handler.Delivery>

  struct Entry: Sendable {
    let token: ObserverToken
    var callback: Callback
  }

  /// An event that has not been passed to the callbacks, and the token of the last one that was there when it happened.
  typealias PendingEvent = (event: Event, last: ObserverToken)

  /// The callbacks other than the handler that the timer was created with, and their events. Most timers have none.
  @usableFromInline
  struct AdditionalCallbacks: Sendable, Defaultable {
    var entries: [Entry] = []
    /// The events that have not been passed to the callbacks, in order; at most twice ``Observers/pendingEventLimit``.
    var pendingEvents: [PendingEvent] = []
    /// The number of events dropped by the buffers of streams, or from the pending events.
    var droppedEventCount = 0
    /// The number of callbacks other than handlers.
    var observerCount = 0

    @usableFromInline init() {}

    mutating func dropExcess() {
      let excess = max(0, pendingEvents.count - Observers.pendingEventLimit)
      pendingEvents.removeFirst(excess)
      droppedEventCount += excess
    }
  }

  /// The handler that the timer was created with, which is called before all others.
  @usableFromInline var handler: Handler?
  @usableFromInline var additional = LazyBox<AdditionalCallbacks>()

  init(handler: consuming Handler?) {
    self.handler = handler
  }

  mutating func add(_ callback: Callback) -> ObserverToken {
    let token = ObserverToken.next()
    additional.change { additional in
      additional.entries.append(Entry(token: token, callback: callback))
      if !callback.isHandler { additional.observerCount += 1 }
    }
    return token
  }

  /// Removes an observer or a stream. No caller has the token of a handler, which only ``removeAll()`` removes.
  /// - Returns: the callback, which the caller destroys after it has unlocked the mutex.
  mutating func remove(where matches: (Entry) -> Bool) -> Callback? {
    guard let index = additional.value.entries.firstIndex(where: matches) else { return nil }
    return additional.change { additional in
      let callback = additional.entries.remove(at: index).callback
      additional.observerCount -= 1
      return callback
    }
  }

  /// Replaces the first callback that matches; adds the new one at the end if none matches.
  /// - Returns: the old callback.
  mutating func replace(
    where matches: (Callback) -> Bool, with callback: Callback
  ) -> Callback? {
    if let old = handler, case .handler(let newHandler) = callback {
      handler = newHandler
      return .handler(old)
    }
    guard let index = additional.value.entries.firstIndex(where: { matches($0.callback) }) else {
      _ = add(callback)
      return nil
    }
    return additional.change { additional in
      let old = additional.entries[index].callback
      additional.entries[index].callback = callback
      return old
    }
  }

  /// Removes all callbacks.
  /// - Returns: the callbacks, which the caller destroys after it has unlocked the mutex.
  mutating func removeAll() -> Removed {
    var removed = Removed(handler: handler.take())
    if !additional.isUnused {
      removed.additional = additional.change { additional in
        defer { additional.entries = [] }
        additional.observerCount = 0
        return additional.entries
      }
    }
    return removed
  }

  /// Removed callbacks. Most timers have only a handler, for which this type allocates no memory.
  struct Removed: Sendable {
    var handler: Handler?
    var additional: [Entry] = []

    var isEmpty: Bool { handler == nil && additional.isEmpty }

    func finishStreams() {
      for entry in additional { entry.callback.stream?.finish() }
    }
  }

  var all: [Callback] {
    (handler.map { [.handler($0)] } ?? []) + additional.value.entries.map(\.callback)
  }

  // MARK: - Delivery

  @inlinable var hasObservers: Bool {
    !additional.isUnused && additionalCallbacksIncludeObservers
  }
  @inlinable var hasPendingEvents: Bool { !additional.isUnused && additionalEventsArePending }

  /// True if there is a handler, an observer or a stream.
  @inlinable var hasCallbacks: Bool {
    handler != nil || !additional.isUnused && additionalCallbacksExist
  }

  @usableFromInline var additionalCallbacksExist: Bool { !additional.value.entries.isEmpty }
  @usableFromInline var additionalCallbacksIncludeObservers: Bool {
    additional.value.observerCount > 0
  }
  @usableFromInline var additionalEventsArePending: Bool { !additional.value.pendingEvents.isEmpty }

  var lastToken: ObserverToken {
    additional.isUnused ? .handler : additional.value.entries.last?.token ?? .handler
  }

  /// The maximum number of pending events that are passed on, for example after the queue was suspended; older ones
  /// are dropped. The list can have twice as many before it is shortened.
  static var pendingEventLimit: Int { 1024 }

  var droppedEventCount: Int {
    let additional = additional.value
    return additional.droppedEventCount
      + max(0, additional.pendingEvents.count - Self.pendingEventLimit)
  }

  /// Adds an event to the pending events, if a callback may receive it.
  @usableFromInline
  mutating func enqueue(_ event: Event) {
    guard hasObservers else { return }
    let last = lastToken
    additional.change { additional in
      additional.pendingEvents.append((event, last))
      // Many at a time: removing one by one from the front of an array takes quadratic time.
      if additional.pendingEvents.count >= 2 * Self.pendingEventLimit { additional.dropExcess() }
    }
  }

  mutating func takePendingEvents() -> ArraySlice<PendingEvent> {
    guard hasPendingEvents else { return [] }
    return additional.change { additional in
      additional.dropExcess()
      defer { additional.pendingEvents = [] }
      return additional.pendingEvents[...]
    }
  }

  /// Returns the first callback after `cursor` and up to `last` that receives the event, and advances the
  /// cursor to it.
  func next(
    after cursor: inout ObserverToken, through last: ObserverToken, for event: Event
  ) -> Callback? {
    if cursor.number < ObserverToken.handler.number {
      cursor = ObserverToken.handler
      if let handler, case .delivery = event { return .handler(handler) }
    }
    guard !additional.isUnused else { return nil }
    let previous = cursor.number
    let next = additional.value.entries.first { entry in
      previous < entry.token.number && entry.token.number <= last.number
        && entry.callback.receives(event)
    }
    guard let next else { return nil }
    cursor = next.token
    return next.callback
  }
}
