extension WallSchedule {
  /// Creates a schedule from a cron expression, by the rules of Debian's cron.
  ///
  /// ```swift
  /// let officeHours = try WallSchedule(cron: "*/15 9-17 * * 1-5")
  /// ```
  ///
  /// - Five fields: minute (0 to 59), hour (0 to 23), day of the month (1 to 31), month (1 to 12 or `jan` to `dec`), day
  ///   of the week (0 to 7 or `sun` to `sat`; 0 and 7 are Sunday). Each is `*`, a number, a range `1-5`, a step
  ///   `*/15` or `8-18/2`, or a list of these, `1,15,20-25`.
  /// - Nicknames: `@yearly`, `@annually`, `@monthly`, `@weekly`, `@daily`, `@midnight` and `@hourly`.
  /// - If both the day of the month and the day of the week are restricted, either suffices: `0 9 1,15 * 5` occurs on
  ///   the 1st, the 15th and each Friday. If one of the fields begins with `*`, both must match: `0 9 */2 * 1` occurs on
  ///   Mondays with an odd date.
  /// - If the minute or the hour begins with `*`, the schedule follows the clock: when clocks change, it occurs in both of
  ///   the repeated hours, and not in the skipped one. Otherwise each time occurs once: in the first of the repeated
  ///   hours, or at the end of the gap.
  ///
  /// Unlike cron, it refuses a range that is empty, such as `5-2`, characters after a field, such as `*5`, and
  /// expressions that never occur, such as `0 0 30 2 *`.
  /// - Parameters:
  ///   - expression: the expression; upper and lower case do not differ.
  ///   - timeZone: the time zone; `nil` for that of the process.
  /// - Throws: ``WallScheduleError/invalid(_:_:expected:)``, or ``WallScheduleError/neverOccurs``.
  public init(cron expression: String, timeZone: TimeZoneRules? = nil) throws(WallScheduleError) {
    let text = expression.lowercased()
    // Errors quote the expression as it was written.
    let fields = (Self.cronNicknames[text] ?? expression).split { $0 == " " || $0 == "\t" }
    guard fields.count == CronField.all.count else {
      throw .invalid(
        "cron expression", expression,
        expected: "five fields, such as */15 9-17 * * 1-5, or a nickname, such as @daily")
    }
    var bits: [UInt64] = []
    for (field, text) in zip(CronField.all, fields) { bits.append(try field.bits(text)) }
    let isStar = fields.map { $0.hasPrefix("*") }
    let times = (0..<1440).filter { bits[0] >> ($0 % 60) & 1 == 1 && bits[1] >> ($0 / 60) & 1 == 1 }
    var rules = Rules(times: times.map { Int32($0 * 60) }, followsClock: isStar[0] || isStar[1])
    rules.days = UInt32(bits[2])
    rules.months = UInt16(bits[3])
    // Sunday is both 0 and 7.
    let sunday = bits[4] >> 7 | bits[4] & 1
    rules.weekdays = Rules.weekdays(
      Weekdays(rawValue: UInt8(bits[4] >> 1 & 0x3F | sunday << 6)), ofWeeks: 0..<5)
    rules.isEitherDay = !isStar[2] && !isStar[4]
    rules.timeZone = timeZone
    rules.cron = text
    try self.init(rules)
  }

  private static let cronNicknames = [
    "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0", "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@hourly": "0 * * * *",
  ]
}

/// A field of a cron expression. Its values are bits.
private struct CronField {
  let name: String
  let range: ClosedRange<Int>
  var names: [String] = []

  static let all = [
    CronField(name: "minute", range: 0...59), CronField(name: "hour", range: 0...23),
    CronField(name: "day of the month", range: 1...31),
    CronField(
      name: "month", range: 1...12,
      names: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]),
    CronField(
      name: "day of the week", range: 0...7,
      names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]),
  ]

  func bits(_ text: Substring) throws(WallScheduleError) -> UInt64 {
    var bits: UInt64 = 0
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let halves = part.lowercased()
        .split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      var ends = [range.lowerBound, range.upperBound] as [Int?]
      if halves[0] != "*" {
        ends = halves[0].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
          .map(value)
      }
      let step = halves.count == 1 ? 1 : halves[1].number
      guard let first = ends[0], let last = ends[ends.count - 1], let step, step > 0,
        first <= last, ends.count == 2 || halves.count == 1
      else {
        let names = names.isEmpty ? "" : ", \(names[0]) to \(names[names.count - 1])"
        let low = range.lowerBound
        throw .invalid(
          name, String(part),
          expected: "\(low) to \(range.upperBound)\(names), *, a range \(low)-5, or a step */5")
      }
      for value in stride(from: first, through: last, by: step) { bits |= 1 << UInt64(value) }
    }
    return bits
  }

  private func value(_ text: Substring) -> Int? {
    let value = names.firstIndex { $0 == text }.map { $0 + range.lowerBound } ?? text.number
    return value.flatMap { range.contains($0) ? $0 : nil }
  }
}
