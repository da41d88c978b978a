package import TimerKit

/// A past fire, on the suspending clock.
package struct PastFire: Hashable, Sendable {
  package var at: TimerClock.Instant
  /// The lateness in nanoseconds; negative for a fire that was not scheduled.
  var latenessNanoseconds: Int64
  /// The number of missed fires that were merged into this one, one period apart.
  package var missed: Int
  /// The period in nanoseconds; 0 if there is none.
  package var periodNanoseconds: Int64

  package var lateness: Duration? {
    latenessNanoseconds < 0 ? nil : .nanoseconds(latenessNanoseconds)
  }
}

/// The recent fires of a timer, and the times in which it ran or did not run.
///
/// They take at most ``byteLimit`` bytes, after some hundred fires: that is the memory of a timer on a board that has run
/// for long, beside two kilobytes for the rest. An undo step has a copy (``UndoHistory``).
package struct RecentActivity: Hashable, Sendable {
  package enum Activity: Hashable, Sendable {
    case notRunning, running
    /// A cycle runs in the phase with an index.
    case phase(Int)
  }

  /// A time with the same activity. It lasts until the next one starts.
  package struct Span: Hashable, Sendable {
    package var start: TimerClock.Instant
    package var activity: Activity

    package init(start: TimerClock.Instant, activity: Activity) {
      (self.start, self.activity) = (start, activity)
    }
  }

  package private(set) var fires = BoundedList<PastFire>(limit: 256)
  package private(set) var spans = BoundedList<Span>(limit: 128)

  /// The maximum size of the memory of both lists in bytes.
  static let byteLimit = 20 << 10
  /// The size of the memory of both lists in bytes.
  var byteCount: Int { fires.byteCount + spans.byteCount }

  /// A Boolean value that indicates whether nothing has been recorded but the beginning.
  var isEmpty: Bool { fires.elements.isEmpty && spans.elements.count < 2 }

  mutating func add(_ fire: PastFire) { fires.append(fire) }

  /// Records the activity of a timer from an instant on.
  mutating func record(_ activity: Activity, from now: TimerClock.Instant) {
    guard activity != spans.elements.last?.activity else { return }
    spans.append(Span(start: now, activity: activity))
  }
}

/// A list that keeps only the newest elements. Older ones are removed in batches, so that appending is
/// amortized O(1); its memory has room for an eighth more than its limit.
package struct BoundedList<Element: Hashable & Sendable>: Hashable, Sendable {
  package let limit: Int
  private var stored: [Element] = []

  init(limit: Int) {
    self.limit = limit
  }

  /// The elements, the newest last.
  package var elements: ArraySlice<Element> { stored.suffix(limit) }

  /// The size of its memory in bytes.
  var byteCount: Int { stored.capacity * MemoryLayout<Element>.stride }

  mutating func append(_ element: Element) {
    let room = limit + limit / 8
    if stored.count >= room { stored.removeFirst(stored.count - limit + 1) }
    // An array that grows by itself doubles its memory.
    if stored.count == stored.capacity, stored.count * 2 > room { stored.reserveCapacity(room) }
    stored.append(element)
  }
}
