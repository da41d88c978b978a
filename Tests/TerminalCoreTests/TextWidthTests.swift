import Fuzzing
import Testing

@testable import TerminalCore

@Suite struct TextWidthTests {
  @Test(
    arguments: [
      ("a", 1), ("é", 1), ("█", 1), ("▶", 1), ("✓", 1), ("●", 1), ("│", 1), ("⣿", 1), ("…", 1),
      ("日", 2), ("ｗ", 2), ("⏰", 2), ("⌛", 2), ("☕", 2), ("🫠", 2), ("🪿", 2), ("한", 2),
      ("\u{301}", 0), ("\u{200D}", 0), ("\u{FE0F}", 0), ("\u{1F3FD}", 0), ("\u{AD}", 0),
      ("\u{20000}", 2), ("\u{10FFFF}", 1), ("\u{E000}", 1), ("\u{0}", 1), ("\u{25FC}", 1),
      ("\u{25FD}", 2), ("\u{25FE}", 2), ("\u{25FF}", 1), ("\u{2FF}", 1), ("\u{300}", 0),
    ] as [(Unicode.Scalar, Int)])
  func widthOfAScalar(scalar: Unicode.Scalar, width: Int) {
    #expect(TextWidth.of(scalar) == width)
  }

  @Test(arguments: [
    ("", 0), ("tea", 3), ("naïve", 5), ("nai\u{308}ve", 5), ("日本語", 6), ("a\tb", 3),
    ("👨‍👩‍👧", 6), ("👍🏽", 2), ("❤️", 1), ("1️⃣", 1), ("🇩🇪", 2),
    ("\u{1112}\u{1161}\u{11AB}", 2), ("\u{301}", 0), ("a\u{2028}b", 3),
  ])
  func widthOfText(text: String, width: Int) {
    #expect(text.cellWidth == width)
  }

  @Test func wideRangesAreOrdered() {
    #expect(
      zip(TextWidth.wide, TextWidth.wide.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
  }

  /// No mark takes a cell.
  @Test func marksAgreeWithTheStandardLibrary() {
    for value in 0xA0...0x10FFFF as ClosedRange<UInt32> {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let isMark =
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: true
        default: false
        }
      if isMark, TextWidth.of(scalar) != 0 { Issue.record("U+\(String(value, radix: 16))") }
    }
  }

  /// The fast paths agree with the properties.
  @Test func fastPathsAgreeWithTheProperties() {
    for value in 0..<0x3000 as Range<UInt32> {
      guard let scalar = Unicode.Scalar(value) else { continue }
      #expect(TextWidth.kind(of: scalar) == TextWidth.kindByProperties(of: scalar), "\(value)")
    }
  }

  @Test(arguments: [
    ("carillon", 8, "carillon"), ("carillon", 7, "carill…"), ("carillon", 1, "…"),
    ("carillon", 0, ""), ("carillon", -1, ""), ("", 0, ""), ("日本語", 6, "日本語"),
    ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("日本語", 2, "…"), ("日本語", 1, "…"),
    ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"), ("a👍🏽b", 3, "a…"), ("tab\there", 5, "tab␉…"),
  ])
  func truncatesWithAnEllipsis(text: String, width: Int, expected: String) {
    #expect(text.truncated(to: width) == expected)
  }

  @Test(arguments: 0..<20 as Range<UInt64>) func neverTruncatesToMore(seed: UInt64) {
    var random = SplitMix(state: seed)
    for _ in 0..<200 {
      let text = random.text()
      let width = Int.random(in: -2...30, using: &random)
      let cut = text.truncated(to: width)
      #expect(cut.cellWidth <= max(0, width))
      #expect(text.cellWidth <= width ? cut == text : cut.cellWidth >= width - 1)
    }
  }
}
