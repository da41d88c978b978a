import TimerKit

/// A word of time: `friday`, `tomorrow`, `dec`, `hours`, `UTC`, `twenty`, `before`, `noon`. One table says what each
/// means to the parser, and which words are no names unless they stand before `=` or in quotes: a word that the parser
/// cannot apply is an error, and never the name of a timer at another time.
struct TimeWord: Sendable {
  /// The day of the week, from 0 for Monday.
  var weekday: Int?
  /// A Boolean value that indicates whether a day of the week means each of them: `mondays`.
  var isPlural = false
  /// The days of the week that the word means together: `weekend`.
  var weekdays: WallSchedule.Weekdays?
  /// The number of days from today: 1 for `tomorrow`.
  var daysFromToday: Int?
  /// The month, from 1.
  var month: Int?
  /// The unit of a duration.
  var unit: DurationText.Unit?
  /// A unit that no duration has, because its length differs or is not in whole milliseconds, and what to write instead.
  var insteadOfUnit: String?
  /// The number of a cardinal: 20 for `twenty`.
  var number: Int?
  /// The number of an ordinal; 2 for `other`, as in `every other day`.
  var ordinal: Int?
  /// The number of quarters of a fraction.
  var quarters: Int?
  /// The time of day.
  var time: WallTimeText.TimeOfDay?
  /// The count of a repetition: 2 for `twice`.
  var count: Int?
  /// The time zones that an abbreviation stands for, the most likely one first.
  var zones: [String] = []
  /// A Boolean value that indicates whether it relates a time to something else, as `before` does, or says how often.
  var isRelation = false

  /// A Boolean value that indicates whether it has a meaning only beside other words, so that it is hardly meant as a name.
  var isPartOfPhrase: Bool { isRelation || number != nil || quarters != nil || count != nil }

  /// Returns the meaning of a word in lower case; `nil` for a word that has none.
  static subscript(word: String) -> TimeWord? { table[word] }

  /// Returns true for a word in lower case that means a time or a part of one, with any punctuation after it, or that
  /// consists of such words, as `mon-fri` and `twenty-five` do.
  static func contains(_ text: String) -> Bool {
    let word = text.trimmingSuffix { ",.:;!?".contains($0) }
    if word.isEmpty { return false }
    if table[String(word)] != nil || isZone(String(word)) { return true }
    let parts = word.split(omittingEmptySubsequences: false) { "-–,/".contains($0) }
    return parts.count > 1 && parts.allSatisfy { table[String($0)] != nil }
  }

  /// Returns true for a time zone in lower case: an abbreviation, an offset such as `utc+2`, or the name of one in the tz
  /// database.
  static func isZone(_ word: String) -> Bool {
    if let zones = table[word]?.zones { return !zones.isEmpty }
    if word.hasPrefix("utc") || word.hasPrefix("gmt"), let sign = word.dropFirst(3).first {
      return "+-−0123456789".contains(sign)
    }
    guard let slash = word.firstIndex(of: "/"), word.index(after: slash) < word.endIndex else {
      return false
    }
    return areas.contains(String(word[..<slash]))
  }

  /// The folders of the tz database.
  private static let areas = [
    "africa", "america", "antarctica", "arctic", "asia", "atlantic", "australia", "brazil",
    "canada", "chile", "etc", "europe", "indian", "mexico", "pacific", "us",
  ]

