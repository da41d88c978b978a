import Foundation
import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// Frames of the board in many sizes after 70.05 s, when `poll` has just fired and `lunch` has
/// finished.
@Suite struct FrameTests {
  static let board = """
    tea=3m note 'oolong, two bags' sets=every 45s x8 poll=every 10s 每日=every 1h x3 lunch=5s
    slow=1h paused every 1h30m
    """

  static func fixture(_ width: Int, _ height: Int, _ options: DisplayOptions = .init()) throws
    -> Fixture
  {
    let fixture = try Fixture(board, width: width, height: height, options: options)
    fixture.press(.down)
    fixture.advance(by: .milliseconds(70_050))
    fixture.acknowledge()
    return fixture
  }

  @Test func wideScreen() throws {
    let fixture = try Self.fixture(120, 36)
    try fixture.frame.expectSnapshot("FrameTests-wideScreen")
  }

  @Test func usualScreen() throws {
    let fixture = try Self.fixture(80, 24)
    try fixture.frame.expectSnapshot("FrameTests-usualScreen")
  }

  @Test func smallScreen() throws {
    let fixture = try Self.fixture(40, 8)
    try fixture.frame.expectSnapshot("FrameTests-smallScreen")
  }

  @Test func tinyScreen() throws {
    let fixture = try Self.fixture(20, 3)
    try fixture.frame.expectSnapshot("FrameTests-tinyScreen")
  }

  @Test func sixtyColumns() throws {
    let fixture = try Self.fixture(60, 14)
    try fixture.frame.expectSnapshot("FrameTests-sixtyColumns")
  }

  @Test func aMessageReplacesTheFooterOnALowScreen() throws {
    let fixture = try Self.fixture(40, 8)
    fixture.press(.space)
    try fixture.frame.expectSnapshot("FrameTests-aMessageReplacesTheFooterOnALowScreen")
  }

  @Test func aMessageIsCutBetweenWords() throws {
    let fixture = try Self.fixture(20, 3)
    fixture.press(.space)
    try fixture.frame.expectSnapshot("FrameTests-aMessageIsCutBetweenWords")
  }

  @Test func aMessageHasItsOwnLine() throws {
    let fixture = try Self.fixture(80, 13)
    fixture.press(.space)
    try fixture.frame.expectSnapshot("FrameTests-aMessageHasItsOwnLine")
  }

  @Test func asciiOnly() throws {
    let fixture = try Self.fixture(80, 24, DisplayOptions(isASCII: true))
    fixture.type("f")
    try fixture.frame.expectSnapshot("FrameTests-asciiOnly")
  }

  @Test func tenths() throws {
    let fixture = try Self.fixture(80, 12, DisplayOptions(uses24Hours: false, showsTenths: true))
    try fixture.frame.expectSnapshot("FrameTests-tenths")
  }

  @Test func aPromptKeepsTheBoardVisible() throws {
    let fixture = try Self.fixture(80, 16)
    fixture.type("abrew=every 30s x5")
    try fixture.frame.expectSnapshot("FrameTests-aPromptKeepsTheBoardVisible")
  }

  @Test func aPromptOnASmallScreen() throws {
    let fixture = try Self.fixture(40, 8)
    fixture.type("abrew=every 30 x5")
    try fixture.frame.expectSnapshot("FrameTests-aPromptOnASmallScreen")
  }

  @Test func helpOnAWideScreen() throws {
    let fixture = try Self.fixture(120, 44)
    fixture.type("?")
    try fixture.frame.expectSnapshot("FrameTests-helpOnAWideScreen")
  }

  @Test func helpOnASmallScreen() throws {
    let fixture = try Self.fixture(40, 8)
    fixture.type("?jj")
    try fixture.frame.expectSnapshot("FrameTests-helpOnASmallScreen")
  }

  @Test func theListScrolls() throws {
    let fixture = try Self.fixture(60, 6)
    fixture.type("jjj")
    try fixture.frame.expectSnapshot("FrameTests-theListScrolls")
  }

