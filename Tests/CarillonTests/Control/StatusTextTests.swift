import Dashboard
import Testing
import TimerKit

@testable import CarillonRuntime
@testable import TimerBoard

struct StatusTextTests {
  private func status(_ words: String, after time: Duration = .milliseconds(500)) throws
    -> StatusText
  {
    let start = ClockReading(wall: WallInstant(nanosecondsSince1970: 1_795_260_946_000_000_000))
    let now = ClockReading(wall: start.wall.advanced(by: time))
    let board = try Board(words, startedAt: start, at: now)
    return StatusText(timers: board.timers.all, now: now)
  }

  @Test func timersAreFormattedInColumns() throws {
    #expect(
      try status(
        "tea=3m 日本=every 1h30m x8 pomo=cycle 25m/5m sw=stopwatch deb=debounce 1s p=5m paused"
      )
      .table == """
        tea      3:00  running  1/1
        日本  1:30:00  running  8/8
        pomo    25:00  work     ∞
        sw       0:00  running
        deb         -  idle
        p        5:00  paused   1/1

        """)
  }

  @Test func aFormatIsApplied() throws {
    let status = try status("tea=3m")
    #expect(status.formatted("{name} {left}") == "tea 3:00\n")
    #expect(
      status.formatted(#"{"text":"{state} {at}","x":{}}{"#)
        == #"{"text":"running 11:38:46","x":{}}{"# + "\n")
  }

  /// The percentage is that of the present interval or phase; 0 if there is none.
  @Test func thePercentageIsThatOfTheInterval() throws {
    let timers = "a=4m b=every 2m c=cycle 4m/1m d=stopwatch e=1m f=4m paused g=every 1s"
    let status = try status(timers, after: .minutes(3))
    #expect(status.formatted("{name} {percent}") == "a 75\nb 50\nc 75\nd 0\ne 100\nf 0\ng 0\n")
  }

  @Test(
    arguments: [
      (nil, "#(id) <b>&\"\\"), (.tmux, "##(id) <b>&\"\\"),
      (.markup, "#(id) &lt;b&gt;&amp;\"\\"), (.json, "#(id) <b>&\\\"\\\\"),
    ] as [(StatusText.Escape?, String)])
  func namesAreEscapedForTheirReader(escape: StatusText.Escape?, name: String) throws {
    var status = try status("'#(id) <b>&\"\\'=3m")
    status.escape = escape
    #expect(status.formatted("<{name}>") == "<\(name)>\n")
  }

  @Test func controlCharactersOfNamesAreReplaced() throws {
    let status = try status("'a\u{1B}]52;c;x\u{7}\u{1}$(touch pwned)'=3m")
    #expect(status.formatted("{name}") == "a\u{FFFD}]52;c;x\u{FFFD}\u{FFFD}$(touch pwned)\n")
    #expect(!status.table.contains("\u{1B}"))
    #expect(status.json.contains(#""name":"a\u001b]52;c;x\u0007\u0001$(touch pwned)""#))
    #expect(status.json.count { $0 == "\n" } == 1)
  }
}
