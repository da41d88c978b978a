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
  }

  package private(set) var fires = BoundedList<PastFire>(limit: 256)
  package private(set) var spans = BoundedList<Span>(limit: 128)

  mutating func add(_ fire: PastFire) { fires.append(fire) }

  /// Records the activity of a timer from an instant on.
  mutating func record(_ activity: Activity, from now: TimerClock.Instant) {
    guard activity != spans.elements.last?.activity else { return }
    spans.append(Span(start: now, activity: activity))
  }
}

/// A list that keeps only the newest elements. Older ones are removed in batches, so that appending is
/// amortized O(1).
package struct BoundedList<Element: Hashable & Sendable>: Hashable, Sendable {
  package let limit: Int
  private var stored: [Element] = []

  init(limit: Int) {
    self.limit = limit
  }

  /// The elements, the newest last.
  package var elements: ArraySlice<Element> { stored.suffix(limit) }

  mutating func append(_ element: Element) {
    if stored.count >= limit + limit / 2 { stored.removeFirst(stored.count - limit + 1) }
    stored.append(element)
  }
}
