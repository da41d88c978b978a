import TimerKit

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

  package init(_ zone: LocalZone) {
    self.init { second in
      zone.secondsFromUTC(
        at: WallInstant(nanosecondsSince1970: 0).advanced(by: .seconds(second)))
    }
  }

  /// Returns the segment that contains an instant.
  package mutating func segment(at instant: Int64) -> Segment {
    if let segment, segment.range.contains(instant) { return segment }
    let offset = offset(at: instant)
    let day = (instant + offset).flooredDivision(by: Self.dayLength).quotient
    var start = min(day * Self.dayLength - offset, instant)
    var end = max((day + 1) * Self.dayLength - offset, instant + 1)
    if self.offset(at: start) != offset { start = firstChange(from: start, to: instant) }
    if self.offset(at: end - 1) != offset { end = firstChange(from: instant, to: end - 1) }
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
    Int64(offset(milliseconds.flooredDivision(by: 1000).quotient)) * 1000
  }

  /// Returns the first instant after `start`, at most `end`, whose offset is another one than that of `start`. No time
  /// zone changes its offset twice within a day.
  private func firstChange(from start: Int64, to end: Int64) -> Int64 {
    let offset = offset(at: start)
    var (unchanged, changed) = (start, end)
    while changed - unchanged > 1 {
      let middle = unchanged + (changed - unchanged) / 2
      if self.offset(at: middle) == offset { unchanged = middle } else { changed = middle }
    }
    return changed
  }
}
