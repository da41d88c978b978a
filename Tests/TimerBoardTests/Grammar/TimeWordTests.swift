import Fuzzing
import Testing
import TimerKit

@testable import TimerBoard

/// A word of time never becomes the name of a timer at another time.
@Suite struct TimeWordTests {
  /// Every phrase with a word before or after it is refused, or has as many timers, and no new name.
  @Test(arguments: [
    "5m", "tea 3m", "tea=3m", "green tea 3m", "5m tea", "every 5m", "every 5m x8", "at 9", "9:00",
    "9am", "noon", "friday 9:00", "9am tomorrow", "tomorrow 9am", "dec 25", "2027-01-31",
    "daily 9:00",
    "weekdays 9:00", "mon,thu 9:00", "stopwatch", "cycle 25m/5m", "25/5", "pomodoro", "debounce 2s",
    "3m then 'tea' tea=3m", "5m 10m", "tea 3m egg 5m", "3m tea 5m egg", "90", "in 5 minutes",
    "hourly", "every 2h from 9 to 17", "cron @daily", "at 9:00 in UTC", "5m x3", "5m twice",
    "3m note a", "3m paused", "half an hour", "remind me in 5 minutes to stretch",
    "remind me to stretch at 5pm", "set a timer for 5 minutes",
  ])
  func noWordBesideAPhraseAddsATimerOrAName(_ phrase: String) throws {
    let meant = try #require(Self.timers(in: phrase))
    let faults = TimeWord.all.flatMap { word in
      ["\(word) \(phrase)", "\(phrase) \(word)"].compactMap { Self.fault(of: $0, meant) }
    }
    #expect(faults == [])
  }

  fileprivate static func timers(in text: String) -> [TimerSpec]? {
    try? TimerSpec.parse(arguments: [text], in: PhraseTests.context)
  }

  /// Returns what is wrong with a phrase and a word of time beside it; `nil` for nothing.
  fileprivate static func fault(of text: String, _ meant: [TimerSpec]) -> String? {
    guard let specs = timers(in: text) else { return nil }
    let names = Set(meant.compactMap(\.name))
    let found = specs.map(\.text).joined(separator: ", ")
    if specs.count != meant.count { return "'\(text)': \(found)" }
    return names.isSuperset(of: specs.compactMap(\.name)) ? nil : "'\(text)': \(found)"
  }

  /// Each word is a name before `=` and in quotes, unless it is a keyword.
  @Test func eachWordIsANameBeforeEqualsAndInQuotes() throws {
    for word in TimeWord.all {
      // One of them has an apostrophe.
      let quotation = "\"\(word)\""
      let quoted = try TimerSpec.parse(timer: "\(quotation)=5m", in: PhraseTests.context)
      #expect(quoted.name == word)
      let bare = try TimerSpec.parse(timer: "\(quotation) 5m", in: PhraseTests.context)
      #expect(bare.name == word)
      if Word.isReserved(word) { continue }
      let named = try TimerSpec.parse(timer: "\(word)=5m", in: PhraseTests.context)
      #expect(named.name == word && named.kind == .once(.minutes(5)))
      // As a session saves it.
      #expect(try TimerSpec.parse(timer: named.text, in: .trusted) == named)
    }
  }

  /// No word is a name without `=`.
  @Test func noWordIsABareName() {
    for word in TimeWord.all {
      for text in ["\(word) 5m", "5m \(word)", "\(word): 5m", "\(word.uppercased()) 5m"] {
        let names = Self.timers(in: text)?.compactMap(\.name) ?? []
        #expect(names == [], "\(text)")
      }
    }
  }

  /// The time zones that errors suggest exist.
  @Test func zonesExist() throws {
    for word in TimeWord.all {
      for zone in TimeWord[word]?.zones ?? [] { _ = try TimeZoneRules(zone) }
    }
  }
}

/// The same with phrases and words at random.
@Suite struct TimeWordFuzzTests {
  /// Phrases of the grammar, each of which is one timer or several.
  private static let phrases =
    PhraseTests.good.map(\.0) + PhraseTableTests.understood.map(\.0)

  @Test func aWordBesideAPhraseAddsNoTimerAndNoName() {
    let found = failures(
      sequences: 20_000, steps: 1..<2,
      setup: { $0.one(of: Self.phrases) },
      step: { (word: $0.one(of: TimeWord.all), isBefore: $0.below(2) == 0) },
      failure: { phrase, steps in
        guard let meant = TimeWordTests.timers(in: phrase) else { return "invalid phrase" }
        let texts = steps.map { $0.isBefore ? "\($0.word) \(phrase)" : "\(phrase) \($0.word)" }
        return texts.lazy.compactMap { TimeWordTests.fault(of: $0, meant) }.first
      })
    #expect(found == [])
  }
}
