import Testing
import TimerKit

@testable import Dashboard

@Suite struct GrammarTests {
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
    (
      "at 14:30", 1,
      "“at” is no timer: a duration such as 3m belongs here, or every 30s (with a name it is at=14:30)"
    ),
    ("tea", 1, "“tea” is no timer: a duration such as 3m belongs here, or every 30s"),
    ("cycle", 1, "“cycle” is no timer: a duration such as 3m belongs here, or every 30s"),
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
    ("3m x3", 4, "a count goes with every, like every 30s x8"),
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
      "“egg” is not understood: paused, tolerance, missed, note or the next timer can follow (with a name it is egg=5m)"
    ),
    (
      "tea=3m run", 8,
      "“run” is not understood: paused, tolerance, missed, note or the next timer can follow"
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
      "“-” is not understood: paused, tolerance, missed, note or the next timer can follow"
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

  @Test func whatIsStillToComeIsNoFaultYet() throws {
    func isIncomplete(_ line: String) throws -> Bool {
      try #require(throws: TimerSyntaxError.self) { try TimerSpec.parse(line: line) }.isIncomplete
    }
    #expect(try isIncomplete("tea=every 3"))
    #expect(try isIncomplete("tea=every"))
    #expect(try isIncomplete("tea=3m note 'two"))
    #expect(try !isIncomplete("tea=every 3x"))
  }

  @Test func onlyOneTimerWhereOneIsMeant() throws {
    let error = try #require(throws: TimerSyntaxError.self) {
      try TimerSpec.parse(timer: "tea=3m egg=5m")
    }
    #expect(error.problem == .tooMany)
    #expect(error.column == 8)
  }

  @Test func whatIsPrintedReadsBack() throws {
    var random = SeededGenerator(seed: 2)
    for _ in 0..<3_000 {
      let specs = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        TimerSpec.random(using: &random)
      }
      let line = specs.map(\.text).joined(separator: " ")
      #expect(try TimerSpec.parse(line: line) == specs, "\(line)")
    }
  }

  /// Whatever is typed is understood or refused with a place in it.
  @Test func nonsenseIsRefusedInItsLine() {
    var random = SeededGenerator(seed: 3)
    let pieces = [
      "tea", "=", " ", " ", "3m", "every", "x", "8", "'", "\"", "\\", "paused", "tolerance", "note",
      "missed", "burst", "-", ":", ".", "9999999999", "é", "\u{301}", "👨‍👩‍👧", "\u{0}", "\n", "h",
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

extension TimerSpec {
  static func random(using random: inout SeededGenerator) -> TimerSpec {
    func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
    func text() -> String {
      let pieces = [
        "a", "tea", "'", "\"", "\\", " ", "=", "x8", "3m", "note", "\n", "\u{301}", "é", "每", "👍🏽",
        "\u{1b}",
      ]
      return (0..<Int.random(in: 1...5, using: &random))
        .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }
    let interval = Duration.milliseconds(Int64.random(in: 1...10_000_000_000, using: &random))
    return TimerSpec(
      name: chance(2) ? text() : nil,
      kind: chance(2)
        ? .once(interval)
        : .every(interval, count: chance(2) ? nil : Int.random(in: 1...1_000, using: &random)),
      isPaused: chance(3),
      tolerance: chance(3) ? .milliseconds(Int64.random(in: 1...100_000, using: &random)) : .zero,
      missedTicks: chance(3) ? .delay : chance(3) ? .burst(limit: 7) : .skip,
      note: chance(3) ? (chance(5) ? "" : text()) : nil)
  }
}
