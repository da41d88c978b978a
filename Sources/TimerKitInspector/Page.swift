import Synchronization
import TimerKit
import UnixSockets

/// All timers of the process: those that a driver has a slot for, then the others with a label.
struct AllTimers {
  /// A timer with its place: the number of its driver, or -1 for an entry of the table of labels, and the slot.
  typealias Listed = (source: Int, slot: InspectedSlot, label: TimerLabel?)

  /// A driver, which is not kept alive between two pages, because it keeps its queue alive.
  private struct Source {
    weak var driver: AlarmDriver?
  }

  private let drivers = Inspection.allDrivers.map(Source.init)

  /// Passes each timer to `body`, until that returns false. No mutex is locked then, and a timer is referenced only while its
  /// chunk is read.
  func visit(_ body: (Listed) -> Bool) {
    TimerInspector.labels.withLock { $0?.scan += 1 }
    for source in drivers.indices + [-1] {
      var start = 0
      while let chunk = timers(source, start..<start + 512, leavesOutListed: true) {
        for timer in chunk where !body(timer) { return }
        start += 512
      }
    }
  }

  /// Returns the timers in a range of slots; `nil` if there is no such slot.
  /// - Parameter leavesOutListed: true to leave out the timers with a label that a driver had in the current scan.
  func timers(
    _ source: Int, _ range: Range<Int>, leavesOutListed: Bool = false
  ) -> [Listed]? {
    guard source >= 0 else {
      return TimerInspector.labels.withLock { $0?.timers(range, leavesOutListed: leavesOutListed) }
    }
    guard let slots = drivers[source].driver?.inspect(range) else { return nil }
    return TimerInspector.labels.withLock { labels in
      slots.map { (source, $0, labels?.label(of: $0.timer)) }
    }
  }

  /// Returns the timer with a number.
  func first(_ number: UInt64) -> (any InspectableTimer)? {
    var found: (any InspectableTimer)?
    visit { listed in
      let timer = listed.slot.timer
      if timer.describe().number ?? listed.label?.number == number { found = timer }
      return found == nil
    }
    return found
  }
}

/// The timers in an order, as far as they have been requested.
struct Scan {
  fileprivate var keys: [Page.Key] = []
  fileprivate var (listed, matching, pending) = (0, 0, 0)
  fileprivate let timers = AllTimers()
  fileprivate let request: [String]
  fileprivate let limit: Int
  private let start = TimerClock.suspending.now
  private var cost = Duration.zero

  init(_ page: Page) {
    let began = processorTime()
    request = page.request
    // Further pages need no scan of their own.
    limit = page.range.upperBound + 1024
    // The last key so far.
    var last: Page.Key?
    timers.visit { timer in
      listed += 1
      pending += timer.slot.isArmed ? 1 : 0
      guard page.isMatch(timer) else { return true }
      matching += 1
      let key = page.key(of: timer)
      if let last, !page.precedes(key, last) { return true }
      keys.append(key)
      if keys.count == 2 * limit { last = sort(page) }
      return true
    }
    _ = sort(page)
    cost = processorTime() - began
  }

  /// Sorts the keys, and removes those after the limit.
  /// - Returns: the last one.
  private mutating func sort(_ page: Page) -> Page.Key? {
    keys.sort(by: page.precedes)
    keys.removeLast(max(0, keys.count - limit))
    return keys.last
  }

  /// Returns true if the scan has what a page shows, and another one would cost more than a fiftieth of the time.
  func serves(_ page: Page) -> Bool {
    page.request == request && page.range.upperBound <= limit
      && start.duration(to: TimerClock.suspending.now) < cost * 50 - .seconds(1)
  }
}

