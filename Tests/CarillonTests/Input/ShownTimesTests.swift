import Testing
import TimerBoardFixtures
import TimerKit

@testable import CarillonRuntime
@testable import TimerBoard

/// Times of day beside changes of clocks, as the commands print them.
struct ShownTimesTests {
  private func now(_ changes: ClockChanges, _ instant: WallInstant) throws -> ClockReading {
    ClockReading(wall: instant, zone: try changes.zone)
  }

  @Test(arguments: ClockChanges.all) func aCountdownEndsAtTheTimeOfItsOwnInstant(
    _ changes: ClockChanges
  ) throws {
    let start = try now(changes, changes.start)
    for (timer, _, date, time) in changes.countdowns {
      let board = Board(try TimerSpec.parse(arguments: [timer]), at: start)
      let status = StatusText(timers: board.timers.all, now: start)
      #expect(status.formatted("{name} {at}") == "x \(time):00\n")
      let progress = ProgressText(
        board.timers, at: start, columns: 100, uses24Hours: true, isUTF8: true)
      let end = date == changes.moments[0].date ? time : "\(date) \(time)"
      #expect(progress.text.hasSuffix("ends \(end):00"), "\(progress.text)")
    }
  }

  /// Events before a change are shown after it.
  @Test(arguments: ClockChanges.all) func aPastEventKeepsItsTime(_ changes: ClockChanges) throws {
    for (instant, date, time) in changes.moments {
      let line = #"{"time":"\#(instant.iso8601)","timer":"tea","event":"fired"}"#
      let event = try WatchedEvent(Array(line.utf8))
      #expect(event.text(in: try changes.zone, uses24Hours: true) == "\(time):00 tea fired\n")
      let owner = SessionOwner(.background, at: try now(changes, instant))
      let later = try now(changes, instant.advanced(by: .days(200)))
      #expect(owner.sinceText(at: later, uses24Hours: true) == "\(date) \(time):00")
      var record = StretchRecord()
      (record.start, record.end) = (instant.milliseconds, instant.milliseconds + 1000)
      var calendar = LocalCalendar(try changes.zone)
      let history = HistoryText(uses24Hours: true).list([record], &calendar)
      #expect(history.contains(" \(date)\n  \(time):00"), "\(history)")
    }
  }

  /// A fire that was due before a change, and is reported after it.
  @Test(arguments: ClockChanges.all) func aFireIsReportedWithItsOwnTime(_ changes: ClockChanges)
    throws
  {
    let (instant, _, time) = changes.moments[0]
    let now = try now(changes, instant.advanced(by: .minutes(5)))
    let due = now.suspending.advanced(by: .minutes(-5))
    let spec = TimerSpec(name: "x", kind: .every(.seconds(45), count: 8))
    let event = EventText(
      Transition(
        event: .fired, id: TimerID(1), spec: spec,
        machine: Board([spec], at: now).timers[0].machine,
        fire: Fire(lateness: .zero, missed: 0, due: due, iteration: 1)), at: now)
    #expect(event.line(uses24Hours: true).hasPrefix("\(time):00  x  fired"))
  }
}
