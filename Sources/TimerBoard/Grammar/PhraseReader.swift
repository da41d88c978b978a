import TimerKit

/// Reads phrases word by word.
struct PhraseReader {
  let tokens: ArraySlice<Token>
  private var index: Int
  /// A Boolean value that indicates whether the last hour was a word such as `nine`.
  private(set) var isInWords = false

  init(tokens: ArraySlice<Token>) {
    self.tokens = tokens
    index = tokens.startIndex
  }

  private static let openings: Set<String> = [
    "a", "an", "tonight", "every", "each", "once", "this", "from", "morning", "afternoon",
    "evening", "night", "the",
  ]

  /// A Boolean value that indicates whether the current word can be the first one of a phrase: most can not.
  var canBeginPhrase: Bool {
    let word = word
    guard let first = word.unicodeScalars.first else { return false }
    if ("0"..."9").contains(first) || DurationText.fraction(first) != nil || first == "p" {
      return true
    }
    if Self.openings.contains(word) { return true }
    let time = TimeWord[word]
    return time?.number != nil || time?.quarters != nil || time?.time != nil || time?.weekday != nil
      || time?.weekdays != nil || Self.number(word) != nil
  }

  /// The current word; empty at the end, and for a quoted word or a name.
  var word: String {
    index < tokens.endIndex ? tokens[index].plainKeyword ?? "" : ""
  }

  func count(from start: Int) -> Int { index - start }

  mutating func take(_ words: String...) -> Bool {
    guard !word.isEmpty, words.contains(word) else { return false }
    index += 1
    return true
  }

  /// A Boolean value that indicates whether the current word is a unit in the singular.
  var isUnit: Bool {
    let time = TimeWord[word]
    return time?.unit != nil && DurationText.isSingular(word) || time?.insteadOfUnit != nil
  }

  /// A Boolean value that indicates whether the current word is a number, or days.
  var isNumberOrDay: Bool {
    ("0"..."9").contains(word.prefix(1)) || WallTimeText.parseDays(word) != nil
      || TimeWord[word]?.number != nil || TimeWord[word]?.ordinal != nil
  }

  /// Reads days of the week in one word.
  mutating func weekdays() -> String? {
    let word = word
    guard WallTimeText.parseDays(word) != nil else { return nil }
    index += 1
    return word
  }

  // MARK: Numbers

  /// Returns the number of `twenty` and of `twenty-five`.
  private static func number(_ word: String) -> Int? {
    if let number = TimeWord[word]?.number { return number }
    let parts = word.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let tens = TimeWord[String(parts[0])]?.number,
      let ones = TimeWord[String(parts[1])]?.number
    else { return nil }
    return sum(tens, ones)
  }

  /// Returns the number of tens and ones; `nil` for other numbers.
  private static func sum(_ tens: Int, _ ones: Int) -> Int? {
    tens >= 20 && (1...9).contains(ones) ? tens + ones : nil
  }

  /// Reads `3`, `three`, `twenty five` or `twenty-five`.
  private mutating func number() -> Int? {
    if let number = Self.number(word) {
      index += 1
      guard number % 10 == 0, let ones = TimeWord[word]?.number,
        let sum = Self.sum(number, ones)
      else { return number > 0 ? number : nil }
      index += 1
      return sum
    }
    guard word.utf8.count <= 6, let number = Int(word), number > 0 else { return nil }
    index += 1
    return number
  }

  /// A number of units as a fraction.
  private struct Amount {
    var numerator: Int
    var denominator = 1

    var isWhole: Bool { denominator == 1 }

    static func + (left: Amount, right: Amount) -> Amount {
      Amount(
        numerator: left.numerator * right.denominator + right.numerator * left.denominator,
        denominator: left.denominator * right.denominator)
    }
  }

  /// Reads `half` or `quarter`, in quarters.
  private mutating func quarters() -> Int? {
    guard let quarters = TimeWord[word]?.quarters else { return nil }
    index += 1
    return quarters
  }

  /// Reads `half`, `quarter`, `3/4` or `¾`.
  private mutating func fraction() -> Amount? {
    if let quarters = quarters() { return Amount(numerator: quarters, denominator: 4) }
    let parts = word.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 2, let numerator = Int(parts[0]), let denominator = Int(parts[1]),
      (1..<denominator).contains(numerator), denominator <= 10
    {
      index += 1
      return Amount(numerator: numerator, denominator: denominator)
    }
    guard word.unicodeScalars.count == 1,
      let digits = word.unicodeScalars.first.flatMap(DurationText.fraction),
      let number = Int(digits)
    else { return nil }
    index += 1
    return Amount(numerator: number, denominator: digits.count == 1 ? 10 : 100)
  }

  private mutating func andFraction() -> Amount? {
    let start = index
    if take("and"), take("a"), let quarters = quarters() {
      return Amount(numerator: quarters, denominator: 4)
    }
    index = start
    return nil
  }

