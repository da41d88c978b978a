import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// View 5.
struct HistoryTests {
  /// A history of 30 days before 2026-07-01: tea on each day, reading on every third, in UTC.
  private static func fixture(
    _ width: Int, _ height: Int, _ options: DisplayOptions = .init()
  ) throws -> Fixture {
    let fixture = try Fixture("tea=3m", width: width, height: height, options: options)
    fixture.type("5")
    #expect(fixture.dashboard.needsHistory)
    #expect(fixture.frame.text.contains("reading the history"))
    fixture.send(.history(index(until: fixture.now)))
    #expect(!fixture.dashboard.needsHistory)
    return fixture
  }

  static func index(until now: ClockReading) -> HistoryIndex {
    let today = CivilDate(day: LocalTime(now).dayNumber)
    var days = LocalCalendar { _ in 0 }
    var index = HistoryIndex(today: today)
    for ago in 0..<30 {
      let midnight = Int64(today.advanced(by: -ago).day) * 86_400_000
      index.add(
        Self.record("tea", midnight + 36_000_000, Int64(ago % 7 + 1) * 180_000), calendar: &days)
      if ago % 3 == 0 {
        index.add(Self.record("read", midnight + 40_000_000, 1_500_000), calendar: &days)
      }
    }
    return index
  }

  private static func record(_ name: String, _ start: Int64, _ activeTime: Int64) -> StretchRecord {
    StretchRecord(
      id: UInt64(start) &+ UInt64(name.utf8.count), timer: name, kind: .once, start: start,
      end: start + activeTime, ending: .finished, activeTime: activeTime)
  }

  @Test func aSmallScreenListsTheDays() throws {
    let fixture = try Self.fixture(40, 12)
    let lines = fixture.lines
    #expect(lines.contains { $0.hasPrefix(" ▌ Wed 07-01") && $0.contains("28:00") })
    #expect(lines.contains { $0.hasPrefix("   Tue 06-30") && $0.contains("6:00") })
    #expect(!fixture.frame.text.contains("names"))
  }

  @Test(arguments: [(80, 24), (120, 36), (200, 60)])
  func aLargeScreenHasAllParts(_ width: Int, _ height: Int) throws {
    let text = try Self.fixture(width, height).frame.text
    for part in [
      "history, ", "Mon ", "▆", "less ", "─ names ", "─ Wed 2026-07-01 ", "tea", "30×", "10×",
      "10:00",
    ] {
      #expect(text.contains(part), "\(part) in\n\(text)")
    }
  }

  /// No size ends the program or writes outside of the screen.
  @Test func anySize() throws {
    for width in [1, 2, 7, 16, 31, 44, 60, 75, 111] {
      for height in [1, 2, 3, 5, 8, 17, 25] {
        let fixture = try Self.fixture2(width, height)
        #expect(fixture.lines.count == height)
        fixture.press(.enter)
        #expect(fixture.lines.count == height)
      }
    }
  }

  private static func fixture2(_ width: Int, _ height: Int) throws -> Fixture {
    let fixture = try Self.fixture(120, 30)
    fixture.send(.resized(Size(width: width, height: height)))
    return fixture
  }

