import Fuzzing
import Testing

@testable import TerminalCore

@Suite struct CanvasTests {
  @Test func writesWithinTheEdges() {
    var canvas = Canvas(Size(width: 5, height: 2))
    #expect(canvas.write("hello, world", x: 2, y: 0) == 5)
    #expect(canvas.write("abcdef", x: -3, y: 1) == 3)
    #expect(canvas.text == "  hel\ndef")
    #expect(canvas.write("x", x: 0, y: 2) == 0)
    #expect(canvas.write("x", x: 9, y: 0) == 9)
  }

  @Test func stopsAtTheLimit() {
    var canvas = Canvas(Size(width: 10, height: 1))
    #expect(canvas.write("abcdef", x: 1, y: 0, limit: 3) == 4)
    #expect(canvas.write("日本", x: 5, y: 0, limit: 3) == 7)
    #expect(canvas.write("z", x: 8, y: 0, limit: 0) == 8)
    #expect(canvas.text == " abc 日")
  }

  @Test func leavesOutAWideCharacterAtTheEdge() {
    var canvas = Canvas(Size(width: 5, height: 1))
    #expect(canvas.write("日本語", x: 0, y: 0) == 4)
    #expect(canvas.text == "日本")
    canvas = Canvas(Size(width: 5, height: 1))
    canvas.write("日本", x: -1, y: 0)
    #expect(canvas.text == " 本")
  }

  @Test(arguments: [
    // The text written over 日本, its column and the result.
    ("x", 0, "x 本"), ("x", 1, " x本"), ("x", 2, "日x"), ("x", 3, "日 x"),
    ("xy", 1, " xy"), ("語", 1, " 語"), ("語", 0, "語本"),
  ])
  func overwritingHalfACharacterBlanksTheOtherHalf(text: String, x: Int, expected: String) {
    var canvas = Canvas(Size(width: 4, height: 1))
    canvas.write("日本", x: 0, y: 0)
    canvas.write(text, x: x, y: 0)
    #expect(canvas.text == expected)
  }

  @Test func writingNothingChangesNothing() {
    var canvas = Canvas(Size(width: 4, height: 1))
    canvas.write("日本", x: 0, y: 0)
    for text in ["", "\u{200D}", "\u{301}"] { canvas.write(text, x: 1, y: 0) }
    #expect(canvas.text == "日本")
  }

  @Test func controlCharactersAreDrawnAsPictures() {
    var canvas = Canvas(Size(width: 12, height: 1))
    canvas.write("\u{1B}[2J\r\n\u{7F}\u{9B}", x: 0, y: 0)
    #expect(canvas.text == "␛[2J␍␊␡\u{FFFD}")
    canvas.fill(canvas.bounds, with: "\u{1B}")
    #expect(canvas.text == "")
  }

  @Test func flagsAreDrawnAsLetters() {
    var canvas = Canvas(Size(width: 4, height: 1))
    canvas.write("🇩🇪!", x: 0, y: 0)
    #expect(canvas.text == "DE!")
  }

  @Test func cellHoldsABaseAndTwoMarks() {
    var canvas = Canvas(Size(width: 4, height: 1))
    canvas.write("\u{301}e\u{301}\u{323}\u{302}x", x: 0, y: 0)
    #expect(canvas[0, 0] == Cell("e", firstMark: "\u{301}", secondMark: "\u{323}"))
    #expect(canvas[1, 0] == Cell("x"))
  }

  @Test func markAfterTheEdgeStaysWithItsBase() {
    var canvas = Canvas(Size(width: 2, height: 1))
    canvas.write("ae\u{301}", x: 0, y: 0)
    #expect(canvas[1, 0] == Cell("e", firstMark: "\u{301}"))
  }

  @Test func restylingKeepsTextAndBothHalves() {
    var canvas = Canvas(Size(width: 5, height: 1))
    canvas.write("a日b", x: 0, y: 0)
    canvas.restyle(Rect(x: 0, y: 0, width: 2, height: 1)) { $0.adding(.bold) }
    #expect(canvas.text == "a日b")
    let bold = (0..<5).map { canvas[$0, 0].style.attributes == .bold }
    #expect(bold == [true, true, true, false, false])
    canvas.restyle(Rect(x: 2, y: 0, width: 9, height: 1)) { $0.adding(.reverse) }
    #expect(canvas[2, 0].style == canvas[1, 0].style)
    #expect(canvas[3, 0].style.attributes == .reverse)
  }

  @Test func fillsOnlyWithNarrowCharacters() {
    var canvas = Canvas(Size(width: 4, height: 2))
    canvas.write("日本", x: 0, y: 0)
    canvas.fill(Rect(x: 1, y: 0, width: 2, height: 9), with: "─")
    #expect(canvas.text == " ──\n ──")
    canvas.fill(canvas.bounds, with: "日")
    #expect(canvas.text == "\n")
  }

  @Test func emptyCanvasAcceptsWrites() {
    var canvas = Canvas(Size(width: 0, height: 3))
    canvas.write("x", x: 0, y: 0)
    canvas.fill(Rect(x: -5, y: -5, width: 100, height: 100))
    #expect(canvas.cells.isEmpty)
    #expect(canvas[0, 0] == .blank)
  }

  /// Random drawing never traps and never leaves half a character.
  @Test(arguments: 0..<20 as Range<UInt64>) func neverHoldsHalfACharacter(seed: UInt64) {
    var random = SplitMix(state: seed)
    for _ in 0..<40 {
      var canvas = Canvas(
        Size(
          width: .random(in: 0...20, using: &random), height: .random(in: 0...6, using: &random)))
      for _ in 0..<12 {
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
          canvas.fill(random.rect(), with: random.scalar(), style: random.style())
        case 1:
          let style = random.style()
          canvas.restyle(random.rect()) { _ in style }
        default:
          let x = random.coordinate()
          let text = random.text()
          let end = canvas.write(
            text, x: x, y: random.coordinate(), style: random.style(), limit: random.coordinate())
          #expect(end >= x && end <= max(x, canvas.size.width))
        }
        expectWhole(canvas)
      }
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>) func drawnWidthEqualsCellWidth(seed: UInt64) {
    var random = SplitMix(state: seed)
    for _ in 0..<200 {
      let text = random.text()
      var canvas = Canvas(Size(width: 60, height: 1))
      #expect(canvas.write(text, x: 3, y: 0) == 3 + text.cellWidth)
    }
  }

  private func expectWhole(
    _ canvas: Canvas, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for y in 0..<canvas.size.height {
      for x in 0..<canvas.size.width {
        let cell = canvas[x, y]
        if let base = cell.base {
          let isWide = TextWidth.of(base) == 2
          let isFollowed = x + 1 < canvas.size.width && canvas[x + 1, y].isContinuation
          #expect(TextWidth.of(base) > 0, sourceLocation: sourceLocation)
          #expect(TextWidth.substitute(for: base) == nil, sourceLocation: sourceLocation)
          #expect(isWide == isFollowed, sourceLocation: sourceLocation)
          if isFollowed {
            #expect(cell.style == canvas[x + 1, y].style, sourceLocation: sourceLocation)
          }
        } else {
          #expect(x > 0 && !canvas[x - 1, y].isContinuation, sourceLocation: sourceLocation)
        }
      }
    }
  }
}
