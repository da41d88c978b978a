/// A rule for the offset from UTC in the form of the environment variable `TZ`, which ends a TZif file and holds for
/// all times after its last transition: `CET-1CEST,M3.5.0,M10.5.0/3`.
struct PosixTimeZone: Sendable {
  private let standard: Int64
  private var summer: (offset: Int64, start: Change, end: Change)?

  /// Parses a rule; `nil` if it is invalid.
  init?(_ text: String) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    var names = parts[0]
    // Takes `CET-1` or `<+0330>-3:30`; summer time is one hour ahead unless it has an offset.
    func takeOffset(default offset: Int64?) -> Int64? {
      let isQuoted = names.first == "<"
      let name = names.prefix { isQuoted ? $0 != ">" : $0.isASCII && $0.isLetter }
      guard name.count >= 3 else { return nil }
      names = names.dropFirst(name.count + (isQuoted ? 1 : 0))
      let west = names.prefix { "+-:0123456789".contains($0) }
      names = names.dropFirst(west.count)
      return west.isEmpty ? offset : Self.seconds(west, hours: 0...24).map { -$0 }
    }
    guard let standard = takeOffset(default: nil) else { return nil }
    self.standard = standard
    if names.isEmpty, parts.count == 1 { return }
    guard let offset = takeOffset(default: standard + 3600), names.isEmpty, parts.count == 3,
      let start = Change(parts[1]), let end = Change(parts[2])
    else { return nil }
    summer = (offset, start, end)
  }

  func offset(at instant: Int64) -> Int64 {
    guard let summer else { return standard }
    let day = (instant + standard).flooredDivision(by: Calendar.secondsPerDay).quotient
    let year = Calendar.date(Int(day)).year
    var latest = (change: Int64.min, offset: standard)
    func see(_ change: Int64, _ offset: Int64) {
      if change <= instant, change >= latest.change { latest = (change, offset) }
    }
    // A change can be up to a week before or after its day. If summer time ends when the next one begins, it is summer
    // time all year.
    for year in year - 1...year + 1 {
      see(summer.end.localTime(in: year) - summer.offset, standard)
      see(summer.start.localTime(in: year) - standard, summer.offset)
    }
    return latest.offset
  }

  /// Parses `-3:30:15`, in seconds.
  private static func seconds(_ text: Substring, hours: ClosedRange<Int>) -> Int64? {
    let isNegative = text.first == "-"
    let fields = text.dropFirst(isNegative || text.first == "+" ? 1 : 0)
      .split(separator: ":", omittingEmptySubsequences: false).map { $0.number ?? -1 }
    guard fields.count <= 3, hours.contains(fields[0]),
      fields.dropFirst().allSatisfy({ (0..<60).contains($0) })
    else { return nil }
    let seconds = zip(fields, [3600, 60, 1]).reduce(0) { $0 + $1.0 * $1.1 }
    return Int64(isNegative ? -seconds : seconds)
  }

  /// A day of each year, and the seconds since its midnight in local time.
  private struct Change {
    /// `M` for a month, a week, of which 5 is the last one, and a day of the week from 0, Sunday. Else a day of the year:
    /// `J` if it is counted from 1, without 29 February.
    let kind: Character?
    let fields: [Int]
    let second: Int64

    /// Parses `M3.5.0/3`, `J60` or `59/-1:30`.
    init?(_ text: Substring) {
      let halves = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      let second = halves.count == 1 ? 7200 : PosixTimeZone.seconds(halves[1], hours: 0...167)
      kind = halves[0].first
      let isOfYear = kind != "M" && kind != "J"
      let ranges = kind == "M" ? [1...12, 1...5, 0...6] : [isOfYear ? 0...365 : 1...365]
      fields = halves[0].dropFirst(isOfYear ? 0 : 1)
        .split(separator: ".", omittingEmptySubsequences: false).map { $0.number ?? -1 }
      guard let second, fields.count == ranges.count,
        zip(ranges, fields).allSatisfy({ $0.contains($1) })
      else { return nil }
      self.second = second
    }

    func localTime(in year: Int) -> Int64 {
      var number: Int
      if kind == "M" {
        let first = Calendar.days(year: year, month: fields[0], day: 1)
        number = first + (fields[1] - 1) * 7 + (fields[2] - Calendar.weekday(first) + 13) % 7
        if number >= first + Calendar.length(ofMonth: fields[0], year: year) { number -= 7 }
      } else {
        let isAfterLeapDay = fields[0] > 59 && Calendar.length(ofMonth: 2, year: year) == 29
        number = Calendar.days(year: year, month: 1, day: fields[0])
        if kind != "J" || isAfterLeapDay { number += 1 }
      }
      return Int64(number) * Calendar.secondsPerDay + second
    }
  }
}

extension Substring {
  /// The number of up to four digits that the text is; `nil` for any other text.
  var number: Int? {
    utf8.count <= 4 && utf8.allSatisfy { (48...57).contains($0) } ? Int(self) : nil
  }
}
