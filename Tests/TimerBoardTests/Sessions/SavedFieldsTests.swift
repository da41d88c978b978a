import Testing
import TimerKit

@testable import TimerBoard

/// The fields of a session file, which can have any values.
@Suite struct SavedFieldsTests {
  private static let start = WallInstant(nanosecondsSince1970: 1_782_916_140_000_000_000)
  private let now = ClockReading(wall: start)

  /// The counts of an endless timer continue, too.
  @Test func countsSurvive() throws {
    let board = try VirtualBoard("t=every 2s")
    board.advance(by: .seconds(6))
    let fields = board.savedTimers[0]
    #expect(fields.fired == 3)
    let restored = try BoardTimer(fields, savedAt: board.now)
    #expect(restored.counts.delivered == 3 && SavedFields(restored, at: board.now) == fields)
  }

  /// A fire that is due and not delivered keeps its instant, so that the fires after it keep theirs: none is counted
  /// twice by a process that continues from this save.
  @Test(arguments: ["every 70ms x100", "cycle 70ms/70ms x100"])
  func anOverdueFireKeepsItsInstant(_ line: String) throws {
    let timer = try BoardTimer(
      id: TimerID(1), startOf: try TimerSpec.parse(timer: line), at: now)
    let later = now.moved(by: .milliseconds(100))
    let fields = SavedFields(timer, at: later)
    #expect(fields.left == -0.03)
    var restored = try BoardTimer(fields, savedAt: later)
    #expect(restored.catchUp(to: now.moved(by: .milliseconds(210))) == 3)
  }

  @Test(arguments: [
    "tea=3m", "tea=3m paused", "every 45s x8", "every 45s",
    "every 45s x8 now jitter 9s", "every 45s now paused", "daily 12:00 jitter 10m", "at 14:30",
    "daily 12:00 x3",
    "cycle 25m/5m x4", "cycle 1m/1m", "stopwatch", "stopwatch paused", "debounce 2s",
    "throttle 5s", "coalesce 1m", "idle 10m",
  ])
  func everyKindIsRestored(_ line: String) throws {
    let spec = try TimerSpec.parse(timer: line)
    var timer = try BoardTimer(id: TimerID(1), startOf: spec, at: now)
    var reading = now
    for _ in 0..<3 {
      let fields = try SavedFields(json: SavedFields(timer, at: reading).jsonLine)
      let restored = try BoardTimer(fields, savedAt: reading)
      #expect(SavedFields(restored, at: reading) == fields)
      timer = restored
      reading = reading.moved(by: .seconds(40))
      _ = timer.catchUp(to: reading)
    }
  }

  /// The rounds, the head and the snooze of a chain are restored, within the limits of the grammar.
  @Test func theStateOfAChainIsRestored() throws {
    let timer = try BoardTimer(
      id: TimerID(1), startOf: try TimerSpec.parse(timer: "tea=3m"), at: now)
    var fields = SavedFields(timer, at: now)
    fields.chain.head = TimerID(3)
    fields.chain.isSnoozed = true
    let most = TimerParser.largestCount
    for (rounds, restored) in [(-1, 0), (0, 0), (2, 2), (most, most), (most + 1, most)] {
      fields.chain.roundsDone = rounds
      fields.chain.totalRoundsDone = rounds
      let chain = try SavedFields(json: fields.jsonLine).chain
      #expect((chain.roundsDone, chain.totalRoundsDone) == (restored, restored))
      #expect(chain.head == TimerID(3) && chain.isSnoozed)
    }
  }

  private static func fields(
    _ state: TimerState, left: Double? = nil, iterations: Int? = nil, phaseIndex: Int? = nil,
    elapsed: Double? = nil, laps: [Double] = []
  ) -> SavedFields {
    var fields = SavedFields(state: state)
    (fields.left, fields.iterations, fields.phaseIndex) = (left, iterations, phaseIndex)
    (fields.elapsed, fields.laps) = (elapsed, laps)
    return fields
  }

