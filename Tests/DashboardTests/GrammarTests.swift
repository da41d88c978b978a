import Fuzzing
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

@Suite struct GrammarTests {
  /// A text that is no timer is refused in a time that grows as it does.
  @Test(arguments: ["x", "3m x", "every ", "tea=", "a=3m missed ", "3m then ", "'"])
  func longTextsAreRefusedSoon(beginning: String) {
    let text = beginning + String(repeating: "y", count: 1_000_000)
    var result: Result<[TimerSpec], any Error>?
    let took = ContinuousClock().measure {
      result = Result { try TimerSpec.parse(line: text) }
    }
    #expect(throws: TimerSyntaxError.self) { try result?.get() }
    // It took ten to thirty in a build for debugging.
    #expect(took < .seconds(3), "\(took)")
  }

  @Test(
    arguments: [
      ("3m", [TimerSpec(kind: .once(.minutes(3)))]),
      ("once 3m", [TimerSpec(kind: .once(.minutes(3)))]),
      ("tea=3m", [TimerSpec(name: "tea", kind: .once(.minutes(3)))]),
      ("tea = 3m", [TimerSpec(name: "tea", kind: .once(.minutes(3)))]),
      ("tea= 3m", [TimerSpec(name: "tea", kind: .once(.minutes(3)))]),
      ("tea =3m", [TimerSpec(name: "tea", kind: .once(.minutes(3)))]),
      ("  tea=3m\n", [TimerSpec(name: "tea", kind: .once(.minutes(3)))]),
      ("sets=every 45s x8", [TimerSpec(name: "sets", kind: .every(.seconds(45), count: 8))]),
      ("every 45s ×8", [TimerSpec(kind: .every(.seconds(45), count: 8))]),
      ("every 45s paused x8", [TimerSpec(kind: .every(.seconds(45), count: 8), isPaused: true)]),
      ("every 1s", [TimerSpec(kind: .every(.seconds(1), count: nil))]),
      (
        "1h tolerance 1m missed delay note oolong",
        [
          TimerSpec(
            kind: .once(.hours(1)), tolerance: .minutes(1), missedTicks: .delay, note: "oolong")
        ]
      ),
      ("1h tolerance 0s", [TimerSpec(kind: .once(.hours(1)))]),
      (
        "every 1s missed burst",
        [TimerSpec(kind: .every(.seconds(1), count: nil), missedTicks: .burst(limit: 10))]
      ),
      (
        "every 1s missed burst 3",
        [TimerSpec(kind: .every(.seconds(1), count: nil), missedTicks: .burst(limit: 3))]
      ),
      ("every 1s missed skip", [TimerSpec(kind: .every(.seconds(1), count: nil))]),
      ("3m note 'two bags'", [TimerSpec(kind: .once(.minutes(3)), note: "two bags")]),
      (#"3m note "it's \"hot\"""#, [TimerSpec(kind: .once(.minutes(3)), note: "it's \"hot\"")]),
      ("3m note ''", [TimerSpec(kind: .once(.minutes(3)), note: "")]),
      ("3m note a=b", [TimerSpec(kind: .once(.minutes(3)), note: "a=b")]),
      ("3m note paused", [TimerSpec(kind: .once(.minutes(3)), note: "paused")]),
      ("'my tea'=3m", [TimerSpec(name: "my tea", kind: .once(.minutes(3)))]),
      ("'a=b'=3m", [TimerSpec(name: "a=b", kind: .once(.minutes(3)))]),
      ("'every'=3m", [TimerSpec(name: "every", kind: .once(.minutes(3)))]),
      ("tea's=3m", [TimerSpec(name: "tea's", kind: .once(.minutes(3)))]),
      ("x8=3m", [TimerSpec(name: "x8", kind: .once(.minutes(3)))]),
      ("每日=every 10s", [TimerSpec(name: "每日", kind: .every(.seconds(10), count: nil))]),
      (
        "pomodoro=cycle 25m/5m x4",
        [
          TimerSpec(
            name: "pomodoro",
            kind: .cycle([.init("work", .minutes(25)), .init("rest", .minutes(5))], rounds: 4))
        ]
      ),
      (
        "cycle warm 1m / 'x 2' 30s/ 10s x3 paused 5s",
        [
          TimerSpec(
            kind: .cycle(
              [
                .init("warm", .minutes(1)), .init("x 2", .seconds(30)),
                .init("phase 3", .seconds(10)),
              ], rounds: 3), isPaused: true),
          TimerSpec(kind: .once(.seconds(5))),
        ]
      ),
      ("lap=stopwatch paused", [TimerSpec(name: "lap", kind: .stopwatch, isPaused: true)]),
      (
        "save=debounce 2s max 10s both stopwatch",
        [
          TimerSpec(
            name: "save", kind: .debounce(.seconds(2), maxWait: .seconds(10), edges: .both)),
          TimerSpec(kind: .stopwatch),
        ]
      ),
      (
        "debounce 2s leading max 3s tolerance 1s",
        [
          TimerSpec(
            kind: .debounce(.seconds(2), maxWait: .seconds(3), edges: .leading),
            tolerance: .seconds(1))
        ]
      ),
      (
        "throttle 5s first deferred throttle 1s",
        [
          TimerSpec(kind: .throttle(.seconds(5), mode: .deferred, keeps: .first)),
          TimerSpec(kind: .throttle(.seconds(1), mode: .fixed, keeps: .latest)),
        ]
      ),
      (
        "coalesce 1m idle 10m",
        [TimerSpec(kind: .coalesce(.minutes(1))), TimerSpec(kind: .idle(.minutes(10)))]
      ),
      ("lunch=at 12:30", [TimerSpec(name: "lunch", kind: .at(.daily(12, 30)))]),
      ("at 9:05:07", [TimerSpec(kind: .at(.daily(9, 5, 7)))]),
      (
        "at 2pm at 2:30 PM",
        [TimerSpec(kind: .at(.daily(14))), TimerSpec(kind: .at(.daily(14, 30)))]
      ),
      (
        "at 12am 12pm=3m",
        [TimerSpec(kind: .at(.daily(0))), TimerSpec(name: "12pm", kind: .once(.minutes(3)))]
      ),
      (
        "newyear=at 2027-01-01T00:00 at 2027-01-31 8:15am",
        [
          TimerSpec(name: "newyear", kind: .at(.date(2027, 1, 1, 0, 0))),
          TimerSpec(kind: .at(.date(2027, 1, 31, 8, 15))),
        ]
      ),
      ("daily 23:59:59 x3", [TimerSpec(kind: .daily(.daily(23, 59, 59), count: 3))]),
      (
        "standup=weekdays 09:55 missed delay tolerance 1s",
        [
          TimerSpec(
            name: "standup", kind: .daily(.daily(9, 55, on: .mondayToFriday), count: nil),
            tolerance: .seconds(1), missedTicks: .delay)
        ]
      ),
      (
        "every Mon,thursday 18:00 every saturday 9am",
        [
          TimerSpec(kind: .daily(.daily(18, on: [.monday, .thursday]), count: nil)),
          TimerSpec(kind: .daily(.daily(9, on: .saturday), count: nil)),
        ]
      ),
      (
        "tea=3m then egg egg=5m ring then tea",
        [
          TimerSpec(name: "tea", kind: .once(.minutes(3)), next: "egg"),
          TimerSpec(name: "egg", kind: .once(.minutes(5)), rings: true, next: "tea"),
        ]
      ),
      (
        "round=every 1m x3 then round",
        [TimerSpec(name: "round", kind: .every(.minutes(1), count: 3), next: "round")]
      ),
      (
        "poll=every 5s backoff 5m run 'curl -sf example.org' ring",
        [
          TimerSpec(
            name: "poll", kind: .every(.seconds(5), count: nil), command: "curl -sf example.org",
            backoff: .minutes(5), rings: true)
        ]
      ),
      (
        "save=debounce 2s run make",
        [
          TimerSpec(
            name: "save", kind: .debounce(.seconds(2), maxWait: nil, edges: .trailing),
            command: "make")
        ]
      ),
      (
        "tea=3m every 30s x10 paused 90s",
        [
          TimerSpec(name: "tea", kind: .once(.minutes(3))),
          TimerSpec(kind: .every(.seconds(30), count: 10), isPaused: true),
          TimerSpec(kind: .once(.seconds(90))),
        ]
      ),
    ] as [(String, [TimerSpec])])
  func reads(_ line: String, _ specs: [TimerSpec]) throws {
    #expect(try TimerSpec.parse(line: line) == specs)
  }

  /// Column, counted from 1, and message.
  @Test(arguments: [
    ("", 1, "a timer belongs here, such as tea=3m or every 30s x8"),
    ("evry 30s", 1, "“evry” is no timer: did you mean every?"),
    (
      "tea 3m", 1,
      "“tea” is no timer: a duration such as 3m belongs here, or every 30s (with a name it is tea=3m)"
    ),
    ("at", 3, "a time of day belongs after at, like at 14:30"),
    ("at noon", 4, "a time of day belongs after at, like at 14:30"),
    ("lunch=daily x3", 13, "a time of day belongs after daily, like daily 14:30"),
    ("every mon", 10, "a time of day belongs after every, like every 14:30"),
    ("at 9", 5, "minutes belong after 9: 9:00, or 9am or 9pm"),
    ("at 14", 6, "minutes belong after 14: 14:00"),
    ("at 24:00", 4, "hours go from 0 to 23"),
    ("at 13:30pm", 4, "hours go from 1 to 12 before am and pm"),
    ("at 0am", 4, "hours go from 1 to 12 before am and pm"),
    ("at 9:5", 6, "two digits belong after a colon, 00 to 59, like 09:05"),
    ("at 9:60", 6, "two digits belong after a colon, 00 to 59, like 09:05"),
    ("at 9:30Z", 8, "“Z” is no part of a time: 14:30, 14:30:15 or 2:30pm belongs here"),
    ("at 27-01-31T9:00", 4, "a date is written year-month-day, like 2027-01-31"),
    ("at 2027-02-29T9:00", 4, "there is no such date, or it is too far away"),
    ("at 2027-01-31", 14, "a time of day belongs after the date, like 2027-01-31T09:00"),
    ("at 2027-01-31 x", 15, "a time of day belongs after the date, like 2027-01-31T09:00"),
    ("at 2027-01-31Tx", 15, "a time of day belongs after the date, like 2027-01-31T09:00"),
    ("at 12:30 missed skip", 10, "missed means nothing to a timer of the kind at"),
    ("tea=3m then", 12, "the name of a timer belongs after then, like then egg"),
    ("tea=3m then eg egg=5m", 13, "no timer is called “eg”: did you mean egg?"),
    ("tea=3m then oolong", 13, "no timer is called “oolong”"),
    (
      "tea=every 3m then tea", 14,
      "then starts another timer when this one ends, and it has no end: a count gives it one"
    ),
    ("stopwatch then tea", 11, "then means nothing to a timer of the kind stopwatch"),
    ("tea=3m run", 11, "a command belongs after run, like run 'make test'"),
    ("tea=3m run ' '", 13, "a command belongs after run, like run 'make test'"),
    ("tea=3m backoff 5m", 8, "backoff means nothing to a timer of the kind once"),
    (
      "every 5s backoff 5m", 20, "backoff belongs to a command that can fail, like run 'make test'"
    ),
    (
      "every 5s backoff 5m tea=3m", 10,
      "backoff belongs to a command that can fail, like run 'make test'"
    ),
    ("every 5s backoff 5s run x", 10, "backoff is how far the interval grows: longer than it is"),
    ("ring=3m", 1, "ring is a word of its own: write ring without =, or 'ring'= for the name"),
    (
      "cat 3m", 1,
      "“cat” is no timer: a duration such as 3m belongs here, or every 30s (with a name it is cat=3m)"
    ),
    ("tea", 1, "“tea” is no timer: a duration such as 3m belongs here, or every 30s"),
    ("cycle", 6, "a duration belongs after cycle, like cycle 30s"),
    ("'3m'", 2, "“3m” is no timer: a duration such as 3m belongs here, or every 30s"),
    ("tea=", 5, "a timer belongs after the name, like tea=3m"),
    ("tea=oolong", 5, "“oolong” is no timer: a duration such as 3m belongs here, or every 30s"),
    ("=3m", 1, "a name belongs before ="),
    ("''=3m", 3, "a name belongs before ="),
    ("a=b=3m", 4, "a timer has one name: \"=\" was there already"),
    ("a = = 3m", 5, "a timer has one name: \"=\" was there already"),
    ("every=3m", 1, "every is a word of its own: write every without =, or 'every'= for the name"),
    (
      "tea=3m tolerance=1s", 8,
      "tolerance is a word of its own: write tolerance without =, or 'tolerance'= for the name"
    ),
    ("every", 6, "a duration belongs after every, like every 30s"),
    ("every x8", 7, "a duration belongs after every, like every 30s"),
    ("brew=every 30 x", 14, "a unit belongs after 30: 30s, 30m or 30h"),
    ("brew=every 30s x", 17, "a count belongs here, like x8"),
    ("every 30s x8b", 13, "a count belongs here, like x8"),
    ("every 30s x0", 12, "a count is at least 1, like x1"),
    ("every 30s x-3", 12, "a count is at least 1, like x1"),
    ("every 30s x99999999999999999999", 12, "a count goes up to 1000000000"),
    ("every 30s x2 x3", 14, "a count is there already"),
    ("cycle 25m/", 11, "a duration belongs after cycle, like cycle 30s"),
    ("cycle work/5m", 7, "a duration belongs after cycle, like cycle 30s"),
    ("cycle work rest 5m", 12, "a duration belongs after work, like work 30s"),
    ("debounce", 9, "a duration belongs after debounce, like debounce 30s"),
    ("debounce 2s max", 16, "a duration belongs after max, like max 30s"),
    ("debounce 2s paused", 13, "paused means nothing to a timer of the kind debounce"),
    ("stopwatch missed skip", 11, "missed means nothing to a timer of the kind stopwatch"),
    ("throttl 2s", 1, "“throttl” is no timer: did you mean throttle?"),
    ("3m x3", 4, "a count goes with every, daily or cycle, like every 30s x8"),
    ("tea=0s", 5, "zero is no time at all: a duration is longer than that"),
    ("tea=-5m", 5, "a duration cannot be negative"),
    ("tea=101y", 8, "“y” is no unit: ms, s, m, h or d belongs here"),
    ("tea=40000d", 5, "too long: a timer takes at most 100 years (36525d)"),
    ("tea=3m 5:7", 10, "two digits belong after a colon, 00 to 59, like 05:00"),
    ("30m1h", 4, "units go from large to small, each once, like 1h30m"),
    ("0.1ms", 1, "too fine: a millisecond is the smallest part"),
    ("tea=3m pausd", 8, "“pausd” is not understood: did you mean paused?"),
    ("tea=3m Paused", 8, "“Paused” is not understood: did you mean paused?"),
    (
      "tea=3m egg 5m", 8,
      "“egg” is not understood: paused, note, then, run, ring … or the next timer can follow (with a name it is egg=5m)"
    ),
    ("tea=3m paused paused", 15, "paused is there already"),
    ("tea=3m tolerance", 17, "a duration belongs after tolerance, like tolerance 30s"),
    ("tea=3m tolerance -1s", 18, "a duration cannot be negative"),
    ("every 1s missed", 16, "skip, delay or burst belongs after missed"),
    ("every 1s missed skp", 17, "skip, delay or burst belongs here: did you mean skip?"),
    ("every 1s missed all", 17, "skip, delay or burst belongs after missed"),
    ("every 1s missed burst 0", 23, "a count is at least 1, like x1"),
    ("tea=3m note", 12, "a text belongs after note, like note 'two bags'"),
    ("tea=3m note 'two bags", 22, "a closing ' belongs here"),
    (#"tea=3m note "two"#, 17, "a closing \" belongs here"),
    ("每日=every 30", 12, "a unit belongs after 30: 30s, 30m or 30h"),
    (
      "1h30m -", 7,
      "“-” is not understood: paused, note, then, run, ring … or the next timer can follow"
    ),
  ])
  func refuses(_ line: String, _ column: Int, _ message: String) throws {
    let error = try #require(throws: TimerSyntaxError.self) { try TimerSpec.parse(line: line) }
    #expect(error.column == column)
    #expect(error.message == message)
    #expect(error.line == line)
  }

  @Test func aShellHasTakenTheQuotesOff() throws {
    let tea = TimerSpec(name: "tea", kind: .once(.minutes(3)), note: "two bags, it's hot")
    let next = TimerSpec(kind: .every(.seconds(30), count: 2))
    #expect(
      try TimerSpec.parse(words: ["tea=3m", "note", "two bags, it's hot", "every", "30s", "x2"])
        == [tea, next])
    #expect(
      try TimerSpec.parse(words: ["tea=3m note", "two bags, it's hot", "every 30s x2"])
        == [tea, next])
    // One argument that holds it all has quotes of its own.
    #expect(
      try TimerSpec.parse(words: ["tea=3m note \"two bags, it's hot\"  every 30s x2"])
        == [tea, next])
    #expect(try TimerSpec.parse(words: ["3m", "note", ""]).first?.note == "")
  }

  @Test func anErrorNamesItsTimerAndPlace() throws {
    let error = try #require(throws: TimerSyntaxError.self) {
      try TimerSpec.parse(words: ["tea=3m", "egg=every 30", "every 5s"])
    }
    #expect(error.word == 1)
    #expect(error.column == 20)
    #expect(error.line == "tea=3m egg=every 30 every 5s")
    #expect(error.timer == "egg=every 30")
    #expect(
      error.description == "egg=every 30: column 20: a unit belongs after 30: 30s, 30m or 30h")
  }

  @Test func anErrorNeverSteersTheTerminal() throws {
    let error = try #require(throws: TimerSyntaxError.self) {
      try TimerSpec.parse(words: ["\u{1b}[31m\u{9b}2J"])
    }
    #expect(error.description.hasPrefix("\u{FFFD}[31m\u{FFFD}2J: column 1: "))
  }

  @Test func whatIsStillToComeIsNoFaultYet() throws {
    func isIncomplete(_ line: String) throws -> Bool {
      try #require(throws: TimerSyntaxError.self) { try TimerSpec.parse(line: line) }.isIncomplete
    }
    #expect(try isIncomplete("tea=every 3"))
    #expect(try isIncomplete("tea=every"))
    #expect(try isIncomplete("tea=3m note 'two"))
    #expect(try !isIncomplete("tea=every 3x"))
  }

  @Test func whatWasRightOnceIsReadAgain() throws {
    let text = "poll=every 1m backoff 30s run x tea=3m then egg at 2020-01-01T00:00"
    #expect(throws: TimerSyntaxError.self) { try TimerSpec.parse(line: text) }
    let specs = try TimerSpec.parse(line: text, in: .trusted)
    #expect(specs.map(\.text).joined(separator: " ") == text)
  }

  @Test func aCommandCanBeGivenToAll() throws {
    let context = TimerContext(hasCommand: true)
    let spec = try TimerSpec.parse(line: "every 5s backoff 5m", in: context).first
    #expect(spec?.backoff == .minutes(5))
  }

  @Test func onlyOneTimerWhereOneIsMeant() throws {
    let error = try #require(throws: TimerSyntaxError.self) {
      try TimerSpec.parse(timer: "tea=3m egg=5m")
    }
    #expect(error.problem == .tooMany)
    #expect(error.column == 8)
  }

  @Test func whatIsPrintedReadsBack() throws {
    var random = SplitMix(state: 2)
    for _ in 0..<3_000 {
      let specs = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        TimerSpec.random(using: &random)
      }
      let line = specs.map(\.text).joined(separator: " ")
      let names = TimerContext(names: specs.compactMap(\.next))
      #expect(try TimerSpec.parse(line: line, in: names) == specs, "\(line)")
      #expect(try TimerSpec.parse(line: line, in: .trusted) == specs, "\(line)")
    }
  }

  /// Whatever is typed is understood or refused with a place in it.
  @Test func nonsenseIsRefusedInItsLine() {
    var random = SplitMix(state: 3)
    let pieces = [
      "tea", "=", " ", " ", "3m", "every", "x", "8", "'", "\"", "\\", "paused", "tolerance", "note",
      "missed", "burst", "at", "daily", "12:30", "2027-01-31T", "pm", "then", "run", "backoff",
      "mon,", "-", ":", ".", "9999999999", "é", "\u{301}", "👨‍👩‍👧", "\u{0}", "\n", "h",
    ]
    for _ in 0..<5_000 {
      let line = (0..<Int.random(in: 0...12, using: &random))
        .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      do throws(TimerSyntaxError) {
        _ = try TimerSpec.parse(line: line)
      } catch {
        #expect(error.offset >= 0 && error.offset <= line.unicodeScalars.count, "\(line)")
        #expect(!error.message.isEmpty)
      }
    }
  }
}