/// The processor time of this thread. Elapsed time would also count what other threads and processes do meanwhile.
private func processorTime() -> Duration {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

/// A request for a part of the list of all timers.
struct Page {
  private enum Order: String {
    case name, deadline, state, lateness
  }

  /// The values by which a timer is ordered, and its place.
  fileprivate struct Key {
    let order: (name: String, value: Int64)
    let place: (source: Int32, slot: UInt32)
  }

  fileprivate let range: Range<Int>
  /// The order, whether it is reversed, and the filter.
  fileprivate let request: [String]
  private let order: Order
  private let isReversed: Bool
  private let filter: [UInt8]

  /// The number of timers that can be shown.
  private static let limit: Int64 = 100_000

  /// - Parameter fields: those of the request.
  init?(_ fields: [String]) {
    guard let offset = Int64(fields[1]), let count = Int64(fields[2]), offset >= 0,
      (0...200).contains(count), let order = Order(rawValue: fields[3]),
      ["0", "1"].contains(fields[4])
    else { return nil }
    let start = min(offset, Self.limit)
    range = Int(start)..<Int(min(start + count, Self.limit))
    request = Array(fields[3...])
    (self.order, isReversed) = (order, fields[4] == "1")
    filter = fields[5].utf8.map(Self.lowercase)
  }

  /// The lines of the reply. A timer that has ended since the scan is left out.
  func lines(of scan: Scan) -> [String] {
    let shown = scan.keys.prefix(range.upperBound).dropFirst(range.lowerBound).compactMap { key in
      let slot = Int(key.place.slot)
      return scan.timers.timers(Int(key.place.source), slot..<slot + 1)?.first
    }
    let fires = Inspection.fireCounts
    let totals = [
      "totals", text(scan.listed), text(scan.matching), text(scan.pending), text(fires.count),
      text(fires.late99), text(Inspection.wakeUpCount.load(ordering: .relaxed)),
    ]
    return [totals.joined(separator: "\t")] + shown.map(line)
  }

  fileprivate func isMatch(_ timer: AllTimers.Listed) -> Bool {
    filter.isEmpty || isPart(of: timer.label?.text ?? "") || isPart(of: timer.slot.timer.kindName)
  }

  /// Returns true if the filter is a part of a text, without regard to the case of ASCII letters.
  private func isPart(of text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      bytes.indices.dropLast(filter.count - 1).contains { start in
        bytes[start...].starts(with: filter) { Self.lowercase($0) == $1 }
      }
    }
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  fileprivate func key(of listed: AllTimers.Listed) -> Key {
    let timer = listed.slot.timer
    let order: (String, Int64) =
      switch self.order {
      case .name: (listed.label?.text ?? timer.kindName, 0)
      case .deadline: ("", timer.describe().timeLeft ?? .max)
      case .state: (timer.describe().state, 0)
      case .lateness: ("", timer.describe().lateness ?? -1)
      }
    return Key(order: order, place: (Int32(listed.source), UInt32(listed.slot.slot)))
  }

  fileprivate func precedes(_ left: Key, _ right: Key) -> Bool {
    let (first, second) = isReversed ? (right, left) : (left, right)
    if first.order.value != second.order.value { return first.order.value < second.order.value }
    return first.order.name != second.order.name
      ? Self.precedesNaturally(first.order.name.utf8, second.order.name.utf8)
      : left.place < right.place
  }

  /// Returns true if a name comes before another one in natural order: `t2` before `t10`.
  private static func precedesNaturally(
    _ left: String.UTF8View, _ right: String.UTF8View
  ) -> Bool {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    var (left, right) = (left[...], right[...])
    while let first = left.first, let second = right.first {
      if digits.contains(first), digits.contains(second) {
        let numbers = (left.prefix(while: digits.contains), right.prefix(while: digits.contains))
        let values = (
          numbers.0.drop { $0 == digits.lowerBound }, numbers.1.drop { $0 == digits.lowerBound }
        )
        let counts = (values.0.count, values.1.count)
        if counts.0 != counts.1 { return counts.0 < counts.1 }
        if !values.0.elementsEqual(values.1) { return values.0.lexicographicallyPrecedes(values.1) }
        (left, right) = (left.dropFirst(numbers.0.count), right.dropFirst(numbers.1.count))
      } else {
        if first != second { return first < second }
        (left, right) = (left.dropFirst(), right.dropFirst())
      }
    }
    return left.isEmpty && !right.isEmpty
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
