import TerminalCore
import Testing

struct PlainTextTests {
  @Test(arguments: [
    ("tea", 60, "tea"), ("", 60, ""), ("\u{1B}\n ", 60, ""), ("  a \t\r\n b  ", 60, "a b"),
    ("a\u{1B}]52;c;b\u{7}", 60, "a ]52;c;b"), ("a\u{202E}b\u{2066}c\u{2069}", 60, "abc"),
    ("a\u{2028}b\u{2029}c\u{A0}d\u{3000}e", 60, "a b c d e"), ("日本語", 9, "日本語"),
    ("日本語", 8, "日…"), ("日本語", 5, "…"), ("abcdef", 5, "ab…"), ("abcdef", 3, "…"),
    ("abc   ", 3, "abc"), ("👨‍👩‍👧", 60, "👨‍👩‍👧"),
  ])
  func plainLine(text: String, maxBytes: Int, line: String) {
    #expect(text.plainLine(maxBytes: maxBytes) == line)
  }

  @Test func controlCharactersAreRemoved() {
    for value in Array(0..<0x20) + Array(0x7F..<0xA0) as [UInt32] {
      guard let control = Unicode.Scalar(value) else { continue }
      #expect("a\(control)b\(control)".plainLine(maxBytes: 60) == "a b")
    }
  }

  /// A character with many marks has many bytes.
  @Test func lineNeverExceedsTheLimit() {
    let pile = "a" + String(repeating: "\u{301}", count: 1000)
    for maxBytes in 3..<40 {
      let line = pile.plainLine(maxBytes: maxBytes)
      #expect(line.utf8.count <= maxBytes && line.hasSuffix("…"))
    }
  }
}
