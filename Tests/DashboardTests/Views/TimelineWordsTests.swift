import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// The words on the timeline: how lanes end, what they are while nothing is drawn, and what comes next.
@Suite struct TimelineWordsTests {
  private func fixture(_ line: String, _ options: DisplayOptions = .init()) throws -> Fixture {
    let fixture = try Fixture(line, width: 80, height: 24, options: options)
    fixture.type("3=")
    return fixture
  }

  private func lane(_ name: String, _ fixture: Fixture) throws -> Substring {
    try #require(fixture.lines[3...].first { $0.contains(" \(name) ") }).drop {
      $0 != "┃" && $0 != "◆"
    }
  }

  /// The newest fire is seen in the line of now.
  @Test func theNewestFireIsInTheLineOfNow() throws {
    let fixture = try Fixture("egg=6s pom=cycle 25m/5m x4", width: 120, height: 36)
    fixture.type("3")
    fixture.advance(by: .seconds(8))
    #expect(try lane("egg", fixture).hasPrefix("◆ ♪ rang at 14:29"), "\(fixture.frame.text)")
  }

  @Test func lanesEndWithTheirTimes() throws {
    let fixture = try fixture(
      "tea=3m sets=every 45s x8 pom=cycle 25m/5m x2 blink=every 2s lap=stopwatch standup=daily 09:55"
    )
    #expect(try lane("tea", fixture).hasSuffix("● 14:32"))
    #expect(try lane("sets", fixture).hasSuffix("done 14:35"))
    #expect(try lane("blink", fixture).contains(" 30 a minute "))
    #expect(try lane("blink", fixture).hasSuffix("▸"))
    #expect(try lane("lap", fixture).hasSuffix("┃ counts up"))
    #expect(try lane("standup", fixture).hasSuffix("tomorrow 09:55:00 ▸"))
    fixture.type("---")
    #expect(try lane("pom", fixture).hasSuffix("done 15:24"), "\(fixture.frame.text)")
    #expect(
      fixture.lines.contains { $0.contains("14:29 sets   14:32 tea   14:35 sets done") },
      "\(fixture.frame.text)")
  }

  /// A timer that waits to be started is not paused.
  @Test func whatWaitsIsReady() throws {
    let fixture = try fixture("pom=cycle 10s/5s x2 wait")
    fixture.advance(by: .seconds(11))
    let lane = try lane("pom", fixture)
    #expect(lane.contains("▷ rest ready") && !lane.contains("paused"), "\(lane)")
  }

  /// The triggers that nothing has happened to share a line, which can be selected and clicked.
  @Test func readyTimersShareALine() throws {
    let fixture = try fixture("save=debounce 2s tea=3m flush=coalesce 3s")
    let y = try #require(fixture.lines.firstIndex { $0.contains("2 ready") })
    #expect(fixture.lines[y].contains("save · flush") && fixture.lines[y].contains("f triggers"))
    #expect(fixture.lines.count { $0.contains("save") } == 1)
    fixture.press(.end)
    #expect(fixture.selectedRow?.label == "flush" && fixture.lines[y].hasPrefix(" ▌ 2 ready"))
    let x = try #require(fixture.lines[y].firstRange(of: "save")).lowerBound
    let point = Point(x: fixture.lines[y].distance(from: fixture.lines[y].startIndex, to: x), y: y)
    #expect(Frame(fixture.dashboard, at: fixture.now).clickTarget(at: point) == .row(0))
    fixture.type("gjf")
    fixture.advance(by: .seconds(3))
    #expect(fixture.lines.contains { $0.contains("1 ready") }, "\(fixture.frame.text)")
  }

  /// In ASCII, rest differs from work also where its name has no room.
  @Test func phasesDifferInASCII() throws {
    let fixture = try fixture("pom=cycle 25m/5m x4", DisplayOptions(isASCII: true))
    let line = try #require(fixture.lines.first { $0.contains(" pom ") })
    #expect(line.contains("#+") && line.contains("+#"), "\(line)")
    #expect(fixture.frame.isASCII)
  }

  /// Now is at a quarter while all of the past is visible there, and then at a third.
  @Test func nowMovesOnceThereIsAPast() throws {
    let fixture = try fixture("a=every 45s x8 b=3h")
    func now() -> Int? {
      fixture.lines[3].firstIndex(of: "┃").map { $0.utf16Offset(in: fixture.lines[3]) }
    }
    let width = TimelineView(Frame(fixture.dashboard, at: fixture.now)).width
    let start = try #require(now())
    fixture.advance(by: .minutes(170))
    let later = try #require(now())
    #expect(later - start == width / 3 - width / 4)
  }

  /// The cursor is only where a lane is.
  @Test func theCursorIsInLanes() throws {
    let fixture = try fixture("tea=3m paused egg=4m paused")
    for _ in 0..<9 { fixture.press(.right) }
    #expect(fixture.lines.count { $0.contains("┊") } <= 2)
    let width = fixture.dashboard.size.width
    let reversed = (0..<24).filter { y in
      (0..<width).contains { fixture.frame[$0, y].style.attributes.contains(.reverse) }
    }
    #expect(reversed.isEmpty)
  }
}
