import Testing

@testable import TimerBoard

@Suite struct CompletionTests {
  private static let context = TimerContext(names: ["egg", "green tea"], groups: ["gym"])

  /// The text, the number of characters before its last word, and the words that complete it.
  @Test(arguments: [
    ("po", 0, ["pomodoro"]), ("@po", 0, ["@pomodoro"]), ("tea=sto", 4, ["stopwatch"]),
    ("tea sto", 4, ["stopwatch"]), ("3m PAU", 3, ["paused"]), ("3m tab", 3, ["tabata"]),
    ("every 30s x8 ji", 13, ["jitter"]), ("debounce 2s le", 12, ["leading"]),
    ("3m t", 3, ["then", "tolerance"]), ("3m ring ri", 8, []), ("3m ring", 3, ["ring"]),
    ("3m sound ", 9, ["bowl", "glass", "tower"]), ("every 5m missed b", 16, ["burst"]),
    ("3m then g", 8, ["'green tea'", "gym"]), ("3m then 'green t", 8, ["'green tea'"]),
    ("3m group g", 9, ["gym"]), ("3m on fi", 6, ["finished", "fired"]),
    ("3m note pa", 8, []), ("3m note 'a pa", 8, []), ("nothing", 0, []),
  ])
  func completesTheLastWord(_ text: String, _ start: Int, _ words: [String]) {
    let completion = TimerCompletion(of: text, in: Self.context)
    #expect(completion.start == start && completion.words == words, "\(completion)")
    let later = TimerCompletion(of: "add \(text)", from: 4, in: Self.context)
    #expect(later.start == start + 4 && later.words == words)
  }
}
