import TimerKit

/// The wake-ups of timers, by identifier and by time.
///
/// Each clock has an index of its own. What is due on any of them moves to a heap, in the order of delivery.
struct WakeUps: Sendable {
  private struct Entry {
    var range: ClosedRange<TimerClock.Instant>
    /// A Boolean value that indicates whether the user does not wait for the timer: an endless interval, or one that was
    /// triggered.
    var isBackground: Bool
    /// A Boolean value that indicates whether it is the wake-up of a fire, and not only the end of a throttle's interval.
    var hasDeadline: Bool
  }

  /// A timer that is due. The one that is overdue for longest comes first, of several the one with the lower number.
  private struct Due {
    let id: TimerID
    let instant: TimerClock.Instant
    /// The instant on the suspending clock, when it was found to be due.
    let order: TimerClock.Instant

    func precedes(_ other: Due) -> Bool {
      order == other.order ? id.rawValue < other.id.rawValue : order < other.order
    }
  }

  private var entries: [TimerID: Entry] = [:]
  private var indices = TimerClock.Kind.allCases.map { WakeUpIndex<TimerID>(clock: TimerClock($0)) }
  /// A binary heap of what is due. An element is outdated if its timer has another wake-up by now.
  private var due: [Due] = []

  private func index(of clock: TimerClock.Kind) -> Int {
    TimerClock.Kind.allCases.firstIndex(of: clock) ?? 0
  }

  /// - Complexity: O(log n) in the number of timers.
  mutating func update(_ timer: BoardTimer) {
    let machine = timer.machine
    guard let range = machine.wakeUp else { return remove(timer.id) }
    let clock = range.lowerBound.clockKind
    if let before = entries[timer.id]?.range.lowerBound.clockKind, before != clock {
      indices[index(of: before)].set(nil, for: timer.id)
    }
    entries[timer.id] = Entry(
      range: range, isBackground: timer.isBackground, hasDeadline: machine.deadline != nil)
    indices[index(of: clock)].set(range, for: timer.id)
  }

  mutating func remove(_ id: TimerID) {
    guard let entry = entries.removeValue(forKey: id) else { return }
    indices[index(of: entry.range.lowerBound.clockKind)].set(nil, for: id)
  }

  /// Takes the timer that is overdue for longest; `nil` if none is due. It is due no more until its next update.
  /// - Complexity: O(log n) in the number of timers.
  mutating func takeMostOverdue(at now: ClockReading) -> TimerID? {
    for clock in indices.indices {
      let reading = now[TimerClock.Kind.allCases[clock]]
      while let id = indices[clock].popFirst(through: reading) {
        guard let instant = entries[id]?.range.lowerBound else { continue }
        push(Due(id: id, instant: instant, order: now.onSuspendingClock(instant)))
      }
    }
    while let first = popDue() {
      // A clock can have been set back since.
      guard isCurrent(first), now.duration(to: first.instant) <= .zero else {
        restore(first)
        continue
      }
      return first.id
    }
    return nil
  }

  func isDue(at now: ClockReading) -> Bool {
    due.contains { isCurrent($0) && now.duration(to: $0.instant) <= .zero }
      || indices.contains { index in
        index.wakeUp.map { now.duration(to: $0.lowerBound) <= .zero } ?? false
      }
  }

  func range(on clock: TimerClock.Kind) -> ClosedRange<TimerClock.Instant>? {
    let overdue = due.filter { $0.instant.clockKind == clock && isCurrent($0) }.map(\.instant).min()
    let index = indices[index(of: clock)].wakeUp
    return overdue.map { $0...$0 } ?? index
  }

  /// - Complexity: O(n) in the number of timers.
  func next(at now: ClockReading) -> TimerID? {
    var first: (id: TimerID, isBackground: Bool, left: Duration)?
    for (id, entry) in entries where entry.hasDeadline {
      let left = now.duration(to: entry.range.lowerBound)
      if let first {
        if entry.isBackground != first.isBackground {
          if entry.isBackground { continue }
        } else if (left, id.rawValue) >= (first.left, first.id.rawValue) {
          continue
        }
      }
      first = (id, entry.isBackground, left)
    }
    return first?.id
  }

  /// - Complexity: O(n) in the number of timers.
  func contains(from now: ClockReading) -> Bool {
    entries.values.contains { $0.hasDeadline && now.duration(to: $0.range.lowerBound) >= .zero }
  }

  // MARK: The heap

  /// Returns true if the timer is still due then. Its index has it no more.
  private func isCurrent(_ due: Due) -> Bool {
    guard let instant = entries[due.id]?.range.lowerBound, instant == due.instant else {
      return false
    }
    return indices[index(of: instant.clockKind)][due.id] == nil
  }

  /// Puts a timer that is not due any more back.
  private mutating func restore(_ due: Due) {
    guard isCurrent(due), let range = entries[due.id]?.range else { return }
    indices[index(of: range.lowerBound.clockKind)].set(range, for: due.id)
  }

  private mutating func push(_ new: Due) {
    due.append(new)
    var child = due.count - 1
    while child > 0, due[child].precedes(due[(child - 1) / 2]) {
      due.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private mutating func popDue() -> Due? {
    guard let first = due.first else { return nil }
    due.swapAt(0, due.count - 1)
    due.removeLast()
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < due.count else { return first }
      if child + 1 < due.count, due[child + 1].precedes(due[child]) { child += 1 }
      guard due[child].precedes(due[parent]) else { return first }
      due.swapAt(child, parent)
      parent = child
    }
  }
}
