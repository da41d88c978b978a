import Testing
import TimerKit

@testable import TimerBoard

/// A hundred phrases that people type, each with the timers that it means or with its error.
@Suite struct PhraseTests {
  /// Wednesday, 2026-07-01 14:29.
  static let now = ClockReading(wall: WallInstant(nanosecondsSince1970: 1_782_916_140_000_000_000))
  static let context = TimerContext(now: now)

  /// The phrase, and its timers in the form in which they are saved.
  static let good: [(String, String)] = [
    // Durations.
    ("1h 30m", "1h30m"),
    ("5 min", "5m"),
    ("25 minutes", "25m"),
    ("90 sec", "1m30s"),
    ("3 hours", "3h"),
    ("1 week", "7d"),
    ("1w 2d", "9d"),
    ("5m30", "5m30s"),
    ("1h5", "1h5m"),
    ("2 hours 5 minutes 30 seconds", "2h5m30s"),
    ("1.5 hours", "1h30m"),
    ("12:30", "12m30s"),
    ("5m 10m", "5m, 10m"),
    ("30m 1h 30m", "30m, 1h30m"),
    ("in 5 minutes", "5m"),
    ("In 5 Minutes", "5m"),
    ("for 25m", "25m"),
    ("25m awake", "25m awake"),
    ("nap 25m awake paused", "nap=25m paused awake"),
    ("stopwatch awake idle 5m awake", "stopwatch awake, idle 5m awake"),
    ("awake=5m", "'awake'=5m"),
    ("pomodoro wait", "pomodoro=cycle 25m/5m x4 wait"),
    ("wash 40m then dry wait dry 30m paused", "wash=40m then dry wait, dry=30m paused"),
    ("3m silent", "3m silent"),
    ("3m sound glass", "3m sound glass"),
    ("3m sound '/my bells/a.ogg' paused", "3m paused sound '/my bells/a.ogg'"),
    ("sound=3m ring sound ~/a.ogg", "'sound'=3m ring sound ~/a.ogg"),
    ("group=3m group=5m group x", "'group'=3m, 'group'=5m group x"),
    ("wash=30m then dry x3 dry=1h", "wash=30m then dry x3, dry=1h"),
    ("wash=30m then dry 3 times dry=1h", "wash=30m then dry x3, dry=1h"),
    ("wash=30m then dry wait 3x dry=1h", "wash=30m then dry x3 wait, dry=1h"),
    ("a=every 45s then b x8 b=1m", "a=every 45s x8 then b, b=1m"),
    ("a=every 45s x8 then b x3 b=1m", "a=every 45s x8 then b x3, b=1m"),
    ("cycle 25/5 then b x4 b=1h", "cycle 25m/5m x4 then b, b=1h"),
    ("5m group '5m' 1h then 5m", "5m group '5m', 1h then 5m"),
    ("every second monday=3m", "every 1s, monday=3m"),
    ("every 20m chime", "every 20m chime"),
    ("chime=3m silent=5m wait=7m", "'chime'=3m, 'silent'=5m, 'wait'=7m"),
    // Names.
    ("tea 3m", "tea=3m"),
    ("tea: 3m", "tea=3m"),
    ("3m tea", "tea=3m"),
    ("25 min nap paused", "nap=25m paused"),
    ("tea for 3 minutes", "tea=3m"),
    ("laundry in 1h 10m", "laundry=1h10m"),
    ("tea 3m egg 5m 30s", "tea=3m, egg=5m30s"),
    ("'green tea' 3m", "'green tea'=3m"),
    ("noon=5m tomorrow=1h pomodoro=20m", "noon=5m, tomorrow=1h, pomodoro=20m"),
    ("rest every 90s x3", "rest=every 1m30s x3"),
    ("5m tea 3m eggs", "tea=5m, eggs=3m"),
    ("5m tea 3m eggs 2m toast ring", "tea=5m, eggs=3m, toast=2m ring"),
    ("5m tea 3m", "5m, tea=3m"),
    ("3m tea 5m egg", "tea=3m, egg=5m"),
    ("remind me at 3pm to call mum", "'call mum'=at 15:00"),
    ("remind me to call mum at 3pm", "'call mum'=at 15:00"),
    ("remind me to buy 2 eggs at 5pm", "'buy 2 eggs'=at 17:00"),
    ("remind me to stretch at 5pm paused", "stretch=at 17:00 paused"),
    ("remind me at quarter to six to go", "go=at 17:45"),
    ("remind me in 5", "5m"),
    // In words, and with fractions.
    ("90", "1h30m"),
    ("in 5", "5m"),
    ("tea 5", "tea=5m"),
    ("3 moons", "moons=3m"),
    ("half an hour", "30m"),
    ("tea in half an hour", "tea=30m"),
    ("quarter of an hour", "15m"),
    ("three quarters of an hour", "45m"),
    ("two and a half hours", "2h30m"),
    ("an hour and a half", "1h30m"),
    ("1 hour and 30 minutes", "1h30m"),
    ("2½h", "2h30m"),
    ("½ hour", "30m"),
    ("1,5h", "1h30m"),
    ("3m note half", "3m note half"),
    // By the clock, once.
    ("half past 3", "at 15:30"),
    ("quarter to six", "at 17:45"),
    ("tea ten past five am", "tea=at 05:10"),
    ("tomorrow at half past 9", "at 2026-07-02T09:30"),
    ("tonight 8", "at 2026-07-01T20:00"),
    ("tonight at 9:30", "at 2026-07-01T21:30"),
    ("tonight 12", "at 2026-07-02T00:00"),
    ("noon", "at 12:00"),
    ("midnight", "at 00:00"),
    ("9am", "at 09:00"),
    ("at 9", "at 09:00"),
    ("at noon", "at 12:00"),
    ("9:30pm", "at 21:30"),
    ("9:30 pm", "at 21:30"),
    ("until 17:00", "at 17:00"),
    ("by 17:00", "at 17:00"),
    ("tomorrow 9am", "at 2026-07-02T09:00"),
    ("tomorrow at noon", "at 2026-07-02T12:00"),
    ("friday 9:00", "at fri 09:00"),
    ("meeting on friday at 9", "meeting=at fri 09:00"),
    ("on 24 dec 18:00", "at 2026-12-24T18:00"),
    ("on may 1st at 8", "at 2027-05-01T08:00"),
    ("lunch at 12:30", "lunch=at 12:30"),
    // Repeatedly.
    ("every hour", "every 1h"),
    ("hourly", "every 1h"),
    ("every 2 days", "every 2d"),
    ("every day at 9", "daily 09:00"),
    ("daily at 9", "daily 09:00"),
    ("every 9am", "daily 09:00"),
    ("every monday at 9", "every mon 09:00"),
    ("mondays 9:00", "every mon 09:00"),
    ("mon-fri 9:55", "weekdays 09:55"),
    ("standup weekdays at 9:55", "standup=weekdays 09:55"),
    ("every weekend noon", "every sat,sun 12:00"),
    ("weekly", "every 7d"),
    ("weekly friday 9:00", "every fri 09:00"),
    ("every other day", "every 2d"),
    ("every third hour tea=3m", "every 3h, tea=3m"),
    // Counts, cycles and presets.
    ("45s x 3", "every 45s x3"),
    ("3 x 45s", "every 45s x3"),
    ("3x 45s", "every 45s x3"),
    ("3m 8 times", "every 3m x8"),
    ("egg=3m x3 then egg", "egg=every 3m x3 then egg"),
    ("25/5", "cycle 25m/5m"),
    ("focus 50/10 x4", "focus=cycle 50m/10m x4"),
    ("every 45s 8 times", "every 45s x8"),
    ("every 45s x 8", "every 45s x8"),
    ("every 45s 8x", "every 45s x8"),
    ("cycle 25/5", "cycle 25m/5m"),
    ("cycle 20 sec/10 sec x8", "cycle 20s/10s x8"),
    ("pomodoro", "pomodoro=cycle 25m/5m x4"),
    ("@tabata x4 ring", "tabata=cycle 20s/10s x4 ring"),
    ("focus=52/17", "focus=cycle 52m/17m"),
  ]

