import Synchronization
import TimerKit

/// All timers of the process: first those with a label, then the others that a driver has a slot for.
struct AllTimers {
  /// A timer with its place: the driver, or the one before the first for those with a label, and the slot.
  typealias Listed = (source: Int, slot: InspectedSlot, label: TimerLabel?)

  private let drivers = Inspection.allDrivers

  /// Passes each timer to `body`. No mutex is locked then, and a timer is referenced only while its chunk is read.
  func visit(_ body: (Listed) -> Void) {
    for source in -1..<drivers.count {
      var start = 0
      while let chunk = timers(source, start..<start + 512) {
        for timer in chunk { body(timer) }
        start += 512
      }
    }
  }

  /// Returns the timers in a range of slots; `nil` if there is no such slot.
  func timers(_ source: Int, _ range: Range<Int>) -> [Listed]? {
    if source < 0 { return TimerInspector.labels.withLock { $0?.timers(range) } }
    let slots = drivers[source].inspect(range)
    return TimerInspector.labels.withLock { labels in
      slots?.compactMap { labels?.has($0.timer) == true ? nil : (source, $0, nil) }
    }
  }

  /// Returns the timer with a number.
  func first(_ number: UInt64) -> (any InspectableTimer)? {
    var found: (any InspectableTimer)?
    visit { listed in
      let timer = listed.slot.timer
      if timer.describe().number ?? listed.label?.number == number { found = timer }
    }
    return found
  }
}

/// A request for a part of the list of all timers.
struct Page {
  private enum Order: String {
    case name, deadline, state, lateness
  }

  /// The values by which a timer is ordered, and its place.
  private struct Key {
    let order: (name: String, value: Int64)
    let place: (source: Int32, slot: UInt32)
  }

  private let range: Range<Int>
  private let order: Order
  private let isReversed: Bool
  private let filter: String
  private let timers = AllTimers()

  /// The number of timers that can be shown. At most a quarter more keys are stored.
  private static let limit: Int64 = 100_000

  /// - Parameter fields: those of the request.
  init?(_ fields: [String]) {
    guard let offset = Int64(fields[1]), let count = Int64(fields[2]), offset >= 0,
      (0...200).contains(count), let order = Order(rawValue: fields[3]),
      ["0", "1"].contains(fields[4])
    else { return nil }
    let start = min(offset, Self.limit)
    range = Int(start)..<Int(min(start + count, Self.limit))
    (self.order, isReversed, filter) = (order, fields[4] == "1", fields[5].lowercased())
  }

  /// The lines of the reply. A timer that ends meanwhile is left out.
  var lines: [String] {
    var (listedCount, matchingCount, pendingCount) = (0, 0, 0)
    var keys: [Key] = []
    /// The last key of the page, as far as the timers have been visited.
    var last: Key?
    timers.visit { listed in
      listedCount += 1
      pendingCount += listed.slot.timer.timerDeadline == nil ? 0 : 1
      guard matches(listed.slot.timer.kindName) || matches(listed.label?.text ?? "") else { return }
      matchingCount += 1
      if range.isEmpty { return }
      let place = (Int32(listed.source), UInt32(listed.slot.slot))
      let key = Key(order: values(of: listed), place: place)
      if let last, !precedes(key, last) { return }
      keys.append(key)
      if keys.count > range.upperBound + max(1024, range.upperBound / 4) { last = trim(&keys) }
    }
    _ = trim(&keys)
    let shown = keys.dropFirst(range.lowerBound).compactMap { key in
      let slot = Int(key.place.slot)
      return timers.timers(Int(key.place.source), slot..<slot + 1)?.first
    }
    let fires = Inspection.fireCounts
    let totals = [
      "totals", text(listedCount), text(matchingCount), text(pendingCount), text(fires.count),
      text(fires.late99), text(Inspection.wakeUpCount.load(ordering: .relaxed)),
    ]
    return [totals.joined(separator: "\t")] + shown.map(line)
  }

  private func matches(_ text: String) -> Bool {
    filter.isEmpty || text.lowercased().utf8.contains(filter.utf8)
  }

  private func values(of listed: AllTimers.Listed) -> (String, Int64) {
    switch order {
    case .name: (listed.label?.text ?? listed.slot.timer.kindName, 0)
    case .deadline: ("", listed.slot.timer.describe().timeLeft ?? .max)
    case .state: (listed.slot.timer.describe().state, 0)
    case .lateness: ("", listed.slot.timer.describe().lateness ?? -1)
    }
  }

  private func precedes(_ left: Key, _ right: Key) -> Bool {
    let (first, second) = isReversed ? (right, left) : (left, right)
    return first.order != second.order ? first.order < second.order : left.place < right.place
  }

  /// Sorts the keys, and removes those after the end of the page.
  /// - Returns: the last one.
  private func trim(_ keys: inout [Key]) -> Key? {
    keys.sort(by: precedes)
    keys.removeLast(max(0, keys.count - range.upperBound))
    return keys.last
  }

  private func line(_ listed: AllTimers.Listed) -> String {
    let (timer, label) = (listed.slot.timer, listed.label)
    let state = timer.describe()
    return [
      "timer", text(state.number ?? label?.number), timer.kindName, label?.text ?? "", state.state,
      text(state.remaining), text(state.iterations), text(state.interval), text(state.timeLeft),
      text(state.lateness), text(state.firedCount), text(state.missedCount),
      text(state.staleCount), cleaned(state.queue), label?.place ?? "",
    ].joined(separator: "\t")
  }

  private func text(_ number: (some BinaryInteger)?) -> String { number.map { "\($0)" } ?? "" }
}
