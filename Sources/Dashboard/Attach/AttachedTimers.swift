import TimerBoard
import TimerKit

/// The timers of another process, of which one page is here: the process filters and sorts them. There is at most one
/// request without a reply.
struct AttachedTimers: Sendable {
  /// A part of the list of all timers.
  struct PageRequest: Hashable, Sendable {
    var offset, count: Int
    var order: RowOrder
    var filter: String

    /// Returns true if the other page has all that this one shows.
    func isServed(by other: PageRequest) -> Bool {
      offset == other.offset && count <= other.count && order == other.order
        && filter == other.filter
    }

    fileprivate var line: String {
      let name = AttachedTimers.sortColumns.first { $0.column == order.column }?.name ?? "name"
      return "page\t\(offset)\t\(count)\t\(name)\t\(order.isReversed ? 1 : 0)\t\(filter)\n"
    }
  }

  private enum Asked: Sendable {
    case page(PageRequest)
    /// A control, with the result of its success; `nil` for one that another follows.
    case control(result: String?)
  }

  /// The sort columns with their names in the protocol, in the order in which "cycle sort column" selects them.
  static let sortColumns: [(column: TableColumns.Column, name: String)] = [
    (.late, "lateness"), (.name, "name"), (.time, "deadline"), (.state, "state"),
  ]
  /// The number of timers in a page at most.
  static let pageLimit = 200

  let process: AttachedProcess
  /// The keys of the own board, for the answer to those without a meaning here.
  let keysOfBoard: Bindings
  private(set) var page: AttachedPage?
  /// The instant at which the page came.
  private(set) var pageTime: ClockReading?
  private(set) var shown: PageRequest?
  /// The fires and the wake-ups in a second, and the page from which they are counted.
  private(set) var rates: (fired: Double, wakeUps: Double)?
  private var rateBase: (page: AttachedPage, at: TimerClock.Instant)?
  private(set) var histogram = LatenessHistogram()
  private var asked: (at: TimerClock.Instant, Asked)?
  private var controls: [(line: String, result: String?)] = []
  private var isOutdated = true
  /// The reason for which there is no connection any more.
  private(set) var endReason: String?

  init(of process: AttachedProcess, keysOfBoard: Bindings) {
    (self.process, self.keysOfBoard) = (process, keysOfBoard)
  }

  var hasEnded: Bool { endReason != nil }
  var matchCount: Int { Int(min(page?.matching ?? 0, 1 << 40)) }
  var listedCount: Int { Int(min(page?.listed ?? 0, 1 << 40)) }

  /// The positions of the timers of the page among all that match.
  var positions: Range<Int> {
    let offset = shown?.offset ?? 0
    return offset..<offset + (page?.timers.count ?? 0)
  }

  func timer(at position: Int) -> AttachedTimer? {
    positions.contains(position) ? page?.timers[position - positions.lowerBound] : nil
  }

  func position(of id: TimerID) -> Int? {
    page?.timers.firstIndex { $0.timerID == id }.map { positions.lowerBound + $0 }
  }
}

// MARK: Requests

extension AttachedTimers {
  mutating func nextRequest(for wanted: PageRequest, at now: TimerClock.Instant) -> String? {
    guard asked == nil, !hasEnded else { return nil }
    if !controls.isEmpty {
      let control = controls.removeFirst()
      asked = (now, .control(result: control.result))
      return control.line
    }
    let isServed = !isOutdated && shown.map { wanted.isServed(by: $0) } ?? false
    guard !isServed || nextPage.map({ $0 <= now }) ?? false else { return nil }
    (isOutdated, asked) = (false, (now, .page(wanted)))
    return wanted.line
  }

  /// The instant of the next request; `nil` while a reply is awaited.
  private var nextPage: TimerClock.Instant? {
    asked == nil && !hasEnded ? pageTime?.suspending.advanced(by: .seconds(1)) : nil
  }

  /// Returns the instant at which the next request is due, or an overdue reply is reported.
  func nextChange(at now: ClockReading) -> TimerClock.Instant? {
    nextPage.earlier(or: asked.map { _ in now.suspending.advanced(by: .seconds(1)) })
  }

  /// Returns the end of the connection, or that a reply is overdue.
  func notice(at now: ClockReading) -> Notice? {
    if let endReason { return .failure("\(endReason); q closes its last page") }
    let waited = asked.map { $0.at.duration(to: now.suspending).components.seconds } ?? 0
    return waited > 2 ? .failure("no reply for \(waited) s; the process may be suspended") : nil
  }

