import Assets
import Foundation
import Testing
import TimerKit

@testable import CarillonRuntime
@testable import TimerBoard

/// The man page describes every member of the JSON that commands print, and every variable that the program reads.
struct JSONPageTests {
  private func members(of json: String) -> Set<String> {
    Set(json.matches(of: /"([A-Za-z]+)":/).map { String($0.1) })
  }

  private func describes(_ member: String) -> Bool {
    Assets.manual.split(separator: "\n").contains { line in
      (line.hasPrefix(".B ") || line.hasPrefix(".BR "))
        && line.split { !$0.isLetter }.dropFirst().contains { $0 == member }
    }
  }

  @Test func everyVariableIsDescribed() throws {
    let environment = try #require(
      ManualPage().text.components(separatedBy: ".SH ENVIRONMENT").last)
    let reading =
      #/
      (?: environment\[ | self\[ | of:\s | isSet\( | folder\( | getenv\( | locale\( | localeText\(
        | environmentVariable\( ) "([A-Z_]+)"
      /#
    var names: Set<String> = []
    for target in [
      "CarillonRuntime", "CursesTerminal", "Platform", "TerminalCore", "TimerKit", "UnixSockets",
    ] {
      let folder = repository.appendingPathComponent("Sources/\(target)")
      for case let file as URL in FileManager.default.enumerator(
        at: folder, includingPropertiesForKeys: nil) ?? .init() where file.pathExtension == "swift"
      {
        let text = try String(contentsOf: file, encoding: .utf8)
        for match in text.matches(of: reading) { names.insert(String(match.1)) }
      }
    }
    #expect(names.isSuperset(of: ["COLORTERM", "TZDIR", "XDG_STATE_HOME", "TERMINFO"]))
    // It is set for the runtime of a release, and read by that alone.
    for name in names.subtracting(["SWIFT_BACKTRACE"]) {
      #expect(environment.contains(name), "\(name)")
    }
  }

  @Test func everyMemberOfAStatusIsDescribed() throws {
    let now = ClockReading(wall: WallInstant(nanosecondsSince1970: 1_795_260_946_000_000_000))
    let later = now.moved(by: .seconds(9))
    let board = try Board(
      "work=40s then rest x8 group gym\nrest=20s paused\npomo=cycle 25m/5m\negg=1s",
      startedAt: now, at: later)
    let members = members(of: StatusText(timers: board.timers.all, now: later).json)
    #expect(members.isSuperset(of: ["phase", "over", "group", "roundsLeft", "at"]))
    for member in members { #expect(describes(member), "\(member)") }
  }

  @Test func everyMemberOfTheHistoryIsDescribed() {
    var record = StretchRecord(
      id: 1, timer: "pomo", kind: .cycle, start: 0, end: 90_000, ending: .reset, activeTime: 60_000)
    (record.phase, record.round, record.session, record.planned) = ("work", 1, "main", 1_500_000)
    (record.result, record.note, record.command) = ("exit 0", "two bags", "true")
    record.pauses = [.init(start: 1000, length: 30_000)]
    var totals = HistoryTotals(HistoryFilter(), calendar: .current)
    totals.add(record)
    let text = StatsText(totals: totals, today: CivilDate(day: 0))
    let names = members(of: HistoryLine.record(record).json + text.json(corrupt: 0))
    #expect(names.isSuperset(of: ["pauses", "plannedMs", "command", "byWeek", "longest"]))
    for member in names.subtracting(["pomo"]) { #expect(describes(member), "\(member)") }
  }
}
