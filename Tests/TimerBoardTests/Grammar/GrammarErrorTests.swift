import Fuzzing
import Platform
import Testing
import TimerKit

@testable import TimerBoard

@Suite struct GrammarErrorTests {
  /// A text that is no timer is refused in a time that grows as it does.
  @Test(arguments: ["x", "3m x", "every ", "tea=", "a=3m missed ", "3m then ", "'"])
  func longTextsAreRefusedSoon(beginning: String) {
    let text = beginning + String(repeating: "y", count: 1_000_000)
    var result: Result<[TimerSpec], any Error>?
    let start = processorTime()
    result = Result { try TimerSpec.parse(line: text) }
    let took = processorTime() - start
    #expect(throws: TimerSyntaxError.self) { try result?.get() }
    // It took ten to thirty in a build for debugging.
    #expect(took < .seconds(3), "\(took)")
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

  @Test func onlyOneTimerWhereOneIsMeant() throws {
    let error = try #require(throws: TimerSyntaxError.self) {
      try TimerSpec.parse(timer: "tea=3m egg=5m")
    }
    #expect(error.problem == .tooMany)
    #expect(error.column == 8)
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

/// The processor time of this thread: the machine's load is not in it.
private func processorTime() -> Duration {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
