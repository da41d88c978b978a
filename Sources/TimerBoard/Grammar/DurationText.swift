import TimerKit

/// Durations as text: `3m`, `90s`, `1h30m`, `5m30`, `1.5h`, `250ms`, `1w`, `05:00`, `1:30:00`. A duration of
/// whole milliseconds that is formatted parses as the same duration.
package enum DurationText {
  /// The longest duration of a timer: 100 years.
  package static let longest = Duration.days(36_525)

  typealias Unit = (name: String, milliseconds: Int64, synonyms: [String])

  /// The units from the largest to the smallest. The week, the first one, is parsed but not formatted.
  static let units: [Unit] = [
    ("w", 604_800_000, ["wk", "wks", "week", "weeks"]), ("d", 86_400_000, ["day", "days"]),
    ("h", 3_600_000, ["hr", "hrs", "hour", "hours"]),
    ("m", 60_000, ["min", "mins", "minute", "minutes"]),
    ("s", 1000, ["sec", "secs", "second", "seconds"]),
    ("ms", 1, ["msec", "msecs", "millisecond", "milliseconds"]),
  ]

  /// The decimal digits of the fractions that have a character.
  static func fraction(_ scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case "¼": "25"
    case "½": "5"
    case "¾": "75"
    default: nil
    }
  }

  /// Returns true for a scalar of a number that can have a fraction.
  static func isNumeric(_ scalar: Unicode.Scalar) -> Bool {
    ("0"..."9").contains(scalar) || scalar == "." || scalar == "," || fraction(scalar) != nil
  }

  /// Returns true for a unit's name that is a word in the singular, such as `hour`.
  static func isSingular(_ name: String) -> Bool { name.count > 1 && !name.hasSuffix("s") }

  /// All names of units.
  static let unitNames = units.map(\.name) + units.flatMap(\.synonyms).sorted()

  /// Formats a duration with units, the largest first: `1h30m`. Parts of a millisecond are rounded up, so
  /// that only zero is `0s`.
  package static func text(_ duration: Duration) -> String {
    let nanoseconds = max(0, duration.clampedNanoseconds)
    var rest = nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 > 0 ? 1 : 0)
    guard rest > 0 else { return "0s" }
    var text = ""
    for (name, milliseconds, _) in units.dropFirst() where rest >= milliseconds {
      text += "\(rest / milliseconds)\(name)"
      rest %= milliseconds
    }
    return text
  }

  /// Returns the milliseconds of a duration in ISO 8601, in lower case: `pt25m`, `p1dt2h`; `nil` for another text, and
  /// for months and years, whose lengths differ.
  static func iso8601(_ text: String) -> Int64? {
    guard text.hasPrefix("p"), text.utf8.count > 2 else { return nil }
    let parts = text.dropFirst().split(separator: "t", omittingEmptySubsequences: false)
    guard parts.count <= 2, !parts[parts.count - 1].isEmpty,
      parts[0].allSatisfy({ !"hms".contains($0) }),
      parts.count == 1 || parts[1].allSatisfy({ !"wd".contains($0) })
    else { return nil }
    let scalars = Array(parts.joined().unicodeScalars)
    // The last unit must be given, unlike in `5m30`.
    guard let last = scalars.last, "wdhms".unicodeScalars.contains(last),
      let duration = try? parse(scalars, zeroAllowed: false)
    else { return nil }
    return duration.clampedNanoseconds / 1_000_000
  }

  /// Returns the message for a number without a unit.
  /// - Parameter isShort: A Boolean value that indicates whether milliseconds are the most likely unit.
  static func missingUnit(after number: String, isShort: Bool = false) -> String {
    let units = isShort ? ["ms", "s", "m"] : ["s", "m", "h"]
    return "missing unit after '\(number)' (expected "
      + units.dropLast().map { "\(number)\($0)" }.joined(separator: ", ")
      + " or \(number)\(units[2]))"
  }

  /// Parses a duration.
  package static func parse(_ text: String) throws(TimeSyntaxError) -> Duration {
    try parse(Array(text.unicodeScalars), zeroAllowed: false)
  }

  static func parse(
    _ scalars: [Unicode.Scalar], zeroAllowed: Bool
  ) throws(TimeSyntaxError) -> Duration {
    if scalars.first == "-" || scalars.first == "−" {
      throw TimeSyntaxError(offset: 0, message: "duration must not be negative")
    }
    var reader = TimeReader(scalars: scalars)
    let milliseconds = try scalars.contains(":") ? reader.clock() : reader.parts()
    guard milliseconds > 0 || zeroAllowed else {
      throw TimeSyntaxError(offset: 0, message: "duration must be greater than zero")
    }
    return .milliseconds(milliseconds)
  }

  static func unit(named name: String) -> Unit? { TimeWord[name]?.unit }

  /// Returns the unit of a number that follows another unit without one of its own: `5m30` is 5 minutes and 30
  /// seconds. The smallest such unit is the second.
  static func unit(below milliseconds: Int64) -> Unit? {
    units.first { $0.milliseconds < milliseconds && $0.milliseconds >= 1000 }
  }

  /// Returns the smallest and the largest unit in a text such as `1h30m`; `nil` if it has none or an unknown one.
  static func units(in scalars: ArraySlice<Unicode.Scalar>) -> ClosedRange<Int64>? {
    var found: ClosedRange<Int64>?
    var reader = TimeReader(scalars: Array(scalars))
    while !reader.isAtEnd {
      _ = reader.take(while: isNumeric)
      let unit =
        if reader.isAtEnd, let found { Self.unit(below: found.lowerBound) } else {
          Self.unit(named: reader.unitName().lowercased())
        }
      guard let size = unit?.milliseconds, size < found?.lowerBound ?? .max else { return nil }
      found = size...(found?.upperBound ?? size)
    }
    return found
  }
}