  /// The phrase, the column of the error, and its message.
  static let bad: [(String, Int, String)] = [
    ("", 1, "no timer given (expected one, such as tea=3m or every 30s x8)"),
    ("5 10", 2, "missing unit after '5' (expected 5s, 5m or 5h)"),
    ("at 9 30", 3, "missing unit after '30' (expected 30s, 30m or 30h)"),
    ("5 mintues", 3, "unknown unit 'mintues' (did you mean 'minutes'?)"),
    ("5x", 3, "missing duration after '5x' (expected a duration, such as 5x 30s)"),
    ("monday", 7, "missing time of day after 'monday' (did you mean 'monday 9:00'?)"),
    ("tomorrow", 9, "missing time of day after 'tomorrow' (did you mean 'tomorrow 9:00'?)"),
    ("tonight", 8, "missing time of day after 'tonight' (did you mean 'tonight 9:00'?)"),
    (
      "tomorrow morning", 10, "no time of day in 'tomorrow morning' (did you mean 'tomorrow 9:00'?)"
    ),
    ("friday night", 8, "no time of day in 'friday night' (did you mean 'friday 21:00'?)"),
    ("next friday noon", 1, "ambiguous day 'next friday' (did you mean 'friday'?)"),
    ("tea next friday", 5, "ambiguous day 'next friday' (did you mean 'friday 9:00'?)"),
    (
      "every second monday", 20,
      "missing time of day after 'every second monday' (expected a time, such as every second monday 14:30)"
    ),
    ("1h90", 5, "missing unit after '90' (expected 90s, 90m or 90h)"),
    ("3m ring silent", 9, "'ring' and 'silent' exclude each other"),
    ("3m silent sound glass", 11, "'silent' and 'sound' exclude each other"),
    ("3m sound glas", 10, "unknown sound 'glas' (did you mean 'glass'?)"),
    (
      "3m sound gong.wav paused", 10,
      "unknown sound 'gong.wav' (expected bowl, glass, tower or a path that begins with / or ~/)"
    ),
    (
      "3m sound", 9,
      "missing sound after 'sound' (expected bowl, glass, tower or a path that begins with / or ~/)"
    ),
    ("stopwatch sound glass", 11, "'sound' does not apply to 'stopwatch'"),
    ("3m wait 5m", 4, "'wait' needs a cycle or 'then'"),
    ("stopwatch chime", 11, "'chime' does not apply to 'stopwatch'"),
    ("in", 3, "missing duration after 'in' (expected a duration, such as in 30s)"),
    ("in a while", 4, "invalid duration 'a' (expected a duration, such as in 30s)"),
    ("tea", 1, "invalid timer 'tea' (expected a duration, such as 3m)"),
    (
      "walk to work 20m", 1,
      "invalid timer 'walk' (expected a duration, such as 3m, or a name in quotes, such as 'walk to work'=20m)"
    ),
    (
      "walk to work 17:30", 1,
      "invalid timer 'walk' (expected a duration, such as 3m, or a name in quotes, such as 'walk to work'=at 17:30)"
    ),
    (
      "green tea=3m", 1,
      "invalid timer 'green' (expected a duration, such as 3m, or a name in quotes, such as 'green tea'=3m)"
    ),
    (
      "big green tea = pomodoro", 1,
      "invalid timer 'big' (expected a duration, such as 3m, or a name in quotes, such as 'green tea'=3m)"
    ),
    (
      "'green tea=3m' paused", 2,
      "invalid timer 'green tea=3m' (expected a duration, such as 3m, or a name in quotes, such as 'green tea'=3m)"
    ),
    (
      "tea 3m @nope", 1,
      "unknown preset '@nope' (expected @20-20-20, @4-7-8, @52/17, @90/20, @box, @hiit, @pomodoro, @tabata)"
    ),
    (
      "3m green tea egg 5m", 4,
      "unknown word 'green' (expected paused, note, then, run, ring … or another timer)"
    ),
    (
      "yesterday 9am", 1, "date is in the past"
    ),
    ("debounce 2s laeding", 13, "unknown word 'laeding' (did you mean 'leading'?)"),
    ("evry 30s", 1, "invalid timer 'evry' (did you mean 'every'?)"),
    ("every_monday", 1, "invalid timer 'every_monday' (expected a duration, such as 3m)"),
    ("tea=3m puased egg=5m", 8, "unknown word 'puased' (did you mean 'paused'?)"),
    ("tea=3m puased 5m", 8, "unknown word 'puased' (did you mean 'paused'?)"),
    (
      "every 5m until 14:00", 16,
      "'14:00' has passed today (expected a later time, such as until 23:59)"
    ),
    ("5m for tea", 4, "'for' does not apply to 'once'"),
    ("at", 3, "missing time of day after 'at' (expected a time, such as at 14:30)"),
    ("at ninety", 4, "invalid time of day 'ninety' (expected a time, such as at 14:30)"),
    (
      "tomorrow soon", 10, "invalid time of day 'soon' (expected a time, such as tomorrow 14:30)"
    ),
    ("at 25", 4, "hour out of range (expected 0 to 23)"),
    (
      "at 9:5", 6,
      "invalid time of day (expected two digits after a colon, 00 to 59, such as 09:05)"
    ),
    ("14pm", 1, "hour out of range (expected 1 to 12 before am or pm)"),
    (
      "until mon-fri 9:55", 7,
      "several days 'mon-fri' for an alarm that fires once (expected one day, or every mon-fri)"
    ),
    ("on 31 feb 9:00", 4, "no such date, or too far away"),
    ("at 2026-06-30T09:00", 4, "date is in the past"),
    (
      "every monday", 13,
      "missing time of day after 'every monday' (expected a time, such as every monday 14:30)"
    ),
    (
      "every day at", 13,
      "missing time of day after 'every day' (expected a time, such as every day 14:30)"
    ),
    ("every mon-fir 9:55", 11, "unknown day 'fir' (expected days, such as mon,thu)"),
    ("every mon-firday 9:55", 11, "unknown day 'firday' (did you mean 'friday'?)"),
    ("every Mnday,thu 9:55", 7, "unknown day 'Mnday' (did you mean 'monday'?)"),
    ("every mon-", 11, "unknown day '' (expected days, such as mon,thu)"),
    (
      "every until 17:00", 7,
      "missing duration after 'every' (expected a duration, such as every 30s)"
    ),
    ("every", 6, "missing duration after 'every' (expected a duration, such as every 30s)"),
    ("every 45s x 0", 13, "count must be at least 1"),
    ("pomodor", 1, "invalid timer 'pomodor' (did you mean 'pomodoro'?)"),
    ("@tabatta", 1, "unknown preset '@tabatta' (did you mean '@tabata'?)"),
    ("cycle 25/", 10, "missing phase beside '/' (expected a duration, such as 25m/5m)"),
    ("cycle 25/ x4", 11, "missing phase beside '/' (expected a duration, such as 25m/5m)"),
    (
      "cycle 25/rest/5", 10, "missing duration after 'rest' (expected a duration, such as rest 30s)"
    ),
    ("cycle x4", 7, "missing duration after 'cycle' (expected a duration, such as cycle 30s)"),
  ]