  /// Reads `half an hour`, `three quarters of an hour`, `two and a half hours`, `1 1/2 hours`, `an hour and a half`,
  /// `ten minutes` or `PT10M`.
  mutating func duration() -> Duration? {
    if let milliseconds = DurationText.iso8601(word) {
      index += 1
      return .milliseconds(milliseconds)
    }
    // `5 min` is no phrase.
    var isPhrase = !("0"..."9").contains(word.prefix(1))
    var amount: Amount
    if let part = fraction() {
      (amount, isPhrase) = (part, true)
    } else if take("a", "an") {
      amount = Amount(numerator: 1)
      if let part = fraction() { amount = part }
    } else {
      guard let number = number() else { return nil }
      amount = Amount(numerator: number)
      if take("quarters") {
        amount.denominator = 4
      } else if let part = andFraction() ?? fraction() {
        amount = amount + part
        isPhrase = true
      }
    }
    if !amount.isWhole {
      if take("of") { isPhrase = true }
      _ = take("a", "an")
    }
    guard let unit = DurationText.unit(named: word) else { return nil }
    index += 1
    if amount.isWhole, let part = andFraction() {
      amount = amount + part
      isPhrase = true
    }
    let (product, isTooLarge) = unit.milliseconds.multipliedReportingOverflow(
      by: Int64(amount.numerator))
    let (milliseconds, rest) = product.quotientAndRemainder(
      dividingBy: Int64(amount.denominator))
    guard isPhrase, !isTooLarge, rest == 0, milliseconds > 0,
      .milliseconds(milliseconds) <= DurationText.longest
    else { return nil }
    return .milliseconds(milliseconds)
  }

  // MARK: Times of day

  /// Reads `half past 3` or `ten to six pm`.
  /// - Returns: The minutes since midnight, and a Boolean value that indicates whether it is clear which half of the day is
  ///   meant.
  mutating func time() -> (minutes: Int, isClear: Bool)? {
    let isInDigits = ("0"..."9").contains(word.prefix(1))
    let isOne = take("a")
    guard let minutes = quarters().map({ $0 * 15 }) ?? (isOne ? nil : number()), minutes < 60 else {
      return nil
    }
    // `9 to 5` is hardly a time.
    guard take("min", "mins", "minute", "minutes") || !isInDigits || minutes % 5 == 0 else {
      return nil
    }
    let sign = take("past", "after") ? 1 : take("to", "before") ? -1 : 0
    guard sign != 0, let hour = hour() else { return nil }
    _ = take("o'clock")
    return ((hour.minutes + sign * minutes + 1440) % 1440, hour.isClear)
  }

  /// Reads `3`, `three`, `nine thirty`, `3:30`, `3 pm`, `noon`.
  mutating func hour() -> (minutes: Int, isClear: Bool)? {
    isInWords = false
    if let named = TimeWord[word]?.time {
      index += 1
      return (named.hour * 60, true)
    }
    if let hour = Self.number(word), (1...12).contains(hour) {
      isInWords = true
      index += 1
      let start = index
      var minutes = number() ?? 0
      // `at nine thirty minutes`
      if minutes > 0, TimeWord[word]?.unit != nil || TimeWord[word]?.insteadOfUnit != nil {
        return nil
      }
      if !(10..<60).contains(minutes) { (index, minutes) = (start, 0) }
      let time = hour * 60 + minutes
      return half(of: time).map { ($0, true) } ?? (time, false)
    }
    guard ("0"..."9").contains(word.prefix(1)) else { return nil }
    var text = word
    index += 1
    let half = word
    if take("am", "pm") { text += half }
    guard let time = try? WallTimeText.parseTime(Array(text.unicodeScalars)), time.second == 0
    else { return nil }
    return (time.hour * 60 + time.minute, text.hasSuffix("m") || !(1...12).contains(time.hour))
  }

  /// Reads `am` or `pm` after a time between 1:00 and 12:59, and returns the time of the day.
  mutating func half(of minutes: Int) -> Int? {
    guard (60..<13 * 60).contains(minutes) else { return nil }
    if take("am") { return minutes % 720 }
    return take("pm") ? minutes % 720 + 720 : nil
  }

  /// A part of the day that says which of two times is meant.
  enum PartOfDay: String {
    case morning, afternoon, evening, night

    /// Returns the minutes since midnight; `nil` for a time that is not in the part of the day.
    func minutes(_ time: Int, isClear: Bool) -> Int? {
      let minutes =
        isClear
        ? time : time % 720 + (self == .morning || self == .night && time % 720 < 5 * 60 ? 0 : 720)
      let hours =
        switch self {
        case .morning: 0..<12
        case .afternoon: 12..<19
        case .evening: 16..<24
        case .night: 18..<24
        }
      return hours.contains(minutes / 60) ? minutes : nil
    }
  }

  /// Reads `morning`.
  mutating func partOfDay() -> PartOfDay? {
    guard let part = PartOfDay(rawValue: word) else { return nil }
    index += 1
    return part
  }

  /// Reads `in the morning` or `at night`.
  mutating func inPartOfDay() -> PartOfDay? {
    let start = index
    if take("in"), take("the"), let part = partOfDay(), part != .night { return part }
    index = start
    if take("at"), take("night") { return .night }
    index = start
    return nil
  }
}
