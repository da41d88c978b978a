import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// The focus view.
@Suite struct FocusTests {
  private static func fixture(
    _ width: Int, _ height: Int, _ options: DisplayOptions = .init()
  ) throws -> Fixture {
    let fixture = try FrameTests.fixture(width, height, options)
    fixture.press(.enter)
    fixture.acknowledge()
    return fixture
  }

  @Test func hugeScreen() throws {
    let fixture = try Self.fixture(200, 60)
    try fixture.frame.expectSnapshot("FocusTests-hugeScreen")
  }

  @Test func wideScreen() throws {
    let fixture = try Self.fixture(120, 36)
    fixture.press(.character(","))
    try fixture.frame.expectSnapshot("FocusTests-wideScreen")
  }

  @Test func usualScreen() throws {
    let fixture = try Self.fixture(80, 24)
    try fixture.frame.expectSnapshot("FocusTests-usualScreen")
  }

  @Test func smallScreen() throws {
    let fixture = try Self.fixture(40, 8)
    try fixture.frame.expectSnapshot("FocusTests-smallScreen")
  }

  @Test func tinyScreen() throws {
    let fixture = try Self.fixture(20, 3)
    try fixture.frame.expectSnapshot("FocusTests-tinyScreen")
    fixture.send(.resized(Size(width: 20, height: 4)))
    try fixture.frame.expectSnapshot("FocusTests-tinyScreen-2")
  }

  @Test func asciiOnly() throws {
    let fixture = try Self.fixture(60, 16, DisplayOptions(isASCII: true))
    try fixture.frame.expectSnapshot("FocusTests-asciiOnly")
  }

  @Test func aCycleShowsItsPhaseAndRound() throws {
    let fixture = try Fixture("pomodoro=cycle 25m/5m x4 note 'deep work'", width: 80, height: 20)
    fixture.type("2")
    fixture.advance(by: .minutes(32))
    try fixture.frame.expectSnapshot("FocusTests-aCycleShowsItsPhaseAndRound")
  }

  @Test func aStopwatchShowsItsLaps() throws {
    let fixture = try Fixture("'run'=stopwatch", width: 60, height: 20)
    fixture.type("2.")
    for lap in 1...7 {
      fixture.advance(by: .milliseconds(900 * lap))
      fixture.type("c")
    }
    try fixture.frame.expectSnapshot("FocusTests-aStopwatchShowsItsLaps")
  }

  @Test func aDebouncerShowsTheOutcomesOfTriggers() throws {
    let fixture = try Fixture("save=debounce 2s", width: 60, height: 20)
    fixture.type("2fff")
    try fixture.frame.expectSnapshot("FocusTests-aDebouncerShowsTheOutcomesOfTriggers")
    fixture.advance(by: .seconds(2))
    fixture.send(.resized(Size(width: 60, height: 24)))
    #expect(fixture.lines.contains { $0.contains("3 triggered, 1 fired, 2 dropped") })
  }

  /// The digits that are drawn have the same margin at both sides, also after one of them is gone.
  @Test(arguments: ["tea=10m", "tea=1h", "lap=stopwatch", "sets=every 45s", "save=debounce 2s"])
  func theDigitsAreCentered(line: String) throws {
    for (width, height) in [(80, 24), (120, 36), (200, 60)] {
      let fixture = try Fixture(line, width: width, height: height)
      fixture.type("2")
      fixture.advance(by: .seconds(2))
      let digits = fixture.lines.filter { $0.contains { "█▀▄".contains($0) } }
      let left = try #require(digits.map { $0.prefix { $0 == " " }.count }.min())
      let right = try #require(digits.map { width - $0.count }.min())
      #expect(abs(left - right) <= 1, "\(width): \(left) and \(right)")
    }
  }

  /// More than a day is read from across the room, too: `1d09`, with the whole time below.
  @Test(arguments: [(40, 10), (80, 24), (200, 60)])
  func moreThanADayHasDigits(width: Int, height: Int) throws {
    let fixture = try Fixture("call=34h", width: width, height: height)
    fixture.type("2")
    func hasDigits() -> Bool {
      fixture.lines.filter { $0.contains { "█▀▄".contains($0) } }.count >= 3
    }
    #expect(hasDigits())
    #expect(fixture.lines.contains { $0.contains("1d 10:00:00") } || height < 12)
    fixture.advance(by: .hours(11))
    #expect(hasDigits())
  }

  @Test func allTimerKeysWorkInFocus() throws {
    let fixture = try Self.fixture(80, 24)
    fixture.press(.space)
    #expect(try fixture.snapshot("sets").state == .paused)
    #expect(fixture.lines.contains { $0.contains("sets: paused, 0:20 left") })
    fixture.type("j")
    #expect(fixture.order == "tea sets [poll] 每日 lunch slow every 1h30m")
    fixture.type("d")
    #expect(fixture.lines.contains { $0.contains("每日 · every 1h ×3") })
  }

  /// The time since the end is centered, and the time of the end is shown.
  @Test func overtimeIsCentered() throws {
    let fixture = try Fixture("tea=3s", width: 80, height: 24)
    fixture.type("2")
    fixture.advance(by: .seconds(9))
    let digits = fixture.lines.filter { $0.contains("█") || $0.contains("▀") || $0.contains("▄") }
    let first = try #require(digits.map { $0.prefix { $0 == " " }.count }.min())
    let last = try #require(digits.map { 79 - $0.count + 1 }.min())
    #expect(abs(first - last) <= 1, "\(first) columns on the left, \(last) on the right")
    #expect(fixture.lines.contains { $0.contains("♪ rang at ") })
  }

  /// The size depends on the longest time, so that it stays the same while time passes.
  @Test func theDigitsKeepTheirSize() throws {
    let fixture = try Fixture("tea=10m", width: 80, height: 24)
    fixture.type("2")
    let before = try #require(FocusView(Frame(fixture.dashboard, at: fixture.now)))
    fixture.advance(by: .seconds(590))
    let after = try #require(FocusView(Frame(fixture.dashboard, at: fixture.now)))
    #expect(before.digits.height == after.digits.height)
  }

  /// Every character at the smallest size, in blocks and without half blocks.
  @Test func digits() throws {
    var canvas = Canvas(Size(width: 90, height: 3))
    let text = "0123456789:.d+h"
    let digits = try #require(
      BigDigits(widest: text, in: Size(width: 90, height: 3), symbols: .unicode))
    digits.draw(
      text, on: &canvas, maxX: digits.width(of: text), y: 0, style: .plain, symbols: .unicode)
    try canvas.expectSnapshot("FocusTests-digits")
    #expect(BigDigits(widest: "0", in: Size(width: 90, height: 4), symbols: .ascii) == nil)
  }

  /// From five rows on, the digits have strokes; each differs from the others at any height.
  @Test(arguments: [5, 6, 7, 12]) func strokes(_ height: Int) throws {
    for symbols in [Symbols.unicode, .ascii] {
      var seen: Set<String> = []
      for digit in "0123456789" {
        var canvas = Canvas(Size(width: 40, height: height))
        let digits = try #require(
          BigDigits(widest: "0", in: Size(width: 40, height: height), symbols: symbols))
        #expect(digits.height == height)
        digits.draw(
          String(digit), on: &canvas, maxX: digits.width(of: "0"), y: 0, style: .plain,
          symbols: symbols)
        #expect(seen.insert(canvas.snapshotText).inserted, "\(digit)")
      }
    }
  }
}
