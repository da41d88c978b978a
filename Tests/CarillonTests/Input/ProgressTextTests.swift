import TerminalCore
import Testing
import TimerKit

@testable import CarillonRuntime
@testable import TimerBoard

/// The line of `carillon run --progress`.
struct ProgressTextTests {
  /// 2026-07-01 14:29:00 UTC.
  private static let begin = WallInstant(nanosecondsSince1970: 1_782_916_140_000_000_000)

  private func reading(after time: Duration) -> ClockReading {
    ClockReading(wall: Self.begin.advanced(by: time))
  }

  /// Returns the line of timers that began some time before.
  private func progress(
    _ line: String, after time: Duration, columns: Int = 80, isUTF8: Bool = true
  ) throws -> ProgressText {
    let now = reading(after: time)
    let board = try Board(line, startedAt: reading(after: .zero), at: now)
    return ProgressText(
      board.timers, at: now, columns: columns, uses24Hours: true, isUTF8: isUTF8)
  }

  @Test(arguments: [
    ("tea=3m", "tea  2:00  ━━━━━━━━━━────────────────────  ends 14:32:00"),
    ("3m", "3m  2:00  ━━━━━━━━━━────────────────────  ends 14:32:00"),
    (
      "tea=3m egg=5m 1h paused",
      "tea  2:00  ━━━━━━━━━━────────────────────  ends 14:32:00  +2 more"
    ),
    ("sets=every 45s x8", "sets  0:30  ━━━━━━━━━━────────────────────  2 of 8  ends 14:35:00"),
    ("every 90s", "every 1m30s  0:30  ━━━━━━━━━━━━━━━━━━━━──────────  next 14:30:30"),
    (
      "pomo=cycle 40s/20s x4",
      "pomo  0:40  ──────────────────────────────  work, 2 of 4  ends 14:32:40"
    ),
    ("cycle 2m/1m", "cycle 2m/1m  1:00  ━━━━━━━━━━━━━━━───────────────  work  next 14:31:00"),
    (
      "tea=2d", "tea  1d 23:59:00  ──────────────────────────────  ends 2026-07-03 14:29:00"
    ),
    (
      "daily 14:35 x2",
      "daily 14:35 x2  5:00  ━━━━━─────────────────────────  1 of 2  next 14:35:00"
    ),
    ("at 14:35", "at 14:35  5:00  ━━━━━─────────────────────────  ends 14:35:00"),
    ("sw=stopwatch", "sw     1:00"),
    ("tea=3m paused", "tea  3:00  ──────────────────────────────  paused"),
    ("save=debounce 2s", ""), ("tea=30s", ""),
  ])
  func aMinuteLater(line: String, text: String) throws {
    let progress = try progress(line, after: .seconds(60)).text
    #expect(progress == text, "\(progress)")
  }

  /// The less important parts give way to the name and the time.
  @Test(arguments: [
    (80, "sets  0:30  ━━━━━━━━━━────────────────────  2 of 8  ends 14:35:00  +1 more"),
    (60, "sets  0:30  ━━━━━───────────  2 of 8  ends 14:35:00  +1 more"),
    (50, "sets  0:30  ━━────  2 of 8  ends 14:35:00  +1 more"),
    (40, "sets  0:30  2 of 8  ends 14:35:00"),
    (30, "sets  0:30  ━━━───────  2 of 8"), (18, "sets  0:30  2 of 8"), (9, "se…  0:30"),
    (1, "…"),
  ])
  func aNarrowTerminal(columns: Int, text: String) throws {
    let line = try progress("sets=every 45s x8 egg=9m", after: .seconds(60), columns: columns).text
    #expect(line == text && line.cellWidth <= columns, "\(line)")
  }

  @Test func anyNameFits() throws {
    for name in ["\u{1B}[2J", "每日每日每日每日每日每日每日", "e\u{301}", String(repeating: "long ", count: 99)] {
      for columns in 1...100 {
        let line = try progress("'\(name)'=3m", after: .seconds(60), columns: columns).text
        #expect(line.cellWidth <= columns && !line.contains("\u{1B}"))
      }
    }
    let ascii = try progress("'a very long name of a timer'=3m", after: .seconds(60), isUTF8: false)
    #expect(ascii.text.utf8.allSatisfy { $0 < 128 }, "\(ascii.text)")
  }

  /// It changes by itself once a second, when the time does, and not while nothing runs.
  @Test func itChangesWithTheTime() throws {
    func wait(_ line: String, _ time: Duration) throws -> Duration? {
      let now = reading(after: time)
      return try progress(line, after: time).nextChange.map { now.suspending.duration(to: $0) }
    }
    let waits = try [
      wait("tea=3m", .zero), wait("tea=3m", .milliseconds(300)),
      wait("tea=3m", .milliseconds(179_400)), wait("sw=stopwatch", .milliseconds(2_300)),
      wait("tea=3m paused", .seconds(1)), wait("tea=3s", .seconds(5)),
    ]
    #expect(
      waits == [.seconds(1), .milliseconds(700), .milliseconds(600), .milliseconds(700), nil, nil])
  }
}
