import Platform
import Testing
import TimerKit

@testable import CarillonRuntime
@testable import TimerBoard

/// A session is restored as it was saved, and a damaged file is rejected.
struct SessionFileTests {
  private static let wall = SessionSample.wall
  private static let now = ClockReading(wall: wall)

  /// Returns the board that reads what another one saves.
  private func roundTrip(_ board: Board, at now: ClockReading) throws -> Board {
    let file = try SessionFile(SessionFile(board, at: now).bytes)
    return Board(listing: try file.restored(at: now), .catchUp, at: now)
  }

  @Test func aSavedSessionIsRestored() throws {
    var board = Board(try TimerSpec.parse(arguments: [SessionSample.words]), at: Self.now)
    let later = Self.now.moved(by: .milliseconds(77_123))
    for now in [Self.now, later] {
      _ = board.advance(to: now, .unattended)
      let read = try roundTrip(board, at: now)
      #expect(read.timers.all.map(\.id) == board.timers.all.map(\.id))
      #expect(read.timers.all.map(\.spec) == board.timers.all.map(\.spec))
      for (read, saved) in zip(read.timers.all, board.timers.all) {
        #expect(read.state == saved.state)
        #expect(read.timeText(at: now) == saved.timeText(at: now))
        #expect(read.iterationsText == saved.iterationsText)
        // A number of seconds has no more than microseconds.
        let difference = read.timeLeft(at: now).flatMap { new in
          saved.timeLeft(at: now).map { $0 - new }
        }
        #expect(difference.map { abs($0 / .microseconds(1)) <= 1 } ?? true)
      }
    }
  }

  /// Each timer continues by the time that has passed on its own clock: here the machine slept for an hour, and the
  /// time of day was set back by two.
  @Test func timersContinueOnTheirOwnClocks() throws {
    let timers = try TimerSpec.parse(
      arguments: ["tea=3h nap=3h awake race=stopwatch awake at 23:00 rest=3h paused"])
    var file = SessionFile(timers, at: Self.wall)
    (file.continuousNs, file.suspendingNs, file.bootID) = (50_000, 20_000, SystemBoot.id)
    let second: Int64 = 1_000_000_000
    func texts(_ file: SessionFile, uptime: Int64, boot: Int64, wall: Duration) throws -> [String?]
    {
      let now = ClockReading(
        suspending: TimerClock.suspending.instant(nanoseconds: 20_000 + uptime * second),
        continuous: TimerClock.continuous.instant(nanoseconds: 50_000 + boot * second),
        wall: Self.wall.advanced(by: wall), zone: .utc)
      let saved = try SessionFile(file.bytes).restored(at: now)
      return Board(listing: saved, .catchUp, at: now).timers.all.map { $0.timeText(at: now) }
    }
    let slept = try texts(file, uptime: 600, boot: 4200, wall: .seconds(4200 - 7200))
    #expect(slept[0] == "1:50:00" && slept[1] == "2:50:00" && slept[2] == "10:00")
    #expect(slept[4] == "3:00:00")
    // After a restart of the machine the time of day is all there is; awake is the time since.
    file.bootID = "another"
    let restarted = try texts(file, uptime: 300, boot: 300, wall: .seconds(1800))
    #expect(restarted[0] == "2:30:00" && restarted[1] == "2:55:00" && restarted[2] == "5:00")
  }

  /// Key presses can bring a timer into a state that the grammar rejects.
  @Test func aSessionIsNotValidatedByTheGrammar() throws {
    let words = "poll=every 1m backoff 30s run x tea=3m then egg"
    let board = Board(try TimerSpec.parse(arguments: [words], in: .trusted), at: Self.now)
    let read = try roundTrip(board, at: Self.now)
    #expect(read.timers.all.map(\.spec) == board.timers.all.map(\.spec))
  }

  @Test func pausedAndFinishedTimersAreRestored() throws {
    let later = Self.now.moved(by: .seconds(60))
    let board = try Board(
      "a=3m paused b=every 1s x2 c=stopwatch d=cycle 1s/1s x2", startedAt: Self.now, at: later)
    #expect(board.timers.all.map(\.state) == [.paused, .finished, .running, .finished])
    let read = try roundTrip(board, at: later)
    #expect(read.timers.all.map(\.state) == board.timers.all.map(\.state))
  }

