import Dashboard
import Testing
import TimerKit

@testable import CarillonRuntime
@testable import TimerBoard

/// The texts of a fire.
struct EventTextTests {
  /// The event of `sets=every 45s x8`, due at second 100 of the suspending clock, 1,000,000 s after 1970.
  private func event(named name: String?, in zone: LocalZone = .utc) -> EventText {
    let due = TimerClock.suspending.instant(nanoseconds: 100_000_000_000)
    let spec = TimerSpec(name: name, kind: .every(.seconds(45), count: 8))
    let begin = ClockReading(wall: WallInstant(nanosecondsSince1970: 0))
    var board = Board([spec], at: begin)
    _ = board.advance(to: begin.moved(by: .seconds(3 * 45)), .unattended)
    let now = ClockReading(
      suspending: due.advanced(by: .milliseconds(2)),
      continuous: TimerClock.continuous.instant(nanoseconds: due.nanoseconds),
      wall: WallInstant(nanosecondsSince1970: 1_000_000_002_000_000), zone: zone)
    return EventText(
      Transition(
        event: .fired, id: TimerID(1), spec: spec, machine: board.timers[0].machine,
        fire: Fire(lateness: .microseconds(1_234), missed: 2, due: due, iteration: 3)), at: now)
  }

  @Test func aCommandReceivesTheEventInItsEnvironment() {
    #expect(
      event(named: "sets").environment == [
        "CARILLON_NAME": "sets", "CARILLON_EVENT": "fired", "CARILLON_ITERATION": "3",
        "CARILLON_REMAINING": "5", "CARILLON_MISSED": "2", "CARILLON_LATENESS_MS": "1.234",
        "CARILLON_SCHEDULED": "1970-01-12T13:46:40.000Z", "CARILLON_PHASE": "",
        "CARILLON_NOTE": "", "CARILLON_SESSION": "",
      ])
    #expect(event(named: "a\0b").environment["CARILLON_NAME"] == "ab")
  }

  @Test func theEventIsFormattedAsText() throws {
    let zone = LocalZone.rules(try TimeZoneRules("Europe/Berlin"))
    #expect(
      event(named: "sets", in: zone).line(uses24Hours: true)
        == "14:46:40  sets  fired, 3 of 8 (2 missed)")
    let hostile = event(named: "a\u{1B}]52;c;b\u{7}\u{9B}\n")
      .line(uses24Hours: true)
    #expect(
      hostile == "13:46:40  a\u{FFFD}]52;c;b\u{FFFD}\u{FFFD}\u{FFFD}  fired, 3 of 8 (2 missed)")
    #expect(
      event(named: "x").line(uses24Hours: false).hasPrefix("1:46:40 pm  x"))
  }

  @Test func theEventIsFormattedAsJSON() {
    #expect(
      event(named: "a\"\\\n\u{1B}\u{9B}é").json(hasState: false)
        == #"{"time":"1970-01-12T13:46:40.001Z","timer":"a\"\\\n\u001b\u009bé","event":"fired","#
        + #""iteration":3,"remaining":5,"missed":2,"latenessMs":1.234,"#
        + #""scheduled":"1970-01-12T13:46:40.000Z"}"#)
  }
}
