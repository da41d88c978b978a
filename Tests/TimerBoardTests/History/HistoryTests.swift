import Fuzzing
import Testing
import TimerKit

@testable import TimerBoard

/// Lines, days and totals of the history.
struct HistoryTests {
  @Test(
    arguments: [
      (7_999, "0:08"), (7_499, "0:07"), (3_599_500, "1:00:00"), (.max, "2562047788015:12:56"),
    ] as [(Int64, String)])
  func timesAreRoundedToSeconds(_ milliseconds: Int64, _ text: String) {
    #expect(HistoryTotals.timeText(milliseconds) == text)
  }

  private static let line =
    #"{"v":1,"id":"00000000000000ff","timer":"té\u0041","kind":"cycle","phase":"work","round":2,"#
    + #""start":"2026-03-28T22:00:00.000Z","end":"2026-03-29T02:30:00.250Z","zone":"Europe/Berlin","#
    + #""ending":"finished","plannedMs":1500000,"activeMs":1500250,"interruptions":1,"#
    + #""pauses":[[1000,2000],[5000,1]],"fires":1,"missed":0,"future":{"a":[1,{"b":null}]}}"#

  private func parsed(_ text: String) -> HistoryLine? { parsed(Array(text.utf8)) }

  private func parsed(_ bytes: [UInt8]) -> HistoryLine? {
    HistoryLine(bytes, in: bytes.indices)
  }

  @Test func aLineIsParsed() throws {
    guard case .record(let record)? = parsed(Self.line) else {
      Issue.record("not parsed")
      return
    }
    #expect(record.id == 255 && record.title == "téA work" && record.round == 2)
    #expect(record.end - record.start == 16_200_250 && record.activeTime == 1_500_250)
    #expect(record.pauses == [.init(start: 1000, length: 2000), .init(start: 5000, length: 1)])
    #expect(parsed(#"{"v":1,"revokes":"ff"}"#) == .revocation(of: 255))
    #expect(parsed(#"{"v":1,"id":"ff","result":"exit 0"}"#) == .result("exit 0", of: 255))
  }

  @Test(arguments: [
    "", "{", "{}", "null", #"{"v":1}"#, #"{"v":2,"revokes":"ff"}"#, #"{"v":1,"revokes":"xyz"}"#,
    #"{"v":1,"revokes":"12345678901234567"}"#, #"{"v":99999999999999999999,"revokes":"1"}"#,
    #"{"v":1,"revokes":"1"} "x""#, #"{"v":1,"id":"1","timer":"t"}"#,
    #"{"v":1,"x":[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]}"#,
  ])
  func otherTextIsNoLine(_ text: String) {
    #expect(parsed(text) == nil)
  }

  @Test(arguments: [
    "2026-02-30T00:00:00.000Z", "2026-13-01T00:00:00.000Z", "1026-01-01T00:00:00.000Z",
    "2026-01-01T24:00:00.000Z", "2026-01-01 00:00:00.000Z", "2026-01-01T00:00:00Z",
  ])
  func invalidTimesAreRejected(_ time: String) {
    #expect(parsed(Self.line.replacing("2026-03-28T22:00:00.000Z", with: time)) == nil)
  }

  /// A name of any length must not take seconds to show.
  @Test func aLineThatIsTooLongIsSkipped() {
    for excess in [-1, 0, 1] {
      let empty = Self.line.replacing("té\\u0041", with: "")
      let name = String(repeating: "x", count: HistoryReplay.lineLimit - empty.utf8.count + excess)
      var replay = HistoryReplay()
      var count = 0
      replay.read(Array((Self.line.replacing("té\\u0041", with: name) + "\n").utf8)) { _ in
        count += 1
      }
      #expect(count == (excess > 0 ? 0 : 1) && replay.corruptCount == 1 - count)
    }
  }