/// Reads a duration or a time of day from left to right.
struct TimeReader {
  let scalars: [Unicode.Scalar]
  private(set) var position = 0

  var isAtEnd: Bool { position == scalars.count }

  /// The scalars that are left.
  var rest: String { text(from: position, to: scalars.count) }

  /// Skips a scalar if it is the next one.
  mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard !isAtEnd, scalars[position] == scalar else { return false }
    position += 1
    return true
  }

  mutating func digits() -> String { take { ("0"..."9").contains($0) } }

  mutating func take(while matches: (Unicode.Scalar) -> Bool) -> String {
    let start = position
    while !isAtEnd, matches(scalars[position]) { position += 1 }
    return text(from: start, to: position)
  }

  private func text(from start: Int, to end: Int) -> String { scalars[start..<end].text }

  func error(_ message: String, at offset: Int? = nil) -> TimeSyntaxError {
    TimeSyntaxError(offset: offset ?? position, message: message)
  }

  // MARK: Durations, in whole milliseconds

  private func unknownUnit(_ unit: String, at offset: Int? = nil) -> TimeSyntaxError {
    error("unknown unit '\(unit)' (expected ms, s, m, h, d or w)", at: offset)
  }

  private var numberExpected: TimeSyntaxError {
    error("missing number (expected a duration, such as 30s or 1.5h)")
  }

  /// Parses numbers with units: `1h30m`, `1.5h`.
  mutating func parts() throws(TimeSyntaxError) -> Int64 {
    var total: Int64 = 0
    var last = Int64.max
    repeat {
      let start = position
      let whole = digits()
      var fraction = ""
      if skip(".") || skip(",") {
        fraction = digits()
        if fraction.isEmpty { throw numberExpected }
      } else if !isAtEnd, let part = DurationText.fraction(scalars[position]) {
        position += 1
        fraction = part
      }
      if whole.isEmpty, fraction.isEmpty { throw numberExpected }
      let unitStart = position
      let name = unitName()
      guard !name.isEmpty || isAtEnd else { throw unknownUnit(String(scalars[position])) }
      let unit =
        name.isEmpty
        ? self.unit(of: whole, fraction, below: last) : DurationText.unit(named: name.lowercased())
      guard let unit else {
        if !name.isEmpty { throw unknownUnit(name, at: unitStart) }
        let number = text(from: start, to: position)
        throw TimeSyntaxError(
          offset: position,
          message: DurationText.missingUnit(after: number),
          isUnitMissing: true)
      }
      guard unit.milliseconds < last else {
        throw error(
          "unit '\(name)' out of order (expected large to small, each once, such as 1h30m)",
          at: start)
      }
      last = unit.milliseconds
      total = try sum(
        total, of: whole, fraction: fraction, unit: unit.milliseconds, writtenAt: start)
    } while !isAtEnd
    return total
  }

  /// Returns the unit of the last number, which has none of its own: the next smaller one, if the number is small
  /// enough for it.
  private func unit(of whole: String, _ fraction: String, below last: Int64) -> DurationText.Unit? {
    guard last < .max, fraction.isEmpty, let count = Int64(whole),
      let unit = DurationText.unit(below: last), count < last / unit.milliseconds
    else { return nil }
    return unit
  }

  /// Parses minutes and seconds, or hours, minutes and seconds: `05:00`, `1:30:00`.
  mutating func clock() throws(TimeSyntaxError) -> Int64 {
    let colons = scalars.count { $0 == ":" }
    var unit: Int64 = colons == 1 ? 60_000 : 3_600_000
    let first = digits()
    if first.isEmpty { throw numberExpected }
    var total = try sum(0, of: first, fraction: "", unit: unit, writtenAt: 0)
    while unit > 1000, skip(":") {
      unit /= 60
      let start = position
      let field = digits()
      guard field.count == 2, field < "60" else {
        throw error(
          "invalid duration (expected two digits after a colon, 00 to 59, such as 05:00)", at: start
        )
      }
      total = try sum(total, of: field, fraction: "", unit: unit, writtenAt: 0)
    }
    if unit == 1000, skip(".") {
      let fraction = digits()
      if fraction.isEmpty { throw numberExpected }
      total = try sum(total, of: "0", fraction: fraction, unit: unit, writtenAt: 0)
    }
    guard isAtEnd else { throw unknownUnit(rest) }
    return total
  }

  private func sum(
    _ total: Int64, of whole: String, fraction: String, unit: Int64, writtenAt start: Int
  ) throws(TimeSyntaxError) -> Int64 {
    let limit = DurationText.longest.clampedNanoseconds / 1_000_000
    let tooLong = error("duration must be at most 100 years (36525d)", at: start)
    guard let count = Int64(whole.isEmpty ? "0" : whole), count <= limit / unit else {
      throw tooLong
    }
    var sum = total + count * unit
    // Most durations have no fraction.
    let places = fraction.isEmpty ? "" : String(fraction.reversed().drop { $0 == "0" }.reversed())
    if !places.isEmpty {
      // Exact, in whole numbers: a tenth has no exact binary form.
      guard places.count <= 9, let numerator = Int64(places) else {
        throw error("duration must be in whole milliseconds", at: start)
      }
      let (part, remainder) = (numerator * unit).quotientAndRemainder(
        dividingBy: (0..<places.count).reduce(1) { power, _ in power * 10 })
      guard remainder == 0 else { throw error("duration must be in whole milliseconds", at: start) }
      sum += part
    }
    guard sum <= limit else { throw tooLong }
    return sum
  }

  mutating func unitName() -> String { take(while: \.isLetter) }
}

extension Duration {
  /// Returns the product, clamped to the nanoseconds that an `Int64` can hold.
  func multiplied(by count: Int) -> Duration {
    let (product, overflow) = clampedNanoseconds.multipliedReportingOverflow(by: Int64(count))
    return .nanoseconds(overflow ? .max : product)
  }
}
