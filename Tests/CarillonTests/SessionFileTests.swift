import Dashboard
import Testing
import TimerKit

@testable import carillon

/// What a session keeps comes back, whatever it is and whatever became of the file.
struct SessionFileTests {
  private static let wall = SessionSample.wall
  private static let now = Moment(wall: wall)

  private func timers() throws -> [SavedTimer] {
    try TimerSpec.parse(line: SessionSample.words).map { SavedTimer(startOf: $0, at: Self.now) }
  }

  private func roundTrip(_ timers: [SavedTimer]) throws -> [SavedTimer] {
    try SessionFile(SessionFile(timers, at: Self.wall).bytes).savedTimers()
  }

  @Test func whatIsSavedIsReadBack() throws {
    var timers = try timers()
    #expect(try roundTrip(timers) == timers)
    // Later, each somewhere else: the same as before, but for less than a microsecond.
    for index in timers.indices {
      _ = timers[index].catchUp(to: Self.wall.advanced(by: .milliseconds(77_123)))
    }
    let wall = Self.wall.advanced(by: .milliseconds(77_123))
    let read = try SessionFile(SessionFile(timers, at: wall).bytes).savedTimers()
    #expect(read.map(\.spec) == timers.map(\.spec))
    let later = Moment(wall: wall)
    for (read, saved) in zip(read, timers) {
      #expect(read.status(at: later).phase == saved.status(at: later).phase)
      #expect(read.timeText(at: later) == saved.timeText(at: later))
      #expect(read.iterationsText(at: later) == saved.iterationsText(at: later))
    }
  }

  /// Keys can have brought a timer to where its words would not be taken any more.
  @Test func whatWasRightOnceIsStillASession() throws {
    let words = "poll=every 1m backoff 30s run x tea=3m then egg"
    let timers = try TimerSpec.parse(line: words, in: .trusted)
      .map { SavedTimer(startOf: $0, at: Self.now) }
    #expect(try roundTrip(timers).map(\.spec) == timers.map(\.spec))
  }

  @Test func pausedAndFinishedOnes() throws {
    let timers = try TimerSpec.parse(line: "a=3m paused b=every 1s x2 c=stopwatch d=cycle 1s/1s x2")
      .map { SavedTimer(startOf: $0, at: Self.now) }
    let absence = TimerAbsence(
      of: timers, .catchUp, until: Moment(wall: Self.wall.advanced(by: .seconds(60))))
    #expect(absence.timers.map(\.phase) == [.paused, .finished, .running, .finished])
    #expect(try roundTrip(absence.timers).map(\.phase) == absence.timers.map(\.phase))
  }