  /// A prefix of a line is no line, and no change of a byte ends the process.
  @Test func damagedLinesAreSkipped() {
    let bytes = Array(Self.line.utf8)
    for count in bytes.indices { #expect(parsed(Array(bytes[..<count])) == nil) }
    var random = SplitMix(state: 7)
    for _ in 0..<20_000 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        damaged[Int.random(in: damaged.indices, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      if case .record(let record)? = parsed(damaged) {
        var days = LocalCalendar { _ in 3600 }
        var sum: Int64 = 0
        record.forEachActivePart { part in
          // A hundred years are many days.
          if record.activeTime < 86_400_000_000 { days.split(part) { sum += $1 } }
        }
        #expect(sum == record.activeTime || record.activeTime >= 86_400_000_000)
      }
    }
  }

  private func record(
    _ id: UInt64, _ timer: String = "t", start: String, activeTime: Int64,
    pauses: [StretchRecord.Pause] = []
  ) -> StretchRecord {
    let begin = CivilDate.milliseconds(iso8601: Array(start.utf8)[...]) ?? 0
    var record = StretchRecord(
      id: id, timer: timer, kind: .once, start: begin,
      end: begin + activeTime + pauses.reduce(0) { $0 + $1.length }, ending: .finished,
      activeTime: activeTime)
    record.pauses = pauses
    return record
  }

  // Daylight saving begins on 2026-03-29 at 01:00 UTC in Berlin, and ends on 2026-11-01 at 06:00 UTC in New York.
  private static var berlin: LocalCalendar { LocalCalendar { $0 >= 1_774_746_000 ? 7200 : 3600 } }
  private static var newYork: LocalCalendar {
    LocalCalendar { $0 >= 1_793_512_800 ? -18_000 : -14_400 }
  }

  @Test func daysHave23Or25Hours() {
    var totals = HistoryTotals(HistoryFilter(), calendar: Self.berlin)
    totals.add(record(1, start: "2026-03-28T22:00:00.000Z", activeTime: 48 * 3_600_000))
    #expect(
      totals.days.mapValues { $0.activeTime / 3_600_000 }
        == [
          CivilDate("2026-03-28"): 1, CivilDate("2026-03-29"): 23, CivilDate("2026-03-30"): 24,
        ].withoutNil)
    totals = HistoryTotals(HistoryFilter(), calendar: Self.newYork)
    totals.add(record(1, start: "2026-11-01T03:59:59.000Z", activeTime: 25 * 3_600_000 + 2000))
    #expect(
      totals.days.mapValues(\.activeTime)
        == [
          CivilDate("2026-10-31"): 1000, CivilDate("2026-11-01"): 25 * 3_600_000,
          CivilDate("2026-11-02"): 1000,
        ].withoutNil)
    #expect(totals.all.activeTime == 25 * 3_600_000 + 2000 && totals.all.stretches == 1)
  }