  /// Restores a timer from its text and the other fields.
  private func restored(_ timer: String, _ fields: SavedFields) throws -> BoardTimer {
    var fields = fields
    fields.timer = timer
    return try BoardTimer(fields, savedAt: now)
  }

  @Test(
    arguments: [
      ("3m", fields(.running, left: -5), "running 0:00 1/1"),
      ("3m", fields(.running, left: .nan), "running 0:00 1/1"),
      ("3m", fields(.paused, left: 1e300), "paused 36525d 00:00:00 1/1"),
      ("3m", fields(.paused), "paused 3:00 1/1"),
      ("3m", fields(.cancelled, left: 5), "idle 1/1"),
      ("every 1m x3", fields(.running, left: 5, iterations: -7), "running 0:05 1/3"),
      (
        "every 1m x3", fields(.running, left: 5, iterations: .max),
        "running 0:05 1000000000/1000000000"
      ),
      ("every 1m x3", fields(.finished, iterations: 2), "finished 0/3"),
      // It is due: the passage of time ends it.
      ("at 2020-01-01T09:00", fields(.running, left: 5), "running 0:00 1/1"),
      ("cycle 1m/1m x2", fields(.paused, left: 5, phaseIndex: 2), "paused 0:05 1/2"),
      ("cycle 1m/1m x2", fields(.finished), "finished 0/2"),
      (
        "stopwatch", fields(.paused, elapsed: 75, laps: [9, 5, .infinity]),
        "paused 1:15"
      ),
      ("stopwatch", fields(.idle, elapsed: 75), "idle 0:00"),
      ("debounce 1s", fields(.running, left: 5), "idle"),
    ] as [(String, SavedFields, String)])
  func extremeValuesAreCorrected(_ line: String, _ fields: SavedFields, _ state: String) throws {
    #expect(try restored(line, fields).stateWords(at: now) == state)
  }

  @Test(
    arguments: [
      (
        "cycle 1m/1m", fields(.finished),
        "invalid state 'finished' (expected another one: the cycle has no end)"
      ),
      (
        "cycle 1m/1m x2", fields(.paused, phaseIndex: 3),
        "invalid phaseIndex '3' (expected 0 to 2)"
      ),
      (
        "cycle 1m/1m x2", fields(.running, phaseIndex: -1),
        "invalid phaseIndex '-1' (expected 0 to 2)"
      ),
    ] as [(String, SavedFields, String)])
  func invalidFieldsAreRejected(_ line: String, _ fields: SavedFields, _ message: String) throws {
    let error = #expect(throws: SavedFieldError.self) { try restored(line, fields) }
    #expect(error?.description == "timer '\(line)': \(message)")
  }

  /// For a schedule, the saved time left only determines whether it was due.
  @Test(arguments: [(0.0, 1), (5, 0), (86_400, 0)])
  func aDueScheduleFires(left: Double, fires: Int) throws {
    var saved = try restored(
      "daily 12:00 x3", Self.fields(.running, left: left, iterations: 3))
    #expect(saved.catchUp(to: now.moved(by: .seconds(10))) == fires)
    #expect(saved.iterationsLeft == 3 - fires)
  }

  /// A lap that is earlier than the previous one has a length of zero, and does not shorten the
  /// next.
  @Test func lapsAreRestoredInOrder() throws {
    let saved = try restored(
      "stopwatch", Self.fields(.paused, elapsed: 20, laps: [9, 5, 10]))
    #expect(saved.machine.laps.map(\.time) == [.seconds(9), .zero, .seconds(1)])
  }

  @Test(arguments: ["at 2020-01-01T09:00", "at 2020-01-01T09:00 paused"])
  func aPastDateNeverStarts(_ line: String) throws {
    let spec = try TimerSpec.parse(arguments: [line], in: .trusted)[0]
    #expect(try BoardTimer(id: TimerID(1), startOf: spec, at: now).state == .idle)
  }
}