extension WallSchedule {
  /// For what is known to be right.
  static func daily(
    _ hour: Int, _ minute: Int = 0, _ second: Int = 0, on days: Weekdays = .all
  ) -> WallSchedule {
    do {
      return try .weekdays(days, hour: hour, minute: minute, second: second)
    } catch {
      preconditionFailure("\(error)")
    }
  }

  static func date(
    _ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int
  ) -> WallSchedule {
    do {
      return try .at(year: year, month: month, day: day, hour: hour, minute: minute)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}

extension TimerSpec {
  static func random(using random: inout SplitMix) -> TimerSpec {
    func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
    func text() -> String {
      let pieces = [
        "a", "tea", "'", "\"", "\\", " ", "=", "x8", "3m", "note", "\n", "\u{301}", "é", "每", "👍🏽",
        "\u{1b}",
      ]
      return (0..<Int.random(in: 1...5, using: &random))
        .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }
    func interval() -> Duration {
      .milliseconds(Int64.random(in: 1...10_000_000_000, using: &random))
    }
    let count = chance(2) ? nil : Int.random(in: 1...1_000, using: &random)
    let kind: Kind
    let dayTime = Int.random(in: 0..<86_400, using: &random)
    switch Int.random(in: 0..<13, using: &random) {
    case 10: kind = .at(.daily(dayTime / 3600, dayTime / 60 % 60, dayTime % 60))
    case 11:
      kind = .at(
        .date(
          Int.random(in: 1700...2200, using: &random), Int.random(in: 1...12, using: &random),
          Int.random(in: 1...28, using: &random), dayTime / 3600, dayTime / 60 % 60))
    case 12:
      let days = WallSchedule.Weekdays(rawValue: UInt8.random(in: 1...127, using: &random))
      kind = .daily(
        .daily(dayTime / 3600, dayTime / 60 % 60, chance(2) ? dayTime % 60 : 0, on: days),
        count: count)
    case 0...1: kind = .once(interval())
    case 2...3: kind = .every(interval(), count: count)
    case 4:
      let phases = Int.random(in: 1...4, using: &random)
      kind = .cycle(
        (0..<phases).map { index in
          Cycle.Phase(chance(2) ? text() : usualPhaseName(index, of: phases), interval())
        }, rounds: count)
    case 5: kind = .stopwatch
    case 6:
      kind = .debounce(
        interval(), maxWait: chance(2) ? interval() : nil,
        edges: DebounceEdges.allCases.randomElement(using: &random) ?? .both)
    case 7:
      kind = .throttle(
        interval(), mode: chance(2) ? .fixed : .deferred, keeps: chance(2) ? .first : .latest)
    case 8: kind = .coalesce(interval())
    default: kind = .idle(interval())
    }
    var spec = TimerSpec(
      name: chance(2) ? text() : nil, kind: kind, note: chance(3) ? (chance(5) ? "" : text()) : nil)
    if Keyword.paused.goes(with: kind) { spec.isPaused = chance(3) }
    if Keyword.tolerance.goes(with: kind), chance(3) {
      spec.tolerance = .milliseconds(Int64.random(in: 1...100_000, using: &random))
    }
    if Keyword.missed.goes(with: kind) {
      spec.missedTicks = chance(3) ? .delay : chance(3) ? .burst(limit: 7) : .skip
    }
    if Keyword.run.goes(with: kind) {
      spec.command = chance(3) ? "!" + text() : nil
      spec.rings = chance(4)
    }
    if case .every(let interval, _) = kind, spec.command != nil, chance(2) {
      spec.backoff = interval * 2
    }
    if spec.fireCount != nil, chance(3) { spec.next = text() }
    return spec
  }
}
