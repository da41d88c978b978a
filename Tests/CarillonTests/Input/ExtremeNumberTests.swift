import Dashboard
import Platform
import TerminalCore
import Testing
import TimerKit

@testable import CarillonRuntime
@testable import TimerBoard

/// No number from outside ends the process, alone or in a sum.
struct ExtremeNumberTests {
  private static let numbers: [Int64] = [
    .min, -(1 << 53), -1, 0, 1, 1 << 52, 1 << 53, .max,
  ]

  private static let members = [
    "version", "savedAt", "continuousNs", "suspendingNs", "id", "left", "iterations", "phaseIndex",
    "elapsed", "over", "fired", "missed", "roundsDone", "totalRoundsDone", "head", "start",
    "number", "round", "planned", "active", "pausedAt", "interruptions", "fires", "time",
  ]

  private static func session(_ member: String, _ number: Int64) -> [UInt8] {
    let boot = SystemBoot.id ?? ""
    func value(_ name: String, _ standard: Int64) -> String {
      "\"\(name)\":\(name == member ? number : standard)"
    }
    let stretch = [
      value("start", 1_764_000_000_000_000_000), value("active", 60_000_000_000),
      value("savedAt", 1_764_000_060_000_000_000), value("number", 0), value("round", 1),
      value("planned", 180_000_000_000), value("interruptions", 1), value("fires", 1),
      value("missed", 1), "\"id\":\"1f\"", "\"pauses\":[\(number),\(number),5,\(number)]",
    ]
    let chain =
      "\"chain\":{\(value("roundsDone", 1)),\(value("totalRoundsDone", 1)),\(value("head", 0))}"
    let timers = ["a=3m then a x8", "every 7m", "cycle 25m/5m x4", "stopwatch", "daily 09:00 x5"]
      .map {
        timer in
        let fields = [
          "\"timer\":\"\(timer)\"", "\"state\":\"running\"", value("id", 1), value("left", 100),
          value("iterations", 1), value("phaseIndex", 0), value("elapsed", 5), value("over", 1),
          value("fired", 1), value("missed", 1), "\"laps\":[1,\(number)]", chain,
          "\"stretch\":{\(stretch.joined(separator: ","))"
            + (member == "pausedAt" ? ",\"pausedAt\":\(number)" : "") + "}",
        ]
        return "{\(fields.joined(separator: ","))}"
      }
    let file = [
      value("version", 3), value("savedAt", 1_764_000_000), value("continuousNs", 1),
      value("suspendingNs", 1),  // Without the boot, the time since the save is that of the day.
      "\"bootID\":\"\(member == "savedAt" ? "" : boot)\"",
      "\"timers\":[\(timers.joined(separator: ","))]",
      "\"log\":[{\(value("time", 1)),\"timer\":\"a\",\"text\":\"b\"}]",
    ]
    return Array("{\(file.joined(separator: ","))}".utf8)
  }

  /// Each file is refused, or its timers run, are saved and end their stretches.
  @Test(arguments: members) func aSession(_ member: String) throws {
    let now = ClockReading.now()
    var opened = 0
    for number in Self.numbers {
      guard let file = try? SessionFile(Self.session(member, number)),
        let saved = try? file.restored(at: now)
      else { continue }
      opened += 1
      for policy in [RestorePolicy.catchUp, .keepTimeLeft] {
        let listed = Board(listing: saved, policy, at: now)
        var board = Board()
        _ = board.perform(.restore(saved, policy), at: now)
        _ = StatusText(timers: listed.timers.all, now: now).table
        draw(saved, policy, at: now)
        _ = SessionFile(board, at: now).bytes
        for case .record(let record) in board.endRuns(at: now).history {
          #expect((0...StretchRecord.longest).contains(record.activeTime), "\(member) \(number)")
        }
      }
    }
    // None of the numbers is the version.
    #expect((opened > 0) == (member != "version"))
  }

  /// Returns a dashboard that hears no event of its live timers.
  private static func dashboard() -> Dashboard {
    Dashboard(options: DisplayOptions(), size: Size(width: 80, height: 24))
  }