  /// The pause is where it was: the day after midnight has only what was active after it.
  @Test func pausesAreExactAtMidnight() {
    var totals = HistoryTotals(HistoryFilter(), calendar: LocalCalendar { _ in 0 })
    totals.add(
      record(
        1, start: "2026-05-01T23:50:00.000Z", activeTime: 1_200_000,
        pauses: [.init(start: 300_000, length: 3_600_000)]))
    #expect(
      totals.days.mapValues(\.activeTime)
        == [
          CivilDate("2026-05-01"): 300_000, CivilDate("2026-05-02"): 900_000,
        ].withoutNil)
  }

  @Test func aFilterCutsAtItsDays() {
    var filter = HistoryFilter()
    filter.since = CivilDate("2026-05-02")
    filter.names = ["t"]
    var totals = HistoryTotals(filter, calendar: LocalCalendar { _ in 0 })
    totals.add(record(1, start: "2026-05-01T23:50:00.000Z", activeTime: 1_200_000))
    totals.add(record(2, "other", start: "2026-05-02T23:50:00.000Z", activeTime: 1_200_000))
    #expect(totals.all.activeTime == 600_000 && totals.all.stretches == 0)
  }

  /// In any order and number, the lines lead to the same records.
  @Test func aReplayIsIdempotent() {
    let (first, second) = (Self.line, Self.line.replacing("00ff", with: "00fe"))
    let revocation = #"{"v":1,"revokes":"00000000000000fe"}"#
    let result = #"{"v":1,"id":"00000000000000ff","result":"exit 1"}"#
    func ids(_ files: [[String]]) -> ([UInt64], Int) {
      var replay = HistoryReplay()
      var ids: [UInt64] = []
      for file in files {
        replay.read(Array(file.joined(separator: "\n").utf8)) { record in
          ids.append(record.id)
          #expect(record.result == "exit 1")
        }
      }
      return (ids, replay.corruptCount)
    }
    #expect(ids([[first, second, result, revocation]]) == ([255], 0))
    #expect(ids([[first, first, second, revocation, second, result, revocation]]) == ([255], 0))
    #expect(ids([[revocation, result], ["", "torn{", second, first]]) == ([255], 1))
    #expect(
      ids([[first, second, result, revocation], [first, second, revocation]]) == ([255], 0))
  }

  @Test func streaksAreConsecutiveDays() throws {
    let today = try #require(CivilDate("2026-03-02"))
    let days = [-20, -19, -18, -17, -5, -2, -1].map { today.advanced(by: $0) }
    let streaks = Streaks(days, today: today)
    #expect(streaks.current == 2 && streaks.longest == 4)
    #expect(streaks.longestStart == today.advanced(by: -20))
    #expect(Streaks(days + [today], today: today).current == 3)
    #expect(Streaks(days, today: today.advanced(by: 1)).current == 0)
    #expect(Streaks([], today: today).longestStart == nil)
  }

  @Test func datesMatchTheCalendar() throws {
    var date = try #require(CivilDate(year: 1999, month: 12, day: 31))
    #expect(date.text == "1999-12-31" && date.weekdayName == "Fri")
    for _ in 0..<3000 {
      let (year, month, day) = date.yearMonthDay
      #expect(CivilDate(year: year, month: month, day: day) == date)
      #expect(CivilDate(date.text) == date)
      date = date.advanced(by: 1)
    }
    for text in ["2026-02-29", "2026-1-1", "26-01-01", "2026-00-10", "", "today"] {
      #expect(CivilDate(text) == nil)
    }
    let time = "2024-02-29T23:59:59.999Z"
    let milliseconds = try #require(CivilDate.milliseconds(iso8601: Array(time.utf8)[...]))
    #expect(CivilDate.iso8601(milliseconds) == time)
    #expect(CivilDate.iso8601(-1) == "1969-12-31T23:59:59.999Z")
  }

  @Test func theHeatMapEndsToday() throws {
    let today = try #require(CivilDate("2026-11-18"))
    let map = HeatMap(
      weeks: 6, until: today,
      times: [today: 100, today.advanced(by: -7): 26, today.advanced(by: 1): 9])
    #expect(map.day(week: 5, weekday: 2) == today)
    #expect(map.level(week: 5, weekday: 2) == 4 && map.level(week: 4, weekday: 2) == 2)
    #expect(map.level(week: 5, weekday: 3) == nil && map.level(week: 0, weekday: 0) == 0)
    #expect(map.monthLine(cellWidth: 2) == "Oct Nov")
  }

  @Test func theIndexFollowsLaterLines() throws {
    let today = try #require(CivilDate("2026-05-02"))
    var days = LocalCalendar { _ in 0 }
    var index = HistoryIndex(today: today)
    let late = record(1, start: "2026-05-01T23:50:00.000Z", activeTime: 1_200_000)
    index.add(late, calendar: &days)
    index.add(record(3, start: "2020-05-01T23:50:00.000Z", activeTime: 1000), calendar: &days)
    let later = record(2, "x", start: "2026-05-02T10:00:00.000Z", activeTime: 5000)
    index.apply([.record(late), .record(later)], calendar: &days)
    let all = index.names(matching: SearchQuery(""))
    #expect(
      index.times(of: all)
        == [
          CivilDate("2026-05-01"): 600_000, CivilDate("2026-05-02"): 605_000,
        ].withoutNil)
    #expect(index.stretches(on: today, of: all).map(\.id) == [2])
    index.apply([.revocation(of: 1)], calendar: &days)
    #expect(index.times(of: all) == [CivilDate("2026-05-02"): 5000].withoutNil)
    #expect(index.totals(of: all, in: index.firstDay...today).map(\.name) == ["x"])
  }
}

extension Dictionary where Key == CivilDate? {
  fileprivate var withoutNil: [CivilDate: Value] {
    reduce(into: [:]) { if let key = $1.key { $0[key] = $1.value } }
  }
}