  /// A crash may leave it cut anywhere, however unlikely that is made.
  @Test func cutAtAnyByteItIsNoSession() throws {
    let bytes = try SessionFile(try timers(), at: Self.wall).bytes
    for count in 0..<(bytes.count - 2) {
      #expect(throws: SessionFile.Fault.self) {
        try SessionFile(Array(bytes.prefix(count))).savedTimers()
      }
    }
  }

  @Test(arguments: [
    (#"{"version":2,"timers":7}"#, "it is of version 2"),
    (#"{"version":1,"savedAt":1,"timers":[{"timer":"3x","state":"idle"}]}"#, "“x” is no unit"),
    (#"{"version":1,"savedAt":1,"timers":[{"timer":"3m 4m","state":"idle"}]}"#, "not one timer"),
    (#"{"version":1,"savedAt":1,"timers":[{"timer":"3m","state":"odd"}]}"#, "no session"),
    ("[]", "no session"), ("\u{0}\u{FF}", "no session"),
  ])
  func whatIsNoSessionIsToldOf(text: String, message: String) {
    let fault = #expect(throws: SessionFile.Fault.self) {
      try SessionFile(Array(text.utf8)).savedTimers()
    }
    #expect(fault?.description.contains(message) == true)
  }

  /// Of values that no timer can have, ones are made that it can; each must be fit to be started.
  @Test(arguments: [
    #""left":-5,"iterations":-1,"stage":-7,"elapsed":-1"#,
    #""left":1e300,"iterations":9223372036854775807,"stage":9223372036854775807,"elapsed":1e300"#,
    #""left":0,"iterations":0,"laps":[5,-1,1e300]"#,
  ])
  func oddValues(values: String) throws {
    let words = [
      "3m", "every 1s x3", "cycle 1s/2s x4", "cycle 1s x1000000000", "stopwatch", "daily 09:00",
      "at 2020-01-01T00:00", "debounce 1s",
    ]
    for (word, state) in words.flatMap({ word in
      TimerState.allCases.map { (word, $0.rawValue) }
    }) {
      let entry = #"{"timer":"\#(word)","state":"\#(state)",\#(values)}"#
      let text = #"{"version":1,"savedAt":1e18,"timers":[\#(entry)]}"#
      let saved = try SessionFile(Array(text.utf8)).savedTimers()
      let absence = TimerAbsence(of: saved, .catchUp, until: Self.now)
      for timer in saved + absence.timers {
        _ = try timer.spec.makeTimer(restoring: timer.checkpoint, queue: nil)
      }
    }
  }
}

/// What goes on while nobody looks.
struct TimerAbsenceTests {
  private func absence(
    _ words: String, _ resumption: RestorePolicy = .catchUp, for time: Duration
  ) throws -> (TimerAbsence, Moment) {
    let start = Moment(wall: WallInstant(nanosecondsSince1970: 1_795_260_946_000_000_000))
    let end = Moment(wall: start.wall.advanced(by: time))
    let timers = try TimerSpec.parse(line: words).map { SavedTimer(startOf: $0, at: start) }
    return (TimerAbsence(of: timers, resumption, until: end), end)
  }

  @Test func byTheClockPeriodsGoBy() throws {
    let (absence, now) = try absence(
      "tea=3m sets=every 45s x8 pomo=cycle 25m/5m x4 sw=stopwatch p=1m paused", for: .seconds(100))
    #expect(
      absence.timers.map { $0.timeText(at: now) } == ["1:20", "0:35", "23:20", "1:40", "1:00"])
    #expect(absence.timers[1].iterationsText(at: now) == "6/8")
    #expect(absence.report == ["sets fired 2 times"])
  }

  @Test func frozenNothingDoesButDates() throws {
    let (absence, now) = try absence("tea=3m at 2026-11-21T12:00", .keepTimeLeft, for: .days(1))
    #expect(absence.timers[0].timeText(at: now) == "3:00")
    #expect(absence.timers[1].phase == .finished)
    #expect(absence.report == ["at 2026-11-21T12:00 finished"])
  }

  /// `a` ends at 10 s and starts `b`, which ends at 40 s and starts `c`.
  @Test func whoFinishesStartsTheNext() throws {
    let (absence, now) = try absence(
      "a=every 5s x2 then b b=30s paused then c c=1m paused", for: .seconds(50))
    #expect(absence.timers.map(\.phase) == [.finished, .finished, .running])
    #expect(absence.timers[2].timeText(at: now) == "0:50")
    #expect(absence.report == ["a finished", "b finished"])
  }

  @Test func afterItselfItGoesRound() throws {
    let (absence, now) = try absence("a=10s then a", for: .seconds(25))
    #expect(absence.timers[0].timeText(at: now) == "0:05")
    #expect(absence.report == ["a fired 2 times"])
    // A year of it comes to an end at once.
    let (long, _) = try self.absence("a=10ms then a", for: .days(365))
    #expect(long.fires[0] >= 1000)
  }

  /// The last stage is no rest: seven of them, 4 × 25 + 3 × 5 minutes.
  @Test(arguments: [(114, TimerState.running), (115, .finished)])
  func aCycleEndsInTime(minutes: Int, phase: TimerState) throws {
    let (absence, _) = try absence(
      "pomo=cycle 25m/5m x4 then b b=1h paused", for: .minutes(minutes))
    #expect(absence.timers[0].phase == phase)
    #expect(absence.timers[1].phase == (phase == .finished ? .running : .paused))
  }
}