  /// Words of two entries are never joined: 1h and 30m remain two timers.
  @Test func entriesAreNotJoined() throws {
    let entries = ["1h", "30m", "3m", "noon=5m", "tomorrow=9s"]
    let board = Board(try TimerSpec.parse(entries: entries), at: Self.now)
    let read = try roundTrip(board, at: Self.now)
    #expect(read.timers.all.map(\.spec) == board.timers.all.map(\.spec))
  }

  /// A crash can truncate the file anywhere, although this is unlikely.
  @Test func aTruncatedFileIsRejected() throws {
    let specs = try TimerSpec.parse(arguments: [SessionSample.words])
    let bytes = SessionFile(specs, at: Self.wall).bytes
    for count in 0..<(bytes.count - 2) {
      #expect(throws: SessionFile.Fault.self) {
        try SessionFile(Array(bytes.prefix(count))).timers()
      }
    }
  }

  @Test(arguments: [
    (#"{"version":2,"timers":7}"#, "unsupported version '2' (expected 3)"),
    (#"{"version":3,"savedAt":1,"timers":[{"timer":"3x","state":"idle"}]}"#, "3x: column 3: "),
    (
      #"{"version":3,"savedAt":1,"timers":[{"timer":"3m 4m","state":"idle"}]}"#,
      "3m 4m: column 4: more than one timer (expected one)"
    ),
    (
      #"{"version":3,"savedAt":1,"timers":[{"timer":"3m","state":"odd"}]}"#,
      "not a complete session file"
    ),
    ("[]", "not a complete session file"), ("\u{0}\u{FF}", "not a complete session file"),
  ])
  func anInvalidFileIsRejected(text: String, message: String) {
    let fault = #expect(throws: SessionFile.Fault.self) {
      try SessionFile(Array(text.utf8)).timers()
    }
    #expect(fault?.description.contains(message) == true)
  }

  /// Values that no timer can have are corrected; every result can be started.
  @Test(arguments: [
    #""left":-5,"iterations":-1,"phaseIndex":-7,"elapsed":-1"#,
    #""left":1e300,"iterations":9223372036854775807,"phaseIndex":9223372036854775807,"elapsed":1e300"#,
    #""left":0,"iterations":0,"laps":[5,-1,1e300]"#,
  ])
  func invalidValuesAreCorrected(values: String) throws {
    let words = [
      "3m", "every 1s x3", "cycle 1s/2s x4", "cycle 1s x1000000000", "stopwatch", "daily 09:00",
      "at 2020-01-01T00:00", "debounce 1s",
    ]
    for (word, state) in words.flatMap({ word in
      TimerState.allCases.map { (word, $0.rawValue) }
    }) {
      let entry = #"{"timer":"\#(word)","state":"\#(state)",\#(values)}"#
      let text = #"{"version":3,"savedAt":1e18,"timers":[\#(entry)]}"#
      guard let saved = try? SessionFile(Array(text.utf8)).restored(at: Self.now) else {
        // The phase of a cycle must be valid, or the file is rejected.
        #expect(word.hasPrefix("cycle") && !values.contains("\"left\":0"), "\(entry)")
        continue
      }
      #expect(Board(listing: saved, .catchUp, at: Self.now).timers.count == 1)
    }
  }
}

extension SessionFileTests {
  private func saved(_ entries: String, savedAt: Double = 1_795_260_946) throws -> SessionFile {
    let text = #"{"version":3,"savedAt":\#(savedAt),"timers":[\#(entries)]}"#
    return try SessionFile(Array(text.utf8))
  }

  @Test func aCycleContinuesInItsPhase() throws {
    let entry = #"{"timer":"cycle 1m/30s x2","state":"paused","left":5,"phaseIndex":1}"#
    let timer = try #require(try saved(entry).timers().first)
    #expect(timer.machine.phaseName == "rest")
  }

