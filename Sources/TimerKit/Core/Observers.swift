/// Names an observer, to remove it.
public struct ObserverToken: Sendable, Hashable {
  let number: UInt64
}

/// The handler that a timer is made with: each kind of timer has a type of its own for it.
///
/// It is not just a closure because one that is kept in a generic type is wrapped in another, and
/// every timer would pay for that.
@usableFromInline
protocol TimerHandler<Owner, Delivery>: Sendable {
  associatedtype Owner: AnyObject, Sendable
  associatedtype Delivery: Sendable

  func callAsFunction(_ owner: Owner, _ delivery: Delivery)
}

/// How a timer tells what happened: its handler, and whoever else wants to know.
@usableFromInline
enum Callback<Handler: TimerHandler, Status: Sendable>: Sendable {
  @usableFromInline typealias Owner = Handler.Owner
  @usableFromInline typealias Event = TimerEvent<Status, Handler.Delivery>

  case handler(Handler)
  case stateChanged(@Sendable (Owner, _ from: Status, _ to: Status) -> Void)
  case observer(@Sendable (Owner, Event) -> Void)
  /// Out of line, since the compiler does not know the layout of a continuation: in line, that of a
  /// whole timer would have to be looked up whenever one is touched.
  indirect case stream(AsyncStream<Event>.Continuation)

  var isHandler: Bool { if case .handler = self { true } else { false } }
  var isStateChanged: Bool { if case .stateChanged = self { true } else { false } }

  var stream: AsyncStream<Event>.Continuation? {
    if case .stream(let stream) = self { stream } else { nil }
  }

  func wants(_ event: Event) -> Bool {
    switch (self, event) {
    case (.observer, _), (.stream, _), (.handler, .tick), (.stateChanged, .state): true
    default: false
    }
  }

  /// Answers whether a stream's buffer was full.
  func call(_ owner: Owner, _ event: Event) -> Bool {
    switch (self, event) {
    case (.handler(let call), .tick(let delivery)): call(owner, delivery)
    case (.stateChanged(let observer), .state(let old, let new)): observer(owner, old, new)
    case (.observer(let observer), _): observer(owner, event)
    case (.stream(let stream), _):
      if case .dropped = stream.yield(event) { return true }
    default: break
    }
    return false
  }
}

/// The callbacks of a timer, in the order they were registered: that of their tokens. And what they
/// are to be told at the next drain.
@usableFromInline
struct Observers<Handler: TimerHandler, Status: Sendable>: Sendable {
  @usableFromInline typealias Callback = TimerKit.Callback<Handler, Status>
  @usableFromInline typealias Event = TimerEvent<Status, Handler.Delivery>

  struct Entry: Sendable {
    let token: ObserverToken
    var callback: Callback
  }

  /// Those that most timers do not have, and all that is there for their sake.
  @usableFromInline
  struct Others: Sendable, Defaultable {
    var entries: [Entry] = []
    var lastToken = Observers.handlerToken
    /// In order.
    var pendingEvents: [Event] = []
    /// Events that the buffers of streams had no room for.
    var droppedEvents = 0
    /// How many want to be told more than the ticks.
    var nonTickObserverCount = 0

    @usableFromInline init() {}
  }

  /// The one that the timer was made with, before all others.
  private var handler: Handler?
  @usableFromInline var others = LazyBox<Others>()

  private static var handlerToken: ObserverToken { ObserverToken(number: 1) }

  init(handler: Handler?) {
    self.handler = handler
  }

  mutating func add(_ callback: Callback) -> ObserverToken {
    others.change { others in
      others.lastToken = ObserverToken(number: others.lastToken.number + 1)
      others.entries.append(Entry(token: others.lastToken, callback: callback))
      if !callback.isHandler { others.nonTickObserverCount += 1 }
      return others.lastToken
    }
  }

  /// Hands the callback out, to be dropped when no mutex is held. Not for handlers: they have no token
  /// that anybody knows, and go with ``removeAll()`` only.
  mutating func remove(where isWanted: (Entry) -> Bool) -> Callback? {
    guard let index = others.value.entries.firstIndex(where: isWanted) else { return nil }
    return others.change { others in
      let callback = others.entries.remove(at: index).callback
      others.nonTickObserverCount -= 1
      return callback
    }
  }

  /// Puts a callback in the place of one of its kind, or else at the end. Hands the old one out.
  mutating func replace(
    where isWanted: (Callback) -> Bool, with callback: Callback
  ) -> Callback? {
    if let old = handler, case .handler(let newHandler) = callback {
      handler = newHandler
      return .handler(old)
    }
    guard let index = others.value.entries.firstIndex(where: { isWanted($0.callback) }) else {
      _ = add(callback)
      return nil
    }
    return others.change { others in
      let old = others.entries[index].callback
      others.entries[index].callback = callback
      return old
    }
  }

  mutating func removeAll() -> [Callback] {
    let removed = all
    handler = nil
    if !others.isUnused {
      others.change { others in
        others.entries = []
        others.nonTickObserverCount = 0
      }
    }
    return removed
  }

  var streams: [AsyncStream<Event>.Continuation] { all.compactMap(\.stream) }

  var all: [Callback] {
    (handler.map { [.handler($0)] } ?? []) + others.value.entries.map(\.callback)
  }
}

// MARK: - Telling
extension Observers {
  @inlinable var observeMoreThanTicks: Bool { !others.isUnused && hasNonTickObservers }
  @inlinable var hasPendingEvents: Bool { !others.isUnused && holdsPendingEvents }

  @usableFromInline var hasNonTickObservers: Bool { others.value.nonTickObserverCount > 0 }
  @usableFromInline var holdsPendingEvents: Bool { !others.value.pendingEvents.isEmpty }

  var lastToken: ObserverToken {
    others.isUnused ? Self.handlerToken : others.value.lastToken
  }

  var droppedEvents: Int { others.value.droppedEvents }

  mutating func noteDropped() {
    others.change { $0.droppedEvents += 1 }
  }

  /// Puts an event in the pendingEvents, if somebody may want it.
  @usableFromInline
  mutating func post(_ event: Event) {
    if observeMoreThanTicks { others.change { $0.pendingEvents.append(event) } }
  }

  mutating func takePendingEvents() -> ArraySlice<Event> {
    guard hasPendingEvents else { return [] }
    return others.change { others in
      defer { others.pendingEvents = [] }
      return others.pendingEvents[...]
    }
  }

  /// The first one behind `cursor` and up to `last` that wants to be told of the event.
  func next(
    after cursor: inout ObserverToken, through last: ObserverToken, for event: Event
  ) -> Callback? {
    if cursor.number < Self.handlerToken.number {
      cursor = Self.handlerToken
      if let handler, case .tick = event { return .handler(handler) }
    }
    guard !others.isUnused else { return nil }
    let told = cursor.number
    let next = others.value.entries.first { entry in
      told < entry.token.number && entry.token.number <= last.number
        && entry.callback.wants(event)
    }
    guard let next else { return nil }
    cursor = next.token
    return next.callback
  }
}
