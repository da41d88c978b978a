/// The days of a time zone.
///
/// Local time is UTC and an offset that changes with daylight saving, so that a day can have 23 or 25 hours. A time
/// that occurs twice belongs to its day both times.
package struct LocalCalendar {
  /// Returns local time minus UTC, in seconds, at a second of UTC.
  private let offset: (_ second: Int64) -> Int
  /// The most recent segment of a day with one offset.
  private var segment: Segment?

  /// A time with one offset that is part of one day, in milliseconds since 1970 UTC.
  package struct Segment: Hashable {
    package var range: Range<Int64>
    package var day: CivilDate
    /// Local time minus UTC in milliseconds.
    package var offset: Int64
  }

  private static let dayLength: Int64 = 86_400_000

  package init(offset: @escaping (_ second: Int64) -> Int) {
    self.offset = offset
  }

  /// Returns the segment that contains an instant.
  package mutating func segment(at instant: Int64) -> Segment {
    if let segment, segment.range.contains(instant) { return segment }
    let offset = offset(at: instant)
    let day = (instant + offset).floorDivided(by: Self.dayLength)
    let start = unchangedStart(of: offset, from: day * Self.dayLength - offset, to: instant)
    let end = unchangedEnd(of: offset, from: instant, to: (day + 1) * Self.dayLength - offset)
    let segment = Segment(range: start..<end, day: CivilDate(day: Int(day)), offset: offset)
    self.segment = segment
    return segment
  }

  /// Calls a closure with the parts of a range, each within one day.
  package mutating func split(
    _ range: Range<Int64>, _ body: (_ day: CivilDate, _ milliseconds: Int64) -> Void
  ) {
    var start = range.lowerBound
    while start < range.upperBound {
      let segment = segment(at: start)
      let end = min(range.upperBound, segment.range.upperBound)
      body(segment.day, end - start)
      start = end
    }
  }

  private func offset(at milliseconds: Int64) -> Int64 {
    Int64(offset(milliseconds.floorDivided(by: 1000))) * 1000
  }

  /// Returns the first instant before `end` from which on the offset is the one at `end`. No time zone changes its
  /// offset twice within a day.
  private func unchangedStart(of offset: Int64, from start: Int64, to end: Int64) -> Int64 {
    guard start < end, self.offset(at: start) != offset else { return min(start, end) }
    var (changed, unchanged) = (start, end)
    while unchanged - changed > 1 {
      let middle = changed + (unchanged - changed) / 2
      if self.offset(at: middle) == offset { unchanged = middle } else { changed = middle }
    }
    return unchanged
  }

  /// Returns the first instant after `start` at which the offset is another one than at `start`, or `end`.
  private func unchangedEnd(of offset: Int64, from start: Int64, to end: Int64) -> Int64 {
    guard start < end - 1, self.offset(at: end - 1) != offset else { return max(end, start + 1) }
    var (unchanged, changed) = (start, end - 1)
    while changed - unchanged > 1 {
      let middle = unchanged + (changed - unchanged) / 2
      if self.offset(at: middle) == offset { unchanged = middle } else { changed = middle }
    }
    return changed
  }
}
