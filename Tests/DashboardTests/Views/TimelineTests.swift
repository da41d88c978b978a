import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// The lanes of the timeline: past fires at their actual times, future fires at their due times.
@Suite struct TimelineTests {
  private static let line = """
    tea=3m sets=every 15s x8 poll=every 10s tabata=cycle 20s/10s x8 'run'=stopwatch save=debounce 5s
    egg=5s slow=1h paused
    """

  /// The state after 61 s; `slow` was started and paused again, and `save` was triggered.
  private static func fixture(
    _ width: Int, _ height: Int, _ options: DisplayOptions = .init()
  ) throws -> Fixture {
    let fixture = try Fixture(line, width: width, height: height, options: options)
    fixture.type("Gp")
    fixture.advance(by: .seconds(20))
    fixture.acknowledge()
    fixture.type("p")
    fixture.advance(by: .seconds(38))
    fixture.type("kkf")
    fixture.advance(by: .seconds(3))
    fixture.type("gjjj3")
    return fixture
  }

  @Test func hugeScreen() throws {
    let fixture = try Self.fixture(200, 60)
    try fixture.frame.expectSnapshot("TimelineTests-hugeScreen")
  }

  /// A fast repeater does not determine the zoom, nor do the next fires of a repeater that ends later.
  @Test func theZoomFitsTheEnds() throws {
    let fixture = try Fixture("blink=every 500ms poll=every 2s egg=3m sets=every 45s x8", width: 80)
    fixture.type("3=")
    let view = TimelineView(Frame(fixture.dashboard, at: fixture.now))
    let cells = Int64(view.width - TimelineView.defaultNowColumn(inWidth: view.width))
    #expect(view.cellDuration * cells >= 360_000_000_000)
    // Timers without an end are fitted by their next fires.
    let endless = try Fixture("poll=every 2s", width: 80)
    endless.type("3=")
    #expect(TimelineView(Frame(endless.dashboard, at: endless.now)).cellDuration < 1_000_000_000)
  }

  @Test func wideScreen() throws {
    let fixture = try Self.fixture(120, 36)
    try fixture.frame.expectSnapshot("TimelineTests-wideScreen")
  }

  @Test func usualScreen() throws {
    let fixture = try Self.fixture(80, 24)
    try fixture.frame.expectSnapshot("TimelineTests-usualScreen")
  }

  @Test func smallScreen() throws {
    let fixture = try Self.fixture(40, 8)
    try fixture.frame.expectSnapshot("TimelineTests-smallScreen")
  }

  @Test func tinyScreen() throws {
    let fixture = try Self.fixture(20, 3)
    try fixture.frame.expectSnapshot("TimelineTests-tinyScreen")
  }

  @Test func asciiOnly() throws {
    let fixture = try Self.fixture(80, 24, DisplayOptions(isASCII: true))
    try fixture.frame.expectSnapshot("TimelineTests-asciiOnly")
  }

  @Test func zoomedOutAndScrolled() throws {
    let fixture = try Self.fixture(80, 24)
    fixture.type("--")
    fixture.press(.right)
    try fixture.frame.expectSnapshot("TimelineTests-zoomedOutAndScrolled")
  }

  @Test func lateAndMissedFiresAreShown() throws {
    let fixture = try Fixture("poll=every 10s", width: 60, height: 8)
    fixture.type("3")
    fixture.advance(by: .seconds(10))
    fixture.delay(by: .seconds(25))
    fixture.advance(by: .zero)
    let then = fixture.now.moved(by: .seconds(2))
    let snapshotText = fixture.dashboard.frame(at: then).canvas.snapshotText
    #expect(
      snapshotText == """
         1 2 3 timeline 4 5 L         next poll in 0:03  ▶ 1  14:29
                                    now          14:29:45  14:29:50
         ▌ poll 0:03  ▆▆▆▆▆▆▆▆▆▆▆◐▆▆▆┃─────●───────────────────●──▸
        (4 empty lines)
         + - zoom  ← → cursor  Esc back  a add  ? help  q quit
        """)
  }

  /// The cells before now show missed fires, also if the first of them are outside of the lane.
  @Test func theNewestOfManyMissedFiresAreShown() throws {
    let fixture = try Fixture("poll=every 10s", width: 60, height: 8)
    fixture.type("3--")
    fixture.advance(by: .seconds(10))
    fixture.delay(by: .seconds(3_605))
    fixture.advance(by: .zero)
    let late = fixture.now
    let text = fixture.dashboard.frame(at: late).canvas.text
    #expect(text.contains(" ×▆▆×▆▆▆×▆▆×▆▆▆▆◆─●──●──●"), "\(text)")
    // Each cell has a missed fire.
    fixture.dashboard.timeline.zoom(by: 2)
    let fartherText = fixture.dashboard.frame(at: late).canvas.text
    #expect(fartherText.contains(" ×××××××××××××××◆∙"), "\(fartherText)")
  }

  /// The lanes move by a cell each second, and not in between.
  @Test func theLanesMoveCellByCell() throws {
    let fixture = try Fixture(
      "poll=every 10s", width: 50, height: 8,
      options: DisplayOptions(showsClock: false), startingAt: .milliseconds(400))
    fixture.type("3")
    fixture.dashboard.timeline.fit(nil, into: 1)
    fixture.type("----")
    // The header counts the seconds; without it only the lanes change.
    fixture.send(.resized(Size(width: 50, height: 3)))
    #expect(
      fixture.dashboard.frame(at: fixture.now).nextRedraw
        == fixture.now.suspending.advanced(by: .milliseconds(29_600)))
    fixture.press(.escape)
    #expect(fixture.dashboard.view == .board)
  }

  @Test func pausedLanesNeedNoRedraw() throws {
    let options = DisplayOptions(showsClock: false)
    let fixture = try Fixture("a=1h paused b=stopwatch paused", options: options)
    fixture.type("3")
    #expect(fixture.dashboard.frame(at: fixture.now).nextRedraw == nil)
  }

  @Test func endlessCyclesAndShortIntervalsAreDrawnQuickly() throws {
    let fixture = try Fixture("every 1ms paused cycle 1ms/1ms paused every 1s", height: 24)
    fixture.type("3" + String(repeating: "-", count: 20))
    fixture.type("lll")
    #expect(fixture.frame.lines.contains { $0.contains(" 60 a minute ") })
  }

  /// Runs start to the right of the visible part, or end to the left of it.
  @Test(arguments: [Key.character("h"), .character("l")]) func scrolledAwayFromEverything(
    _ direction: Key
  ) throws {
    let fixture = try Self.fixture(80, 24)
    for _ in 0..<40 { fixture.press(direction) }
    let lanes = fixture.lines[3...9].map { $0.dropFirst(10) }
    #expect(lanes.joined().contains { "●◐×".contains($0) } == false)
    for _ in 0..<15 {
      fixture.type("-")
      _ = fixture.frame
    }
  }

  /// The cell of the cursor ends with the range of instants.
  @Test(arguments: [Int64.max, .max - 1_000, .min, 0]) func theCursorCanBeAnywhere(at cursor: Int64)
    throws
  {
    let fixture = try Fixture("tea=3m", width: 100, height: 24)
    fixture.type("3" + String(repeating: "-", count: 20))
    fixture.dashboard.timeline.cursor = cursor
    #expect(fixture.lines.contains { $0.contains("tea") })
    fixture.press(.right)
    fixture.press(.left)
    #expect(fixture.lines.contains { $0.contains("tea") })
  }
}