  @Test(arguments: [
    (15, 4, "▶ sets     0:20"), (12, 2, "▶ sets  0:20"), (8, 1, "se… 0:20"), (6, 1, "  0:20"),
    (5, 1, " 0:20"), (4, 1, "0:20"), (3, 1, "se…"), (2, 1, "▶"), (1, 1, "▶"),
  ])
  func tinyScreensShowTheSelectedTimerOnly(
    _ width: Int, _ height: Int, _ line: String
  ) throws {
    let fixture = try Self.fixture(width, height)
    #expect(fixture.lines.first == line)
    #expect(fixture.lines.dropFirst().allSatisfy { $0.isEmpty })
  }

  @Test func anEmptyBoardShowsAHint() throws {
    let fixture = try Fixture(width: 44, height: 12)
    try fixture.frame.expectSnapshot("FrameTests-anEmptyBoardShowsAHint")
  }

  /// By `w` the board is a wall at any size; it scrolls by rows of cards, and a click selects one.
  @Test(arguments: [(200, 60), (120, 36), (80, 24), (40, 20)])
  func theWallUsesTheScreen(_ width: Int, _ height: Int) throws {
    let fixture = try Self.fixture(width, height)
    fixture.dashboard.boardLayout = .wall
    fixture.press(.home)
    try fixture.frame.expectSnapshot("FrameTests-theWallUsesTheScreen-\(width)")
    fixture.press(.end)
    let wall = try #require(ScreenLayout(of: fixture.dashboard).wall)
    let frame = Frame(fixture.dashboard, at: fixture.now)
    let last = try #require(frame.visible.last)
    #expect(last == fixture.dashboard.rows.count - 1 && fixture.dashboard.selected == last)
    let first = wall.card(at: 0)
    fixture.send(
      .input(.mouse(MouseEvent(.press(button: 1), at: Point(x: first.x + 3, y: first.y + 2)))))
    #expect(fixture.dashboard.selected == frame.visible.first)
  }

