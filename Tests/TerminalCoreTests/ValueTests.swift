import Fuzzing
import Testing

@testable import TerminalCore

@Suite struct ValueTests {
  @Test func rectsSplit() {
    let rect = Rect(x: 1, y: 2, width: 10, height: 5)
    #expect(rect.splitTop(2).top == Rect(x: 1, y: 2, width: 10, height: 2))
    #expect(rect.splitTop(2).rest == Rect(x: 1, y: 4, width: 10, height: 3))
    #expect(rect.splitBottom(2).rest == Rect(x: 1, y: 2, width: 10, height: 3))
    #expect(rect.splitBottom(2).bottom == Rect(x: 1, y: 5, width: 10, height: 2))
    #expect(rect.splitLeft(99).left == rect)
    #expect(rect.splitLeft(99).rest.isEmpty)
    #expect(rect.splitTop(-1).top.isEmpty)
  }

  @Test func rectsIntersect() {
    let rect = Rect(x: 0, y: 0, width: 10, height: 5)
    #expect(
      rect.intersection(Rect(x: 8, y: -2, width: 10, height: 3))
        == Rect(x: 8, y: 0, width: 2, height: 1))
    #expect(rect.intersection(Rect(x: 10, y: 0, width: 1, height: 1)).isEmpty)
    #expect(rect.contains(Point(x: 9, y: 4)))
    #expect(!rect.contains(Point(x: 10, y: 4)))
  }

  @Test(arguments: 0..<4 as Range<UInt64>) func noRectTraps(seed: UInt64) {
    var random = SplitMix(state: seed)
    for _ in 0..<500 {
      let (one, two) = (random.rect(), random.rect())
      let meeting = one.intersection(two)
      #expect(meeting == two.intersection(one) || meeting.isEmpty)
      #expect(meeting.width >= 0 && meeting.height >= 0)
      let count = random.coordinate()
      let (top, rest) = one.splitTop(count)
      #expect(top.height + rest.height == one.height)
      let (left, right) = one.splitLeft(count)
      #expect(left.width + right.width == one.width)
      let (above, bottom) = one.splitBottom(count)
      #expect(above.height + bottom.height == one.height)
    }
  }

  @Test func cellReturnsItsParts() {
    var random = SplitMix(state: 1)
    for _ in 0..<2000 {
      let (base, mark) = (random.scalar(), random.scalar())
      let style = random.style()
      let cell = Cell(base, firstMark: mark, style: style)
      #expect(cell.base == base)
      #expect(cell.firstMark == (mark.value == 0 ? nil : mark))
      #expect(cell.secondMark == nil)
      #expect(cell.style == style)
      #expect(!cell.isContinuation)
    }
    #expect(Cell(nil).isContinuation)
    #expect(Cell(nil).base == nil)
    #expect(Cell("e", secondMark: "\u{301}").text == "e\u{301}")
    #expect(MemoryLayout<Cell>.stride == 16)
  }
}