  static let dayNames = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]
  static let monthNames = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]
  /// The weeks of a month by their numbers; the last one can be the fourth or the fifth.
  static let weeks = ["last", "first", "second", "third", "fourth", "fifth"]

  /// All words in lower case.
  static let all = table.keys.sorted()

  private static let table: [String: TimeWord] = {
    var table: [String: TimeWord] = [:]
    func add(_ words: String, _ change: (inout TimeWord) -> Void) {
      for word in words.split(separator: " ") { change(&table[String(word), default: TimeWord()]) }
    }
    func prefixes(of name: String, from length: Int) -> String {
      (length...name.count).map { String(name.prefix($0)) }.joined(separator: " ")
    }
    for (number, name) in dayNames.enumerated() {
      add(prefixes(of: name, from: 2)) { $0.weekday = number }
      add("\(name)s") { ($0.weekday, $0.isPlural) = (number, true) }
    }
    add("weds") { $0.weekday = 2 }
    add("weekday weekdays workday workdays") { $0.weekdays = .mondayToFriday }
    add("weekend weekends") { $0.weekdays = .weekend }
    for (name, days) in ["yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1, "tmrw": 1] {
      add(name) { $0.daysFromToday = days }
    }
    for (index, name) in monthNames.enumerated() {
      add(prefixes(of: name, from: 3)) { $0.month = index + 1 }
    }
    add("sept") { $0.month = 9 }
    for unit in DurationText.units {
      add("\(unit.name) \(unit.synonyms.joined(separator: " "))") { $0.unit = unit }
    }
    for (words, instead) in [
      ("month months mth mths mos quarter quarters", "days, such as 30d, or a date"),
      ("year years yr yrs y decade decades century centuries", "days, such as 365d, or a date"),
      ("fortnight fortnights", "weeks, such as 2w"), ("night nights", "days, such as 1d"),
      ("ns us µs μs nanosecond nanoseconds microsecond microseconds", "ms, such as 1ms"),
    ] {
      add(words) { $0.insteadOfUnit = instead }
    }
    let ones = [
      "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
      "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
      "nineteen",
    ]
    for (number, name) in ones.enumerated() { add(name) { $0.number = number } }
    let tens = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
    for (index, name) in tens.enumerated() { add(name) { $0.number = 10 * (index + 2) } }
    add("fourty") { $0.number = 40 }
    let ordinals = [
      "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
      "eleventh", "twelfth",
    ]
    for (index, name) in ordinals.enumerated() { add(name) { $0.ordinal = index + 1 } }
    add("other") { $0.ordinal = 2 }
    add("half") { $0.quarters = 2 }
    add("quarter") { $0.quarters = 1 }
    add("noon midday") { $0.time = .init(hour: 12) }
    add("midnight") { $0.time = .init(hour: 0) }
    add("twice") { $0.count = 2 }
    add("thrice") { $0.count = 3 }
    for (words, zones) in [
      ("utc gmt z zulu", ["UTC"]), ("jst", ["Asia/Tokyo"]), ("kst", ["Asia/Seoul"]),
      ("msk", ["Europe/Moscow"]), ("hkt", ["Asia/Hong_Kong"]), ("sgt", ["Asia/Singapore"]),
      ("wet", ["Europe/Lisbon", "Atlantic/Canary"]),
      ("cet cest", ["Europe/Berlin", "Europe/Paris", "Africa/Algiers"]),
      ("eet eest", ["Europe/Athens", "Europe/Kyiv", "Africa/Cairo"]),
      ("bst", ["Europe/London", "Asia/Dhaka"]),
      ("ist", ["Asia/Kolkata", "Europe/Dublin", "Asia/Jerusalem"]),
      ("et est edt", ["America/New_York", "America/Panama"]),
      ("ct cst cdt", ["America/Chicago", "America/Costa_Rica", "Asia/Shanghai"]),
      ("mst mdt", ["America/Denver", "America/Phoenix"]),
      ("pt pst pdt", ["America/Los_Angeles", "Asia/Manila"]),
      ("akst akdt", ["America/Anchorage", "America/Juneau"]),
      ("hst hdt", ["Pacific/Honolulu", "America/Adak"]),
      ("ast adt", ["America/Halifax", "Asia/Riyadh"]),
      ("nst ndt", ["America/St_Johns", "Pacific/Niue"]),
      ("aest aedt", ["Australia/Sydney", "Australia/Brisbane"]),
      ("acst acdt", ["Australia/Adelaide", "Australia/Darwin"]),
      ("awst", ["Australia/Perth", "Asia/Shanghai"]),
      ("nzst nzdt", ["Pacific/Auckland", "Antarctica/McMurdo"]),
      ("sast", ["Africa/Johannesburg", "Africa/Maseru"]),
      ("brt", ["America/Sao_Paulo", "America/Bahia"]),
    ] {
      add(words) { $0.zones = zones }
    }
    add(
      """
      before after from to until till at on in by ago every each times once per repeat repeating for of or and \
      since between within during around about through thru than when later earlier hence ahead past starting \
      ending lasting long warn forever daily hourly weekly biweekly fortnightly monthly quarterly yearly annually \
      annual nightly
      """
    ) { $0.isRelation = true }
    // Words with no meaning of their own to the parser, except as parts of phrases.
    add(
      """
      am pm a.m p.m a.m. p.m. o'clock oclock o’clock morning mornings afternoon afternoons evening evenings sharp eod \
      dawn dusk sunrise sunset hundred thousand dozen couple few several next last this previous coming following
      """
    ) { _ in }
    return table
  }()
}

extension StringProtocol {
  /// Returns the text without the characters at its end that match.
  fileprivate func trimmingSuffix(while matches: (Character) -> Bool) -> SubSequence {
    var rest = self[...]
    while let last = rest.last, matches(last) { rest.removeLast() }
    return rest
  }
}