  /// The layout does not stretch on the largest screen.
  @Test func aHugeScreenShowsTheSameTable() throws {
    let fixture = try Self.fixture(400, 120)
    fixture.dashboard.boardLayout = .rows
    #expect(fixture.frame.size == Size(width: 400, height: 120))
    #expect(
      fixture.lines[6].hasPrefix("   sets             0:20  ▶ runs        7/8  ▆"))
    #expect(fixture.lines.map(\.cellWidth).max() == 399)
    #expect(fixture.lines[119].hasSuffix("q quit"))
  }

  @Test func aLargerScreenRestoresEverything() throws {
    let fixture = try Self.fixture(120, 36)
    let before = fixture.frame
    for size in [Size(width: 1, height: 1), Size(width: 0, height: 0), Size(width: 40, height: 8)] {
      fixture.send(.resized(size))
      #expect(fixture.frame.size == size)
    }
    fixture.send(.resized(Size(width: 120, height: 36)))
    #expect(fixture.frame == before)
  }

  /// Only a command that runs shows as executing: a fire without one does not flash.
  @Test func aFireWithoutACommandDoesNotShowAsExecuting() throws {
    let fixture = try Fixture("tea=10s poll=every 10s run x")
    fixture.advance(by: .seconds(10))
    #expect(fixture.lines[3].contains("♪ rang") && fixture.lines[4].contains("◆ executing"))
    fixture.commandEnded(TimerID(2), CommandResult(.exited(0)))
    #expect(fixture.lines[4].contains("▶ runs"))
  }

  /// Only scheduled fires can be late.
  @Test func aManualFireIsNotLate() throws {
    let fixture = try Fixture("poll=every 10s", width: 100)
    fixture.type("f")
    #expect(fixture.dashboard.rows[0].lateness == nil)
    fixture.advance(by: .seconds(10))
    #expect(fixture.dashboard.rows[0].lateness == .zero)
  }

  @Test func aFinishedTimerIsHighlightedUntilAKeyIsPressed() throws {
    let fixture = try Fixture(Self.board, width: 120, height: 36)
    fixture.press(.down)
    fixture.advance(by: .milliseconds(70_050))
    let y = try #require(fixture.lines.firstIndex { $0.hasPrefix(" ! lunch") })
    #expect(fixture.frame[1, y].text == "!")
    for x in [1, 4, 100] {
      #expect(fixture.frame[x, y].style == Theme.standard.alertPlane)
    }
    #expect(fixture.requests.filter { $0 == .ringOnce }.count == 1)
    fixture.acknowledge()
    #expect(fixture.frame[1, y].text == " ")
    #expect(fixture.frame[4, y].style == Style.plain.adding(.bold))
  }

  @Test func nothingIsColoredWithoutColor() throws {
    let options = DisplayOptions(hasColor: false)
    for keys in ["", "aevry", "?", " "] {
      let fixture = try Self.fixture(120, 36, options)
      fixture.type(keys)
      for cell in fixture.frame.cells {
        #expect(cell.style.foreground == .standard && cell.style.background == .standard)
      }
      #expect(fixture.frame.text.withoutTracks == (try colored(keys)))
    }
  }

  private func colored(_ keys: String) throws -> String {
    let fixture = try Self.fixture(120, 36)
    fixture.type(keys)
    return fixture.frame.text
  }

  /// Numbers keep their columns while they change, and so does the text beside them.
  @Test func textKeepsItsPositionAsTimePasses() throws {
    let fixture = try Fixture("tea=10m5s note 'x' poll=every 3s x20", width: 120)
    let columns = Set(
      (0..<12).map { _ in
        fixture.advance(by: .seconds(1))
        let line = Array(fixture.lines[3])
        return [line.lastIndex(of: "x"), line.firstIndex(of: "m"), line.firstIndex(of: "▶")]
      })
    #expect(columns.count == 1)
  }

  /// The second line of a row has the kind below the name, and below the bar what the kind does not say.
  @Test func twoLinesOfARowSayNothingTwice() throws {
    let fixture = try Fixture("sets=every 45s x8 tea=3m then sets", width: 120, height: 36)
    let lines = fixture.lines
    for (left, right) in [("every 45s ×8", ""), ("once 3m → sets", "rings at 14:32")] {
      let y = try #require(lines.firstIndex { $0.dropFirst(3).hasPrefix(left) })
      #expect(lines[y].hasSuffix(right.isEmpty ? left : "  \(right)"))
      let bar = try #require(lines[y - 1].firstIndex(of: "▆"))
      let column = lines[y - 1].distance(from: lines[y - 1].startIndex, to: bar)
      #expect(lines[y].dropFirst(column) == right)
    }
  }

  @Test func aThousandTimersScroll() throws {
    let line = (0..<1_000).map { "t\($0)=1h" }.joined(separator: " ")
    let fixture = try Fixture(line, width: 60, height: 8)
    fixture.press(.end)
    #expect(fixture.lines[6].hasPrefix(" ▌ t999"))
    #expect(fixture.lines[1].hasPrefix("   t994"))
    fixture.press(.up)
    #expect(fixture.lines[5].hasPrefix(" ▌ t998"))
    fixture.press(.home)
    #expect(fixture.lines[1].hasPrefix(" ▌ t0"))
    #expect(fixture.lines[0].contains("▶ 1000"))
  }
}

extension Canvas {
  /// Compares the frame with a file in Snapshots; `UPDATE_TEXTS=1 make test` writes the files anew.
  func expectSnapshot(
    _ name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try expectText(snapshotText + "\n", inSnapshot: name, sourceLocation: sourceLocation)
  }

  /// The text, with runs of empty lines counted: `(3 empty lines)`.
  var snapshotText: String {
    var result: [String] = []
    var empty = 0
    for line in lines + ["end"] {
      if line.isEmpty {
        empty += 1
        continue
      }
      if empty > 0 { result.append(empty == 1 ? "" : "(\(empty) empty lines)") }
      empty = 0
      result.append(line)
    }
    return result.dropLast().joined(separator: "\n")
  }
}

/// Compares a text with a file in Snapshots.
func expectText(
  _ text: String, inSnapshot name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let url = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../Snapshots/\(name).txt")
  if ProcessInfo.processInfo.environment["UPDATE_TEXTS"] == "1" {
    try text.write(to: url, atomically: true, encoding: .utf8)
  }
  let stored = try String(contentsOf: url, encoding: .utf8)
  #expect(text == stored, sourceLocation: sourceLocation)
}