  /// Requests controls of a timer, one after the other.
  mutating func control(_ timer: AttachedTimer, _ actions: [String], result: String) {
    for (index, action) in actions.enumerated() {
      let isLast = index + 1 == actions.count
      controls.append(("control\t\(timer.id)\t\(action)\n", isLast ? result : nil))
    }
    isOutdated = true
  }

  /// - Returns: The page that was requested, if that is the reply, and what the user reads.
  mutating func receive(
    _ reply: AttachReply, at now: ClockReading
  ) -> (page: AttachedPage?, notice: Notice?) {
    let asked = self.asked?.1
    self.asked = nil
    switch (reply, asked) {
    case (.page(var page), .page(let request)?):
      page.sort(by: request.order)
      countRates(page, at: now)
      histogram.add(page, after: self.page)
      (self.page, pageTime, shown) = (page, now, request)
      return (page, nil)
    case (.done, .control(let result)?): return (nil, result.map { .success($0) })
    case (.refused(let reason), .control(let result)?):
      // Without its first part, the second one has another meaning.
      if result == nil, !controls.isEmpty { controls.removeFirst() }
      return (nil, .failure("refused: \(reason)"))
    case (.refused(let reason), _): end("the process sent an error: \(reason)")
    default: end("the process \(AttachError())")
    }
    return (nil, nil)
  }

  mutating func end(_ reason: String) { (endReason, asked) = (reason, nil) }

  private mutating func countRates(_ page: AttachedPage, at now: ClockReading) {
    let base = rateBase ?? (page, now.suspending)
    let seconds = base.at.duration(to: now.suspending) / .seconds(1)
    // Pages that keys request are too close to each other.
    if seconds >= 0.5 {
      let fired = max(page.fired, base.page.fired) - base.page.fired
      let wakeUps = max(page.wakeUps, base.page.wakeUps) - base.page.wakeUps
      rates = (Double(fired) / seconds, Double(wakeUps) / seconds)
    }
    if seconds >= 0.5 || rateBase == nil { rateBase = (page, now.suspending) }
  }
}

extension AttachedPage {
  /// Sorts the timers by the values that they show: the process has sorted them by earlier ones.
  fileprivate mutating func sort(by order: RowOrder) {
    func isBefore(_ left: AttachedTimer, _ right: AttachedTimer) -> Bool {
      switch order.column {
      case .late: left.late ?? -1 < right.late ?? -1
      case .time: left.left ?? .max < right.left ?? .max
      case .state: left.stateName < right.stateName
      default: left.name.naturalOrderKey < right.name.naturalOrderKey
      }
    }
    // The sort is stable, so that equal timers keep the order of the process.
    timers.sort { order.isReversed ? isBefore($1, $0) : isBefore($0, $1) }
  }
}

/// The lateness of the fires that the pages have shown, in powers of ten.
struct LatenessHistogram: Hashable, Sendable {
  /// The limits of the buckets in nanoseconds; the last bucket has none.
  private static let limits: [Int64] = [100_000, 1_000_000, 10_000_000, 100_000_000]

  /// The numbers of fires up to 0.1, 1, 10 and 100 ms late, and later.
  private(set) var counts = [Int](repeating: 0, count: limits.count + 1)

  /// Adds the fires since the page before. Of several fires of a timer, only the last is known.
  mutating func add(_ page: AttachedPage, after last: AttachedPage?) {
    let before = Dictionary(
      (last?.timers ?? []).map { ($0.id, $0.fired) }, uniquingKeysWith: { $1 })
    for timer in page.timers {
      guard let late = timer.late, timer.fired > before[timer.id] ?? 0 else { continue }
      let bucket = Self.limits.firstIndex { late <= $0 } ?? Self.limits.count
      counts[bucket] = counts[bucket].addingReportingOverflow(1).partialValue
    }
  }

  /// Returns a bar for each bucket, relative to the largest: `█▄▂··`; `nil` before the first fire.
  func text(_ symbols: Symbols) -> String? {
    guard let most = counts.max(), most > 0 else { return nil }
    return counts.map { count in
      let steps = symbols.heat.count - 1
      let level =
        count == 0 ? 0 : max(1, Int((Double(count) / Double(most) * Double(steps)).rounded(.up)))
      return symbols.heat[min(steps, level)]
    }.joined()
  }
}