  @Test func keysSelectADayAndOpenItsList() throws {
    let fixture = try Self.fixture(80, 24)
    fixture.press(.down, .down, .left)
    #expect(fixture.dashboard.historyDaysAgo == 9)
    fixture.press(.right, .up)
    #expect(fixture.dashboard.historyDaysAgo == 1)
    fixture.press(.enter)
    #expect(fixture.frame.text.contains("history of Tue 2026-06-30"))
    #expect(fixture.frame.text.contains("10:00 – 10:06  tea"))
    fixture.press(.escape)
    #expect(
      fixture.dashboard.view == .history && fixture.dashboard.historyState.listOffset == nil)
    fixture.type("G")
    #expect(fixture.dashboard.historyDaysAgo == 29)
    fixture.press(.down, .down)
    #expect(fixture.dashboard.historyDaysAgo == 29)
    fixture.type("g")
    #expect(fixture.dashboard.historyDaysAgo == 0)
    fixture.press(.escape)
    #expect(fixture.dashboard.view == .board)
  }

  /// A text in the left half of the line leaves room for the count.
  @Test func theFilterShowsItsCountBesideALongText() throws {
    let fixture = try Self.fixture(80, 24)
    fixture.type("/" + String(repeating: "z", count: 35))
    #expect(fixture.frame.text.contains("0 of 2"))
    fixture.type(String(repeating: "z", count: 35))
    #expect(!fixture.frame.text.contains("0 of 2"))
  }

  @Test func theFilterSelectsNames() throws {
    let fixture = try Self.fixture(80, 24)
    fixture.type("/rea")
    fixture.press(.enter)
    #expect(fixture.frame.text.contains("/ rea") && fixture.frame.text.contains("1 of 2"))
    #expect(!fixture.frame.text.contains("30×"))
    fixture.type("/zzz")
    #expect(fixture.frame.text.contains("no matches"))
    fixture.press(.enter, .escape)
    #expect(fixture.frame.text.contains("30×"))
    #expect(fixture.dashboard.view == .history && fixture.dashboard.listState.filter.isEmpty)
  }

  /// Opens the list of a day with more stretches than the history has days.
  private static func longList() throws -> Fixture {
    let fixture = try Self.fixture(80, 24)
    var days = LocalCalendar { _ in 0 }
    let midnight = Int64(LocalTime(fixture.now).dayNumber) * 86_400_000
    let lines = (0..<500).map { minute in
      HistoryLine.record(Self.record("nap", midnight + Int64(minute) * 60_000, 30_000))
    }
    fixture.dashboard.addToHistory(lines, calendar: &days)
    fixture.press(.enter)
    return fixture
  }

  @Test func aKeyGoesToTheEndOfALongList() throws {
    let fixture = try Self.longList()
    let height = ScreenLayout(of: fixture.dashboard).body.height
    fixture.type("G")
    #expect(fixture.dashboard.historyState.listOffset == 502 - height)
    #expect(fixture.frame.text.contains("11:06 – 11:31  read"))
    fixture.type("g")
    #expect(fixture.dashboard.historyState.listOffset == 0)
  }

  /// The open list of a day has no weeks.
  @Test func weeksAreSkippedOnlyWhileTheListIsClosed() throws {
    func commands(_ fixture: Fixture) -> [Action] {
      fixture.dashboard.commandBindings(at: fixture.now).map(\.action)
    }
    let fixture = try Self.longList()
    #expect(!fixture.lines[23].contains("week") && !commands(fixture).contains(.scrollLeft))
    fixture.press(.down, .left)
    #expect(fixture.dashboard.historyState.listOffset == 1)
    fixture.press(.right)
    #expect(fixture.dashboard.historyState.listOffset == 1)
    fixture.press(.enter)
    #expect(fixture.lines[23].contains("← → week") && commands(fixture).contains(.scrollLeft))
    fixture.press(.left)
    #expect(fixture.dashboard.historyDaysAgo == 7)
  }

  @Test func theFooterLabelsTheKeysOfTheOpenList() throws {
    let fixture = try Self.longList()
    #expect(fixture.lines[23].contains("↑ ↓ scroll") && fixture.lines[23].contains("Enter close"))
    fixture.press(.enter)
    #expect(fixture.lines[23].contains("↑ ↓ day") && fixture.lines[23].contains("Enter open"))
  }

  /// A filter can leave fewer days: list, details and keys agree on the selected one, and its end restores it.
  @Test func theSelectedDayIsOneOfTheFilter() throws {
    let fixture = try Self.fixture(80, 30)
    fixture.type("G/read")
    fixture.press(.enter)
    // The first day with reading is two days later than that with tea.
    #expect(fixture.lines.contains { $0.contains("▌ Thu") && $0.contains("06-04") })
    #expect(fixture.frame.text.contains("─ Thu 2026-06-04 "))
    #expect(!fixture.frame.text.contains("nothing recorded"))
    fixture.press(.up)
    #expect(fixture.frame.text.contains("─ Fri 2026-06-05 "))
    fixture.press(.escape)
    fixture.type("G/read")
    fixture.press(.escape)
    #expect(fixture.frame.text.contains("─ Tue 2026-06-02 "))
  }

  @Test func newLinesAreShown() throws {
    let fixture = try Self.fixture(80, 24)
    var days = LocalCalendar { _ in 0 }
    let midnight = Int64(LocalTime(fixture.now).dayNumber) * 86_400_000
    let record = Self.record("new", midnight + 50_000_000, 60_000)
    fixture.dashboard.addToHistory([.record(record)], calendar: &days)
    #expect(fixture.frame.text.contains("new"))
    fixture.dashboard.addToHistory([.revocation(of: record.id)], calendar: &days)
    #expect(!fixture.frame.text.contains("new"))
  }

  @Test func anEmptyHistorySaysSo() throws {
    let fixture = try Fixture("", width: 80, height: 24)
    fixture.type("5")
    fixture.send(.history(HistoryIndex(today: CivilDate(day: LocalTime(fixture.now).dayNumber))))
    #expect(fixture.frame.text.contains("no history yet"))
    var options = DisplayOptions()
    options.emptyHistoryText = "no history: nothing is recorded"
    let unrecorded = try Fixture("", width: 80, height: 24, options: options)
    unrecorded.type("5")
    unrecorded.send(.history(HistoryIndex(today: CivilDate(day: LocalTime(fixture.now).dayNumber))))
    #expect(unrecorded.frame.text.contains("no history: nothing is recorded"))
  }

  /// The frame changes by itself at midnight.
  @Test func theNextDayIsDrawn() throws {
    let fixture = try Fixture("", width: 80, height: 24, options: DisplayOptions(showsClock: false))
    fixture.type("5")
    #expect(fixture.dashboard.frame(at: fixture.now).nextRedraw == nil)
    fixture.send(.history(Self.index(until: fixture.now)))
    let next = try #require(fixture.dashboard.frame(at: fixture.now).nextRedraw)
    #expect(fixture.now.suspending.duration(to: next) == .seconds(86_400 - 14 * 3600 - 29 * 60))
  }

  @Test func theViewHasAnASCIIForm() throws {
    let text = try Self.fixture(120, 36, DisplayOptions(isASCII: true)).frame.text
    #expect(text.utf8.allSatisfy { $0 < 128 } && text.contains("#"))
  }
}