  /// Draws each view of a board with the timers.
  private func draw(_ saved: RestoredBoard, _ policy: RestorePolicy, at now: ClockReading) {
    var dashboard = Self.dashboard()
    var board = Board()
    _ = dashboard.start(with: [.restore(saved, policy)], on: &board, at: now)
    for key in "12354L" {
      _ = dashboard.update(.input(.key(Key(.character(key)))), &board, at: now)
      _ = dashboard.frame(of: board, at: now)
    }
  }

  /// The time of day can be set to any time, between the save and the start too.
  @Test(arguments: numbers) func aClock(_ nanoseconds: Int64) throws {
    let specs = try TimerSpec.parse(
      arguments: ["a=3m then a x8 every 7m x5 cycle 25m/5m x4 stopwatch at 12:00"])
    var now = ClockReading.now()
    now.wall = WallInstant(nanosecondsSince1970: nanoseconds)
    for number in [Int64.min, 0, .max] {
      var before = now
      before.wall = WallInstant(nanosecondsSince1970: number)
      var board = Board(specs, at: before)
      let saved = try SessionFile(SessionFile(board, at: before).bytes).restored(at: now)
      let listed = Board(listing: saved, .catchUp, at: now)
      draw(saved, .catchUp, at: now)
      _ = StatusText(timers: listed.timers.all, now: now).table
      let file = try SessionFile(SessionFile(board, at: now).bytes)
      _ = try file.restored(at: before)
      _ = board.endRuns(at: now)
      _ = SessionOwner(.board, at: now).sinceText(at: before, uses24Hours: true)
    }
  }

  /// Every number that a session or a line of the history has is in the tests.
  @Test func everyNumberIsTested() throws {
    let now = ClockReading.now()
    let file = try SessionFile(Self.session("", 0))
    var record = StretchRecord(
      id: 1, timer: "a", kind: .once, start: 0, end: 1, ending: .finished, activeTime: 1)
    (record.round, record.planned) = (1, 1)
    var board = Board()
    _ = board.perform(.takeOver(try file.restored(at: now)), at: now)
    let texts =
      [file.bytes, SessionFile(board, at: now).bytes]
      .map { String(decoding: $0, as: UTF8.self) } + [HistoryLine.record(record).json]
    let numbers = Set(
      texts.flatMap { $0.matches(of: /"([A-Za-z]+)":-?[0-9]/).map { String($0.1) } })
    #expect(numbers.count > 20, "\(numbers)")
    #expect(numbers.isSubset(of: Self.members + Self.fields), "\(numbers.sorted())")
  }

  private static let fields = [
    "v", "round", "plannedMs", "activeMs", "interruptions", "fires", "missed", "pauses",
  ]

  @Test(arguments: fields) func theHistory(_ field: String) throws {
    var index = HistoryIndex(today: CivilDate(day: 20_416))
    var totals = HistoryTotals(HistoryFilter(), calendar: LocalCalendar { _ in 7200 })
    var calendar = LocalCalendar { _ in -7200 }
    for (number, id) in zip(Self.numbers, 1...) {
      func value(_ name: String, _ standard: Int64) -> String {
        "\"\(name)\":\(name == field ? number : standard)"
      }
      let pauses = Array(repeating: "[\(number),\(number)]", count: field == "pauses" ? 5000 : 1)
      let text =
        "{\"id\":\"\(id)\",\"zone\":\"\",\"timer\":\"a\",\"kind\":\"once\",\"ending\":\"finished\","
        + "\"start\":\"2026-11-24T00:00:00.000Z\",\"end\":\"2026-11-24T00:00:01.000Z\","
        + [
          value("v", 1), value("round", 1), value("plannedMs", 1), value("activeMs", 1000),
          value("interruptions", 1), value("fires", 1), value("missed", 1),
          "\"pauses\":[\(pauses.joined(separator: ","))]",
        ].joined(separator: ",") + "}"
      let bytes = Array(text.utf8)
      guard case .record(let record)? = HistoryLine(bytes, in: bytes.indices) else { continue }
      index.add(record, calendar: &calendar)
      totals.add(record)
      var active: Int64 = 0
      record.forEachActivePart { active += $0.upperBound - $0.lowerBound }
      #expect(active == record.activeTime)
      _ = HistoryText(uses24Hours: true).list([record], &calendar)
    }
    _ = StatsText(totals: totals, today: CivilDate(day: 20_416)).tables
    let now = ClockReading(wall: SessionSample.wall)
    var dashboard = Self.dashboard()
    var board = Board()
    _ = dashboard.update(.input(.key(Key(.character("5")))), &board, at: now)
    _ = dashboard.update(.history(index), &board, at: now)
    _ = dashboard.frame(of: board, at: now)
  }

