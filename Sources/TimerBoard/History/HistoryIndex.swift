import TimerKit

/// The history of a year, ready to be shown.
package struct HistoryIndex: Sendable {
  /// The maximum number of days, which bounds the memory of a view.
  package static let dayLimit = 372

  /// A stretch as the history view shows it.
  package struct Stretch: Hashable, Sendable {
    package var id: UInt64
    /// The index of the name in ``names``.
    package var nameIndex: Int32
    /// The day on which the stretch began.
    package var day: CivilDate
    /// The local times of start and end, in milliseconds since midnight of `day`.
    package var startInDay: Int64
    package var endInDay: Int64
    /// The time without pauses, in milliseconds.
    package var activeTime: Int64
    package var interruptions: Int32
    package var ending: StretchRecord.Ending
  }

  /// A part of a stretch: its time on one day.
  private struct Part: Hashable, Sendable {
    var day: CivilDate
    var stretchID: UInt64
    var nameIndex: Int32
    var activeTime: Int64
  }

  /// The timers with their phases: `pomodoro work`.
  package private(set) var names: [String] = []
  private var indices: [String: Int32] = [:]
  /// The stretches by the day on which they began.
  private var stretches: [CivilDate: [Stretch]] = [:]
  private var parts: [Part] = []
  private var known: Set<UInt64> = []
  /// The first day that is shown.
  package let firstDay: CivilDate

  /// - Parameter today: The last day that is shown.
  package init(today: CivilDate) {
    firstDay = today.advanced(by: -Self.dayLimit)
  }

  package mutating func add(_ record: StretchRecord, calendar: inout LocalCalendar) {
    let segment = calendar.segment(at: record.start)
    guard known.insert(record.id).inserted else { return }
    let nameIndex = index(of: record.title)
    let midnight = Int64(segment.day.day) * 86_400_000
    let end = calendar.segment(at: record.end)
    if segment.day >= firstDay {
      stretches[segment.day, default: []].append(
        Stretch(
          id: record.id, nameIndex: nameIndex, day: segment.day,
          startInDay: record.start + segment.offset - midnight,
          endInDay: record.end + end.offset - midnight, activeTime: record.activeTime,
          interruptions: Int32(clamping: record.interruptions), ending: record.ending))
    }
    let firstDay = firstDay
    record.forEachActivePart { part in
      calendar.split(part) { day, time in
        guard day >= firstDay else { return }
        parts.append(Part(day: day, stretchID: record.id, nameIndex: nameIndex, activeTime: time))
      }
    }
  }

  /// Adds lines that were written after the index was made, in time linear in the lines and the index.
  package mutating func apply(_ lines: [HistoryLine], calendar: inout LocalCalendar) {
    var revoked: Set<UInt64> = []
    for line in lines {
      switch line {
      case .record(let record): add(record, calendar: &calendar)
      case .revocation(let id): revoked.insert(id)
      case .result: break
      }
    }
    // The line of a revocation follows the one of its record.
    guard !revoked.isEmpty else { return }
    parts.removeAll { revoked.contains($0.stretchID) }
    for day in stretches.keys { stretches[day]?.removeAll { revoked.contains($0.id) } }
  }

  private mutating func index(of name: String) -> Int32 {
    if let index = indices[name] { return index }
    let index = Int32(clamping: names.count)
    names.append(name)
    indices[name] = index
    return index
  }

  /// Returns the indices of the names that match a query.
  package func names(matching query: SearchQuery) -> Set<Int32> {
    Set(names.indices.filter { query.matches(names[$0].searchable) }.map { Int32(clamping: $0) })
  }

  /// Returns the total active time of each day that has any.
  /// - Parameter shown: The indices of names.
  package func times(of shown: Set<Int32>) -> [CivilDate: Int64] {
    parts.reduce(into: [:]) { times, part in
      guard shown.contains(part.nameIndex) else { return }
      times[part.day] = times[part.day, default: 0].addingSaturated(part.activeTime)
    }
  }

  /// Returns the stretches that began on a day, in order.
  package func stretches(on day: CivilDate, of shown: Set<Int32>) -> [Stretch] {
    (stretches[day] ?? []).filter { shown.contains($0.nameIndex) }.sorted {
      ($0.startInDay, $0.id) < ($1.startInDay, $1.id)
    }
  }

  /// Returns the time and the number of stretches of each name in a range of days, the longest time first.
  package func totals(
    of shown: Set<Int32>, in days: ClosedRange<CivilDate>
  ) -> [(name: String, activeTime: Int64, stretches: Int)] {
    var activeTimes: [Int32: Int64] = [:]
    var counts: [Int32: Int] = [:]
    for part in parts where days.contains(part.day) {
      activeTimes[part.nameIndex] =
        activeTimes[part.nameIndex, default: 0].addingSaturated(part.activeTime)
    }
    for (day, stretches) in stretches where days.contains(day) {
      for stretch in stretches { counts[stretch.nameIndex, default: 0] += 1 }
    }
    return shown.compactMap { index in
      let (time, count) = (activeTimes[index] ?? 0, counts[index] ?? 0)
      return time > 0 || count > 0 ? (names[Int(index)], time, count) : nil
    }
    .sorted { ($1.activeTime, $0.name) < ($0.activeTime, $1.name) }
  }
}