  /// Well-formed but invalid: each of these crashed the program when its timer was created.
  @Test(arguments: [
    (#"{"timer":"cycle run 1m/walk 30s","state":"finished"}"#, "invalid state 'finished'"),
    (
      #"{"timer":"cycle 1m/30s","state":"running","phaseIndex":9223372036854775807}"#,
      "invalid phaseIndex '9223372036854775807'"
    ),
    (
      #"{"timer":"cycle 1m","state":"paused","phaseIndex":9223372036854775807}"#,
      "invalid phaseIndex '9223372036854775807'"
    ),
    (
      #"{"timer":"a=cycle 1m/30s x2","state":"running","phaseIndex":3}"#,
      "timer 'a=cycle 1m/30s x2': invalid phaseIndex '3' (expected 0 to 2)"
    ),
    (
      #"{"timer":"cycle 1m/30s x2","state":"running","phaseIndex":-1}"#, "invalid phaseIndex '-1'"
    ),
  ])
  func impossibleTimersAreRejected(entry: String, message: String) throws {
    let fault = #expect(throws: SessionFile.Fault.self) { try saved(entry).timers() }
    #expect(fault?.description.contains(message) == true, "\(fault?.description ?? "")")
    // The file is moved, and the reason is reported.
    let bytes = Array(#"{"version":3,"savedAt":1,"timers":[\#(entry)]}"#.utf8)
    let session = try TemporarySession(["main.json": bytes])
    defer { session.remove() }
    let launch = try LaunchOptions.opening(try session.store())
    #expect(launch.error?.hasSuffix("; moved to \(session.path).unreadable") == true)
    #expect(launch.error?.contains(message) == true)
    #expect(session.files["main.json.unreadable"] == bytes)
  }

  /// A file of another version is kept under another name, and the board starts without timers.
  @Test func aFileOfAnotherVersionIsKept() throws {
    let bytes = Array(#"{"version":2,"savedAt":1,"timers":[{"timer":"3m","state":"idle"}]}"#.utf8)
    let session = try TemporarySession(["main.json": bytes, "main.json.old": [1]])
    defer { session.remove() }
    let launch = try LaunchOptions.opening(try session.store())
    #expect(
      launch.error == "the session could not be read: unsupported version '2' (expected 3); "
        + "moved to \(session.path).old-2")
    #expect(session.files["main.json.old-2"] == bytes && launch.restored == nil)
  }

  /// Saved in another time zone, or with a clock that was wrong by decades: the time left until the next
  /// fire then does not apply.
  @Test(
    arguments: [1_795_260_946, 4_102_444_800], [0.5, 30_000, 2.3e9])
  func aScheduleIgnoresTheSavedTimeLeft(savedAt: Double, left: Double) throws {
    let words = ["daily 00:30", "weekdays 09:55 x3", "at 2026-12-24T18:00"]
    let entries = words.map {
      #"{"timer":"\#($0)","state":"running","left":\#(left),"iterations":1}"#
    }
    let now = ClockReading(wall: Self.wall)
    let restored = try saved(entries.joined(separator: ","), savedAt: savedAt).restored(at: now)
    for timer in Board(listing: restored, .catchUp, at: now).timers.all {
      let schedule = try #require(timer.spec.kind.repeater?.schedule)
      let next = try #require(schedule.next(after: Self.wall))
      #expect(timer.timeLeft(at: now) == Self.wall.duration(to: next), "\(timer.label)")
      #expect(timer.machine.deadline?.wallInstant == next)
    }
  }

  /// With a clock that is wrong by centuries, the time left stays the same.
  @Test(
    arguments: [Int64.min, -5_000_000_000_000_000_000, 0, Int64.max - 3_600_000_000_000] as [Int64])
  func anyClockCanSaveASession(wall: Int64) throws {
    let wall = WallInstant(nanosecondsSince1970: wall)
    let now = ClockReading(wall: wall)
    let board = Board(try TimerSpec.parse(arguments: ["tea=3m c=cycle 1m/1m x8"]), at: now)
    // The limits of a nanosecond count are not whole seconds.
    #expect(
      try roundTrip(board, at: now).timers.all.map { $0.timeText(at: now) } == ["3:00", "1:00"])
  }

  /// A date that, in this time zone, passed before the session was saved is reported, and no invalid timer
  /// is created.
  @Test func aPastDateIsFinished() throws {
    let file = try saved(#"{"timer":"x=at 2026-01-01T00:43","state":"running","left":9000}"#)
    let now = ClockReading(wall: Self.wall)
    var board = Board()
    let change = board.perform(.restore(try file.restored(at: now), .catchUp), at: now)
    #expect(change.reports.map(\.text) == ["while carillon was not running: x finished"])
    #expect(board.timers.all.map(\.state) == [.finished])
  }
}
