import TimerKit

/// The label of a timer, and the place of the call that gave it.
final class TimerLabel: Sendable {
  let text: String
  let place: String
  /// The number of a timer that has none itself.
  let number = Inspection.nextNumber()

  init(_ text: String, _ place: String) {
    (self.text, self.place) = (text, place)
  }
}

/// The labels of the timers, which it references weakly. Methods return the timers that they have found, and the caller
/// releases them after the mutex has been unlocked, because that can run any code.
struct LabelTable {
  private struct Entry {
    weak var timer: (any InspectableTimer)?
    let label: TimerLabel
    /// The number of the newest scan in which a driver had the timer.
    var scan = -1

    /// Returns the timer. Mutating, because a nonmutating read copies the weak reference.
    mutating func load() -> (any InspectableTimer)? { timer }
  }

  private var entries: [Entry] = []
  private var indices: [ObjectIdentifier: Int] = [:]
  /// The number of the current scan of all timers.
  var scan = 0
  /// The number of entries at which those of timers that no longer exist are removed.
  private var limit = 64

  mutating func add(_ label: TimerLabel, to timer: any InspectableTimer) -> [any InspectableTimer] {
    var found: [any InspectableTimer] = []
    if entries.count >= limit {
      let old = entries
      self = LabelTable()
      for entry in old {
        guard let timer = entry.timer else { continue }
        set(entry.label, of: timer)
        found.append(timer)
      }
      limit = max(limit, 2 * entries.count)
    }
    set(label, of: timer)
    return found
  }

  private mutating func set(_ label: TimerLabel, of timer: any InspectableTimer) {
    let index = indices.updateValue(entries.count, forKey: ObjectIdentifier(timer))
    // The entry of an earlier label, or of a timer that had the same address.
    if let index { entries[index].timer = nil }
    entries.append(Entry(timer: timer, label: label))
  }

  /// Returns the label of a driver's timer, which counts as listed in this scan.
  mutating func label(of timer: any InspectableTimer) -> TimerLabel? {
    guard let index = indices[ObjectIdentifier(timer)], entries[index].load() === timer else {
      return nil
    }
    entries[index].scan = scan
    return entries[index].label
  }

  /// The timers in a range of entries; `nil` if there is no such entry.
  mutating func timers(_ range: Range<Int>, leavesOutListed: Bool) -> [AllTimers.Listed]? {
    guard range.lowerBound < entries.count else { return nil }
    return range.clamped(to: 0..<entries.count).compactMap { index in
      guard !leavesOutListed || entries[index].scan != scan else { return nil }
      return entries[index].load().map { (-1, (index, $0, false), entries[index].label) }
    }
  }
}

/// Returns at most 200 bytes of a text, with a replacement character for each control character.
func cleaned(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    let shown = scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar
    guard result.utf8.count + UTF8.width(shown) <= 200 else { break }
    result.unicodeScalars.append(shown)
  }
  return result
}
