/// Names an observer, to remove it.
public struct ObserverToken: Sendable, Hashable {
  let number: UInt64
}

/// How a timer tells what happened: its handler, and whoever else wants to know.
@usableFromInline
enum Callback<Owner: Sendable, Status: Sendable, Delivery: Sendable>: Sendable {
  @usableFromInline typealias Event = TimerEvent<Status, Delivery>

  case handler(@Sendable (Owner, Delivery) -> Void)
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
    case (.handler(let handler), .tick(let delivery)): handler(owner, delivery)
    case (.stateChanged(let handler), .state(let old, let new)): handler(owner, old, new)
    case (.observer(let observer), _): observer(owner, event)
    case (.stream(let stream), _):
      if case .dropped = stream.yield(event) { return true }
    default: break
    }
    return false
  }
}

/// The callbacks of a timer, in the order they were registered: that of their tokens.
@usableFromInline
struct Observers<Owner: Sendable, Status: Sendable, Delivery: Sendable>: Sendable {
  @usableFromInline typealias Callback = TimerKit.Callback<Owner, Status, Delivery>
  @usableFromInline typealias Event = TimerEvent<Status, Delivery>

  struct Entry: Sendable {
    let token: ObserverToken
    var callback: Callback
  }

  /// Most timers have one handler, which needs no array.
  private var first: Entry?
  private var rest: [Entry] = []
  private(set) var lastToken = ObserverToken(number: 0)
  /// How many want to be told more than the ticks.
  @usableFromInline var curious = 0

  @inlinable var wantMoreThanTicks: Bool { curious > 0 }

  mutating func add(_ callback: Callback) -> ObserverToken {
    lastToken = ObserverToken(number: lastToken.number + 1)
    let entry = Entry(token: lastToken, callback: callback)
    if first == nil, rest.isEmpty { first = entry } else { rest.append(entry) }
    if !callback.isHandler { curious += 1 }
    return lastToken
  }

  /// Hands the callback out, to be dropped when no mutex is held.
  mutating func remove(where isWanted: (Entry) -> Bool) -> Callback? {
    let entry: Entry
    if let candidate = first, isWanted(candidate) {
      entry = candidate
      first = rest.isEmpty ? nil : rest.removeFirst()
    } else if let index = rest.firstIndex(where: isWanted) {
      entry = rest.remove(at: index)
    } else {
      return nil
    }
    if !entry.callback.isHandler { curious -= 1 }
    return entry.callback
  }

  /// Puts a callback in the place of one of its kind, or else at the end. Hands the old one out.
  mutating func replace(
    where isWanted: (Callback) -> Bool, with callback: Callback
  ) -> Callback? {
    if let old = first, isWanted(old.callback) {
      first?.callback = callback
      return old.callback
    }
    if let index = rest.firstIndex(where: { isWanted($0.callback) }) {
      defer { rest[index].callback = callback }
      return rest[index].callback
    }
    _ = add(callback)
    return nil
  }

  mutating func removeAll() -> [Callback] {
    defer {
      first = nil
      rest = []
      curious = 0
    }
    return all
  }

  var streams: [AsyncStream<Event>.Continuation] { all.compactMap(\.stream) }

  var all: [Callback] { (first.map { [$0.callback] } ?? []) + rest.map(\.callback) }

  /// The first one behind `cursor` and up to `last` that wants to be told of the event.
  func next(
    after cursor: inout ObserverToken, through last: ObserverToken, for event: Event
  ) -> Callback? {
    let told = cursor.number
    let isNext = { (entry: Entry) in
      told < entry.token.number && entry.token.number <= last.number
        && entry.callback.wants(event)
    }
    guard let entry = first.flatMap({ isNext($0) ? $0 : nil }) ?? rest.first(where: isNext) else {
      return nil
    }
    cursor = entry.token
    return entry.callback
  }
}