  /// The pauses of a line were each bounded, their sum was not.
  @Test func pausesOfAnyNumberAndLength() throws {
    for count in [0, 1, 2047, 2048, 2049, 4096] {
      let pauses = Array(repeating: "[0,\(Int64(1) << 52)]", count: count).joined(separator: ",")
      let bytes = Array(
        (#"{"v":1,"id":"1","timer":"a","kind":"once","start":"2026-11-24T00:00:00.000Z","#
          + #""end":"2026-11-24T00:00:01.000Z","zone":"","ending":"finished","activeMs":1000,"#
          + #""interruptions":0,"fires":1,"missed":0,"#
          + "\"pauses\":[\(pauses)]}").utf8)
      guard case .record(let record)? = HistoryLine(bytes, in: bytes.indices) else {
        Issue.record("not read")
        continue
      }
      var totals = HistoryTotals(HistoryFilter(), calendar: LocalCalendar { _ in 0 })
      totals.add(record)
      #expect(totals.all.activeTime == 1000)
    }
  }

  /// A stretch of any length is laid out in a bounded number of days, and sums of stretches saturate.
  @Test func sumsOfTheHistorySaturate() {
    var total = HistoryTotals.Total(activeTime: .max, interruptions: .max)
    total.add(HistoryTotals.Total(activeTime: 1, interruptions: 1))
    #expect(total.activeTime == .max && total.interruptions == .max)
    #expect(StretchRecord.longest / 86_400_000 < 3700)
  }

  /// A clock that cannot be one of this boot says nothing about the time since the save.
  @Test func aClockOfAnotherBootIsIgnored() throws {
    let now = ClockReading.now()
    for number in [Int64.min, .min + 1, -1, .max] {
      for member in ["continuousNs", "suspendingNs"] {
        var file = try SessionFile(Self.session(member, number))
        file.savedAt = Double(now.wall.nanosecondsSince1970) / 1e9
        let left = try #require(file.board.timers.first?.left)
        let restored = try #require(try file.restored(at: now).timers.first?.timeLeft(at: now))
        #expect(abs(restored / .seconds(1) - left) < 1)
      }
    }
  }

  @Test func theConfiguration() {
    for setting in [
      "[commands]\nat-once", "[commands]\ntime-limit", "[hooks]\nat-once", "[history]\nkeep-days",
      "[display]\ntenths", "[display]\nfps",
    ] {
      for number in Self.numbers.map(String.init) + [
        "1e400", "-1e400", "nan", "inf", "9223372036854775808",
      ] {
        for text in [
          "\(setting) = \(number)\n", "\(setting) = \"\(number)\"\n",
          "\(setting) = \"\(number)h\"\n",
        ] {
          guard let configuration = try? Configuration(Array(text.utf8), file: "f") else {
            continue
          }
          if let days = configuration.history.days {
            #expect(ClockReading.now().day.advanced(by: -days) < ClockReading.now().day)
          }
        }
      }
    }
  }

  @Test func durationsAndCounts() {
    for number in Self.numbers.map(\.magnitude) {
      for text in [
        "\(number)", "\(number)ms", "\(number)w", "\(number).999999999w", "0.\(number)s",
        "every 1s x\(number)",
        "cycle 1s/\(number)s x\(number)", "at \(number):00", "every \(number)h awake",
        "debounce 1s max \(number)s",
        "in \(number) days", "at \(number)-01-01T00:00", "tea=1s then tea x\(number)",
      ] {
        guard let specs = try? TimerSpec.parse(arguments: [text]) else { continue }
        let now = ClockReading.now()
        for spec in specs {
          guard let timer = try? BoardTimer(id: TimerID(1), startOf: spec, at: now)
          else { continue }
          _ = timer.timeText(at: now)
          _ = timer.iterationsText
        }
      }
    }
  }
}
