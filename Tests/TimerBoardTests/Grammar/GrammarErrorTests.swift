import Fuzzing
import Testing
import TimerKit

@testable import TimerBoard

@Suite struct GrammarErrorTests {
  /// The time to reject a text is proportional to its length.
  @Test(arguments: ["x", "tea=3m x", "every ", "tea=", "a=3m missed ", "3m then ", "'"])
  func longTextsAreRejectedInLinearTime(beginning: String) {
    let text = beginning + String(repeating: "y", count: 1_000_000)
    var result: Result<[TimerSpec], any Error>?
    let took = processorTime { result = Result { try TimerSpec.parse(arguments: [text]) } }
    #expect(throws: TimerSyntaxError.self) { try result?.get() }
    // A debug build took ten to thirty.
    #expect(took < .seconds(3), "\(took)")
  }

  /// A session is read even if a file is gone.
  @Test func aMissingSoundIsAnErrorWhereItIsWritten() throws {
    let check = SoundCheck { $0 == "/a.ogg" ? "no such file or directory" : nil }
    let context = TimerContext(defaults: TimerDefaults(soundCheck: check))
    let error = #expect(throws: TimerSyntaxError.self) {
      try TimerSpec.parse(arguments: ["tea=3m sound /a.ogg"], in: context)
    }
    #expect(error?.message == "sound '/a.ogg': no such file or directory" && error?.offset == 13)
    for (name, context) in [("/b.ogg", context), ("/a.ogg", .trusted), ("gong", .trusted)] {
      let spec = try TimerSpec.parse(timer: "tea=3m sound \(name)", in: context)
      #expect(spec.soundName == name && spec.roundTripsAsText)
    }
  }

  @Test func theEventsOfACommandAreListed() throws {
    let error = #expect(throws: TimerSyntaxError.self) {
      try TimerSpec.parse(arguments: ["3s on quux run x"])
    }
    #expect(error?.message.hasPrefix("unknown event 'quux' (expected added, started, ") ?? false)
    #expect(error?.message.hasSuffix(", acknowledged)") ?? false)
  }

  /// The column, counted from 1, and the message.
  @Test(arguments: [
    ("", 1, "no timer given (expected one, such as tea=3m or every 30s x8)"),
    ("evry 30s", 1, "invalid timer 'evry' (did you mean 'every'?)"),
    ("at", 3, "missing time of day after 'at' (expected a time, such as at 14:30)"),
    ("daily foo", 7, "invalid time of day 'foo' (expected a time, such as daily 14:30)"),
    (
      "lunch=daily x3", 13,
      "missing time of day after 'daily' (expected a time, such as daily 14:30)"
    ),
    (
      "every mon", 10,
      "missing time of day after 'every mon' (expected a time, such as every mon 14:30)"
    ),
    (
      "every mon,thu x3", 15,
      "missing time of day after 'every mon,thu' (expected a time, such as every mon,thu 14:30)"
    ),
    ("every mon,foo 6pm", 11, "unknown day 'foo' (expected days, such as mon,thu)"),
    ("every mon,,thu 6pm", 11, "unknown day '' (expected days, such as mon,thu)"),
    ("every ,mon 6pm", 7, "unknown day '' (expected days, such as mon,thu)"),
    ("every mnday 6pm", 7, "unknown day 'mnday' (did you mean 'monday'?)"),
    ("every foo 6pm", 7, "invalid duration 'foo' (expected a duration, such as every 30s)"),
    (
      "green tea=3m", 1,
      "invalid timer 'green' (expected a duration, such as 3m, or a name in quotes, such as 'green tea'=3m)"
    ),
    (
      "'green tea=3m'", 2,
      "invalid timer 'green tea=3m' (expected a duration, such as 3m, or a name in quotes, such as 'green tea'=3m)"
    ),
    ("at 24:00", 4, "hour out of range (expected 0 to 23)"),
    ("at 13:30pm", 4, "hour out of range (expected 1 to 12 before am or pm)"),
    ("at 0am", 4, "hour out of range (expected 1 to 12 before am or pm)"),
    (
      "at 9:5", 6,
      "invalid time of day (expected two digits after a colon, 00 to 59, such as 09:05)"
    ),
    (
      "at 9:60", 6,
      "invalid time of day (expected two digits after a colon, 00 to 59, such as 09:05)"
    ),
    ("at 9:30Z", 8, "unexpected 'Z' (expected a time, such as 14:30 or 2:30pm)"),
    ("at 27-01-31T9:00", 4, "invalid date (expected year-month-day, such as 2027-01-31)"),
    ("at 2027-02-29T9:00", 4, "no such date, or too far away"),
    ("at 2027-01-31T09:00+1", 20, "invalid offset '+1' (expected Z, or one such as +01:00)"),
    (
      "at 2027-01-31Tx", 15,
      "missing time of day after '2027-01-31' (expected a time, such as 2027-01-31T09:00)"
    ),
    ("at 12:30 missed skip", 10, "'missed' does not apply to 'at'"),
    ("tea=3m then", 12, "missing name after 'then' (expected the name of a timer or a group)"),
    ("tea=3m then egg x0 egg=5m", 18, "count must be at least 1"),
    ("tea=3m then egg x3 x4 egg=5m", 20, "count given twice"),
    ("tea=every 3m x2 then egg x3 x4 egg=5m", 29, "count given twice"),
    ("tea=3m group", 13, "missing name after 'group' (expected a name, such as group laundry)"),
    (
      "tea=3m group 5m", 14,
      "missing name after 'group' (expected a name, such as group laundry)"
    ),
    ("tea=3m group a group b", 16, "'group' given twice"),
    ("tea=3m group egg egg=5m", 14, "group 'egg' has the name of a timer (expected another name)"),
    ("tea=3m grup laundry", 8, "unknown word 'grup' (did you mean 'group'?)"),
    (
      "tea=3m group laundry then laundri", 27,
      "unknown timer or group 'laundri' (did you mean 'laundry'?)"
    ),
    ("tea=3m then eg egg=5m", 13, "unknown timer or group 'eg' (did you mean 'egg'?)"),
    (
      "tea=3m then oolong", 13,
      "unknown timer or group 'oolong' (expected the name of a timer or a group)"
    ),
    (
      "tea=every 3m then tea", 14,
      "'then' after a timer without an end (expected a count, such as x8)"
    ),
    ("stopwatch then tea", 11, "'then' does not apply to 'stopwatch'"),
    ("tea=3m run", 11, "missing command after 'run' (expected a command, such as run 'make test')"),
    (
      "tea=3m run ' '", 13,
      "missing command after 'run' (expected a command, such as run 'make test')"
    ),
    ("3s on pausd run x", 7, "unknown event 'pausd' (did you mean 'paused'?)"),
    ("3s on fired run x on fired run y", 19, "'on fired' given twice"),
    (
      "3s on fired run ''", 19,
      "missing command after 'run' (expected a command, such as run 'make test')"
    ),
    ("tea=3m now", 8, "'now' does not apply to 'once'"),
    ("daily 9:00 now", 12, "'now' does not apply to 'daily'"),
    ("every 5s now now", 14, "'now' given twice"),
    ("tea=3m jitter 1s", 8, "'jitter' does not apply to 'once'"),
    (
      "every 5s jitter", 16,
      "missing duration after 'jitter' (expected a duration, such as jitter 30s)"
    ),
    ("every 5s jitter 0s", 17, "duration must be greater than zero"),
    ("every 5s jitter 6s tea=3m", 10, "jitter must be at most the interval"),
    ("tea=3m backoff 5m", 8, "'backoff' does not apply to 'once'"),
    (
      "every 5s backoff 5m", 20,
      "'backoff' without a command (expected one, such as run 'make test')"
    ),
    (
      "every 5s backoff 5m tea=3m", 10,
      "'backoff' without a command (expected one, such as run 'make test')"
    ),
    ("every 5s backoff 5s run x", 10, "backoff must be longer than the interval"),
    ("ring=3m", 1, "reserved name 'ring' (expected ring without =, or 'ring'= in quotes)"),
    ("tea", 1, "invalid timer 'tea' (expected a duration, such as 3m)"),
    ("cycle", 6, "missing duration after 'cycle' (expected a duration, such as cycle 30s)"),
    (
      "'3m'", 2,
      "invalid timer '3m' (expected a duration, such as 3m, or a name in quotes, such as 'green tea'=3m)"
    ),
    ("tea=", 5, "missing timer after the name (expected a timer, such as tea=3m)"),
    ("tea=oolong", 5, "invalid timer 'oolong' (expected a duration, such as 3m)"),
    ("=3m", 1, "missing name before '=' (expected a name, such as tea=3m)"),
    ("''=3m", 3, "missing name before '=' (expected a name, such as tea=3m)"),
    ("a=b=3m", 4, "more than one '=' (expected one name, such as tea=3m)"),
    ("a = = 3m", 5, "more than one '=' (expected one name, such as tea=3m)"),
    ("every=3m", 1, "reserved name 'every' (expected every without =, or 'every'= in quotes)"),
    (
      "tea=3m tolerance=1s", 1,
      "reserved name 'tolerance' (expected tolerance without =, or 'tolerance'= in quotes)"
    ),
    ("every", 6, "missing duration after 'every' (expected a duration, such as every 30s)"),
    ("every x8", 7, "missing duration after 'every' (expected a duration, such as every 30s)"),
    ("brew=every 30 x", 14, "missing unit after '30' (expected 30s, 30m or 30h)"),
    ("brew=every 30s x", 17, "missing count (expected a count, such as x8)"),
    ("every 30s x8b", 13, "invalid count '8b' (expected a count, such as x8)"),
    ("every 30s x0", 12, "count must be at least 1"),
    ("every 30s x-3", 12, "count must be at least 1"),
    ("every 30s x99999999999999999999", 12, "count must be at most 1000000000"),
    ("every 30s x2 x3", 14, "count given twice"),
    ("cycle 25m/", 11, "missing phase beside '/' (expected a duration, such as 25m/5m)"),
    ("cycle 25m//5m", 11, "missing phase beside '/' (expected a duration, such as 25m/5m)"),
    ("cycle /5m", 7, "missing phase beside '/' (expected a duration, such as 25m/5m)"),
    ("cycle work/5m", 7, "missing duration after 'work' (expected a duration, such as work 30s)"),
    (
      "cycle work rest 5m", 12,
      "missing duration after 'work' (expected a duration, such as work 30s)"
    ),
    (
      "debounce", 9, "missing duration after 'debounce' (expected a duration, such as debounce 30s)"
    ),
    ("debounce 2s max", 16, "missing duration after 'max' (expected a duration, such as max 30s)"),
    ("debounce foo", 10, "invalid duration 'foo' (expected a duration, such as debounce 30s)"),
    (
      "debounce x8", 10,
      "missing duration after 'debounce' (expected a duration, such as debounce 30s)"
    ),
    ("debounce 2s max foo", 17, "invalid duration 'foo' (expected a duration, such as max 30s)"),
    ("debounce 2s leadng", 13, "unknown word 'leadng' (did you mean 'leading'?)"),
    (
      "debounce 1s extra", 13,
      "unknown word 'extra' (expected max, leading, trailing, both, note, run, ring … or another timer)"
    ),
    (
      "throttle 1s extra", 13,
      "unknown word 'extra' (expected fixed, deferred, first, latest, nothing, note, run, ring … or another timer)"
    ),
    ("debounce 2s paused", 13, "'paused' does not apply to 'debounce'"),
    ("stopwatch missed skip", 11, "'missed' does not apply to 'stopwatch'"),
    ("throttl 2s", 1, "invalid timer 'throttl' (did you mean 'throttle'?)"),
    (
      "stopwatch x3", 11,
      "count without repetition (expected every, cycle or then, such as every 30s x8)"
    ),
    ("tea=0s", 5, "duration must be greater than zero"),
    ("tea=-5m", 5, "duration must not be negative"),
    ("tea=101y", 8, "unknown unit 'y' (expected ms, s, m, h, d or w)"),
    ("tea=40000d", 5, "duration must be at most 100 years (36525d)"),
    (
      "tea=3m 5:7", 3,
      "invalid duration (expected two digits after a colon, 00 to 59, such as 05:00)"
    ),
    ("30m1h", 4, "unit 'h' out of order (expected large to small, each once, such as 1h30m)"),
    ("0.1ms", 1, "duration must be in whole milliseconds"),
    ("tea=3m pausd", 8, "unknown word 'pausd' (did you mean 'paused'?)"),
    ("tea=3m paused paused", 15, "'paused' given twice"),
    (
      "tea=3m tolerance", 17,
      "missing duration after 'tolerance' (expected a duration, such as tolerance 30s)"
    ),
    ("tea=3m tolerance -1s", 18, "duration must not be negative"),
    ("every 1s missed", 16, "missing policy after 'missed' (expected skip, delay or burst)"),
    ("every 1s missed skp", 17, "unknown policy 'skp' (expected skip, delay or burst)"),
    ("every 1s missed all", 17, "unknown policy 'all' (expected skip, delay or burst)"),
    ("every 1s missed burst 0", 23, "count must be at least 1"),
    ("tea=3m note", 12, "missing text after 'note' (expected a text, such as note 'two bags')"),
    ("tea=3m note 'two bags", 22, "missing closing quote (expected ')"),
    (#"tea=3m note "two"#, 17, "missing closing quote (expected \")"),
    ("每日=every 30", 12, "missing unit after '30' (expected 30s, 30m or 30h)"),
    (
      "1h30m -", 7,
      "unknown word '-' (expected paused, note, then, run, ring … or another timer)"
    ),
  ])
  func rejectsInvalidText(_ line: String, _ column: Int, _ message: String) throws {
    let error = try #require(throws: TimerSyntaxError.self) {
      try TimerSpec.parse(arguments: [line])
    }
    #expect(error.column == column)
    #expect(error.message == message)
    #expect(error.line == line)
  }

  @Test func anErrorHasItsTimerAndPosition() throws {
    let error = try #require(throws: TimerSyntaxError.self) {
      try TimerSpec.parse(arguments: ["tea=3m", "egg=every 30", "every 5s"])
    }
    #expect(error.argument == 1)
    #expect(error.column == 13)
    #expect(error.line == "tea=3m egg=every 30 every 5s")
    #expect(error.timer == "egg=every 30")
    #expect(
      error.description
        == "egg=every 30: column 13: missing unit after '30' (expected 30s, 30m or 30h)")
  }

  @Test func controlCharactersAreReplaced() throws {
    let error = try #require(throws: TimerSyntaxError.self) {
      try TimerSpec.parse(arguments: ["\u{1b}[31m\u{9b}2J"])
    }
    #expect(error.description.hasPrefix("\u{FFFD}[31m\u{FFFD}2J: column 1: "))
  }

  @Test func incompleteLinesAreRecognized() throws {
    func isIncomplete(_ line: String) throws -> Bool {
      try #require(throws: TimerSyntaxError.self) { try TimerSpec.parse(arguments: [line]) }
        .isIncomplete
    }
    #expect(try isIncomplete("tea=every 3"))
    #expect(try isIncomplete("tea=every"))
    #expect(try isIncomplete("tea=3m note 'two"))
    #expect(try !isIncomplete("tea=every 3x"))
  }

  @Test func aSingleTimerIsRequired() throws {
    let error = try #require(throws: TimerSyntaxError.self) {
      try TimerSpec.parse(timer: "tea=3m egg=5m")
    }
    #expect(error.message == "more than one timer (expected one)")
    #expect(error.column == 8)
  }

  /// Any text is parsed, or rejected with a position in it.
  @Test func randomTextIsParsedOrRejected() {
    var random = SplitMix(state: 3)
    let pieces = [
      "tea", "=", " ", " ", "3m", "every", "x", "8", "'", "\"", "\\", "paused", "tolerance", "note",
      "missed", "burst", "at", "daily", "12:30", "2027-01-31T", "pm", "then", "group", "run",
      "backoff", "now", "jitter",
      "mon,", "mon", "tomorrow", "noon", "in", "for", "min", "half", "an", "hour", "@", "pomodoro",
      "/",
      "dec", "times", "until", "-", ":", ".", "9999999999", "é", "\u{301}", "👨‍👩‍👧", "\u{0}", "\n", "h",
    ]
    for _ in 0..<5_000 {
      let line = (0..<Int.random(in: 0...12, using: &random))
        .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      do throws(TimerSyntaxError) {
        _ = try TimerSpec.parse(arguments: [line])
      } catch {
        #expect(error.offset >= 0 && error.offset <= line.unicodeScalars.count, "\(line)")
        #expect(!error.message.isEmpty)
      }
    }
  }
}
