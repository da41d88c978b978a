package import TimerKit

/// A timer as it is stored in a file: its text in the grammar, and its state.
package struct SavedFields: JSONFields, Hashable, Sendable {
  package var timer = ""
  package var id = TimerID(0)
  package var state: TimerState
  /// The seconds until the next fire; negative if it is due and not delivered.
  package var left: Double?
  /// The number of fires left; `nil` for an endless timer and for a cycle.
  package var iterations: Int?
  /// The index of a cycle's phase in the run, over all rounds.
  package var phaseIndex: Int?
  /// The seconds that a stopwatch shows.
  package var elapsed: Double?
  /// The seconds that the stopwatch showed at each lap.
  package var laps: [Double] = []
  /// A Boolean value that indicates whether the timer has an alert that is not acknowledged.
  package var hasAlert = false
  package var standsReady = false
  /// The seconds since the alert began; without an alert, those of the overtime when it was acknowledged.
  package var over: Double?
  package var fired = 0
  package var missed = 0
  /// A Boolean value that indicates whether "pause all" has paused the timer.
  package var isPausedTogether = false
  package var chain = ChainState()
  /// The run that has not ended, for the history.
  package var run: Run?

  package mutating func fields<F: JSONMembers>(_ field: inout F) throws(F.Failure) {
    try field("timer", &timer)
    try field("id", &id, default: TimerID(0))
    try field("state", &state)
    try field("left", &left)
    try field("iterations", &iterations)
    try field("phaseIndex", &phaseIndex)
    try field("elapsed", &elapsed)
    try field("laps", &laps, default: [])
    try field("alert", &hasAlert, default: false)
    try field("ready", &standsReady, default: false)
    try field("over", &over)
    try field("fired", &fired, default: 0)
    try field("missed", &missed, default: 0)
    try field("pausedTogether", &isPausedTogether, default: false)
    try field("chain", &chain, default: ChainState())
    try field("stretch", ifValid: &run)
  }

  /// A Boolean value that indicates whether the timer runs or is paused. Only then can it have time left.
  var isActive: Bool { state == .running || state == .paused }
}

extension SavedFields {
  package init() { self.init(state: .idle) }

  /// Creates the fields of a timer as it is now.
  init(_ timer: BoardTimer, at now: ClockReading) {
    switch timer.machine {
    case .repeater(let value): self = value.fields(at: now)
    case .cycle(let value): self = value.fields(at: now)
    case .stopwatch(let value): self = value.fields(at: now)
    case .triggered: self.init(state: .idle)
    }
    self.timer = timer.spec.text
    id = timer.id
    fired = timer.counts.delivered
    missed = timer.counts.missed
    hasAlert = timer.alert != nil
    standsReady = timer.standsReady
    let alertTime = timer.alert.map { max(.zero, $0.since.duration(to: now.continuous)) }
    over = (alertTime ?? timer.stoppedOvertime)?.seconds
    isPausedTogether = timer.settings.isPausedTogether
    chain = timer.chain
    run = timer.settings.run?.saved(at: now)
  }
}

/// An error in a saved timer.
package struct SavedFieldError: Error, CustomStringConvertible {
  package var description: String
  /// A Boolean value that indicates whether the file is right, and TimerKit cannot make the timer.
  private(set) var isOfTimer = false

  init(_ description: String) {
    self.description = description
  }

  /// Makes a timer of TimerKit.
  static func ofTimer<Value, Failure: Error>(
    _ make: () throws(Failure) -> Value
  ) throws(SavedFieldError) -> Value {
    do throws(Failure) {
      return try make()
    } catch {
      var error = SavedFieldError("\(error)")
      error.isOfTimer = true
      throw error
    }
  }
}

extension TimerState: JSONValue {}

extension TimerID: JSONValue {
  /// The identifiers that are accepted from a file.
  static let range = 1...(1 << 52)

  package init(from reader: inout JSONReader) throws(JSONReader.Invalid) {
    self.init(try reader.value())
  }

  package func write(to writer: inout JSONWriter) { rawValue.write(to: &writer) }
}

extension Duration {
  var seconds: Double { Double(clampedNanoseconds) / 1e9 }

  /// Creates a duration from the seconds in a file, clamped to the range of timers.
  init(savedSeconds seconds: Double) {
    self = max(.zero, Duration(savedTimeLeft: seconds))
  }

  /// Creates a duration from the seconds in a file, which are negative for a fire that was due but not delivered.
  init(savedTimeLeft seconds: Double) {
    let time = WallInstant(savedSeconds: seconds).nanosecondsSince1970
    self = max(.days(-1), min(.nanoseconds(time), DurationText.longest))
  }
}

extension WallInstant {
  /// The largest number of seconds that fits nanoseconds since 1970: the years 1677 to 2262.
  private static let farthest = 9_223_372_036.0

  /// Creates an instant from the seconds since 1970 in a file, clamped to the range of instants.
  package init(savedSeconds seconds: Double) {
    let clamped = min(max(-Self.farthest, seconds.isFinite ? seconds : 0), Self.farthest)
    // To the microsecond: a `Double` of seconds since 1970 has no more digits.
    self.init(nanosecondsSince1970: Int64((clamped * 1e6).rounded()) * 1000)
  }
}
