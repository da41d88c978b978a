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
  /// - Parameter position: The last event that the client has received; `nil` if it is new.
  /// - Returns: The events that the client has missed, and the last one before them.
  func follow(after position: EventPosition?) -> (last: EventPosition, missed: ArraySlice<[UInt8]>)
  {
    let known = recent ?? RecentEvents()
    recent = known
    let missed = position.map(known.lines(after:)) ?? []
    return (EventPosition(feed: known.feed, number: known.last - missed.count), missed)
  }
}

/// The position of an event: its number, and the feed that counts it.
///
/// A feed goes over from owner to owner. An owner that has opened the session without a hand-over begins another one, whose
/// numbers say nothing about those of the first.
struct EventPosition: Hashable, Sendable, CustomStringConvertible {
  /// `nil` for a number from a version that names no feed.
  var feed: String?
  var number: Int

  init(feed: String?, number: Int) {
    self.feed = feed
    self.number = number
  }

  /// Reads the value of a request: `FEED:NUMBER`, or only the number.
  init?(_ text: String) {
    let words = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...2).contains(words.count), let number = words.last.flatMap({ Int($0) }) else {
      return nil
    }
    self.init(feed: words.count == 2 ? String(words[0]) : nil, number: number)
  }

  var description: String { (feed.map { "\($0):" } ?? "") + "\(number)" }
}

/// The newest events of a session.
struct RecentEvents: Sendable {
  /// The size in bytes above which the older half is removed: about 20,000 events.
  private static let sizeLimit = 4 << 20

  /// The name of the feed, which differs from that of any other.
  let feed: String
  /// The number of the newest event; 0 before the first one.
  private(set) var last = 0
  private var lines: [[UInt8]] = []
  private var size = 0

  /// Creates the beginning of a feed.
  init() {
    feed = String(UInt64.random(in: 0...(.max)), radix: 36)
  }

  /// Creates the events that another process has passed on.
  /// - Parameter feed: The name of the feed; `nil` for another one.
  /// - Returns: `nil` if the number is not possible.
  init?(feed: String?, last: Int, text: String) {
    self.feed = feed ?? RecentEvents().feed
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

  /// Returns the lines after an event. All are new to a client that has received events of another feed only, or a number
  /// that no event has yet.
  func lines(after position: EventPosition) -> ArraySlice<[UInt8]> {
    let number = position.number
    guard position.feed ?? feed == feed, number <= last else { return lines[...] }
    return lines.suffix(last - max(0, number))
  }
}
