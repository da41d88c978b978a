import TimerBoard

/// The events of a session as lines for the clients that watch. It numbers them, so that a client which connects again
/// gets exactly those that it has missed, however late it is.
///
/// Lines and numbers go over to the next owner in a hand-over. Nothing is kept before the first client watches.
@MainActor
final class EventFeed {
  /// The events for the next owner; `nil` if no client has watched.
  private(set) var recent: RecentEvents?
  /// Called with the lines of new events.
  var onLines: (@MainActor ([[UInt8]]) -> Void)?

  /// - Parameter recent: The events of the previous owner.
  init(continuing recent: RecentEvents? = nil) {
    self.recent = recent
  }

  func add(_ transitions: [Transition]) {
    guard !transitions.isEmpty, recent != nil else { return }
    let now = ClockReading.now()
    let lines = transitions.map { Array((EventText($0, at: now).json() + "\n").utf8) }
    for line in lines { recent?.add(line) }
    onLines?(lines)
  }

  /// Begins to keep events, for a client that watches.
  /// - Parameter number: The number of the last event that the client has received; `nil` if it is new.
  /// - Returns: The events that the client has missed, and the number of the last one before them.
  func follow(after number: Int?) -> (last: Int, missed: ArraySlice<[UInt8]>) {
    let known = recent ?? RecentEvents()
    recent = known
    let missed = number.map(known.lines(after:)) ?? []
    return (known.last - missed.count, missed)
  }
}

/// The newest events of a session.
struct RecentEvents: Sendable {
  /// The size in bytes above which the older half is removed: about 20,000 events.
  private static let sizeLimit = 4 << 20

  /// The number of the newest event; 0 before the first one.
  private(set) var last = 0
  private var lines: [[UInt8]] = []
  private var size = 0

  init() {}

  /// Creates the events that another process has passed on.
  /// - Returns: `nil` if the number is not possible.
  init?(last: Int, text: String) {
    let end = UInt8(ascii: "\n")
    for line in text.utf8.split(separator: end) { add(Array(line) + [end]) }
    guard (lines.count...(1 << 53)).contains(last) else { return nil }
    self.last = last
  }

  /// The lines, each with its end.
  var text: String { String(decoding: lines.joined(), as: UTF8.self) }

  mutating func add(_ line: [UInt8]) {
    last += 1
    lines.append(line)
    size += line.count
    guard size > Self.sizeLimit else { return }
    let removedCount = lines.count / 2
    size -= lines.prefix(removedCount).reduce(0) { $0 + $1.count }
    lines.removeFirst(removedCount)
  }

  /// Returns the lines after an event. A number that is not known yet comes from an owner that ended without a
  /// hand-over: all events are new to that client.
  func lines(after number: Int) -> ArraySlice<[UInt8]> {
    number > last ? lines[...] : lines.suffix(last - max(0, number))
  }
}