  @Test(arguments: good) func parsesPhrases(_ phrase: String, _ timers: String) throws {
    let specs = try TimerSpec.parse(arguments: [phrase], in: Self.context)
    #expect(specs.map(\.text).joined(separator: ", ") == timers)
    #expect(try TimerSpec.parse(entries: specs.map(\.text), in: Self.context) == specs)
    // A shell splits it into arguments, or it is one of them.
    if !phrase.contains("'") {
      let words = phrase.split(separator: " ").map(String.init)
      #expect(try TimerSpec.parse(arguments: words, in: Self.context) == specs)
    }
  }

  @Test(arguments: bad) func rejectsInvalidPhrases(
    _ phrase: String, _ column: Int, _ message: String
  ) throws {
    let error = try #require(throws: TimerSyntaxError.self) {
      try TimerSpec.parse(arguments: [phrase], in: Self.context)
    }
    #expect(error.column == column)
    #expect(error.message == message)
    guard let corrected = Self.corrected(phrase, error) else {
      #expect(!message.contains("did you mean"))
      return
    }
    #expect(throws: Never.self, "\(corrected)") {
      try TimerSpec.parse(arguments: [corrected], in: Self.context)
    }
  }

  /// Returns the phrase with the suggestion of its error, which replaces the first text in quotes; `nil` if there is none.
  static func corrected(_ phrase: String, _ error: TimerSyntaxError) -> String? {
    guard let hint = error.message.firstMatch(of: /'(.*?)'.* \(did you mean '(.*)'\?\)$/),
      let wrong = phrase.ranges(of: hint.1).last(where: {
        phrase[..<$0.lowerBound].count <= error.prefix.count
      })
    else { return nil }
    return String(phrase[..<wrong.lowerBound] + hint.2 + phrase[wrong.upperBound...])
  }

  /// The time to parse a text is proportional to its length.
  @Test(arguments: [
    "tea 3m ", "moon 3m ", "1h 1m 1s ", "5m ", "1/1/", "a 1/b 1/", "friday 9 ", "24 dec at 9 ",
    "every day at 9 8 times ", "pomodoro ", "x 8 ", "nap: in 5 minutes ", "half ", "1 min ",
    "half an hour ", "remind me to ", "remind me ", "remind me to buy 2 eggs ",
    "next friday ", "5m tea ", "quarter to ", "9am friday ", "9:00 UTC ", "mon and ", "mon to fri ",
    "twenty ", "twenty five seconds ", "green tea ", "1h 30 ", "1/2 ", "1 1/2 hours ",
    "tonight at 1 ",
    "in 3 days at 9 ", "cron ", "cron 0 9 ", "night ", "the ", "at 9 and ", "5m, ", "tea=half ",
    "once a ",
    "every other monday ", "every 2 weeks on ", "1st and ", "every month on ", "until 17:00 ",
    "every 5m for 1h ", "dec 25 ", "every day ", "9:00 on ", "call mum 17:30 ", "five times ",
    "from now ",
  ])
  func longLinesAreParsedInLinearTime(_ piece: String) {
    func time(_ count: Int) -> Duration {
      let line = (piece.contains("/") ? "cycle " : "") + String(repeating: piece, count: count)
      // The shortest of several times: other tests share the processor's caches.
      return (0..<5).map { _ in
        processorTime { _ = try? TimerSpec.parse(arguments: [line], in: Self.context) }
      }.min() ?? .zero
    }
    _ = time(10)
    let (short, long) = (time(60), time(240))
    #expect(long < short * 8, "\(short), \(long)")
  }

  @Test(arguments: [
    ("90", "90"), ("in 5", "5"), ("tea=3m egg=2.5", "2.5"), ("5 min", nil), ("25/5", nil),
  ])
  func aBareNumberIsReportedAsMinutes(_ line: String, _ number: String?) throws {
    let parsed = try ParsedTimers(arguments: [line], in: Self.context)
    #expect(parsed.numberInMinutes == number.map { "\($0) is in minutes; \($0)s are seconds" })
  }

  @Test func thereAreAHundred() {
    #expect(Self.good.count >= 60 && Self.bad.count >= 40)
  }
}
