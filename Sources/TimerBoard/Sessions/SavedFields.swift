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
  /// The stretch that has not ended, for the history.
  package var stretch: SavedStretch?

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
    try field("stretch", ifValid: &stretch)
  }

  /// A Boolean value that indicates whether the timer runs or is paused. Only then can it have time left.
  var isActive: Bool { state == .running || state == .paused }
}

extension SavedFields {
  package init() { self.init(state: .idle) }

  package init(_ saved: SavedTimer) {
    self = saved.checkpoint.content.fields
    timer = saved.spec.text
    id = saved.id
    fired = saved.counts.delivered
    missed = saved.counts.missed
    (hasAlert, standsReady) = (saved.hasAlert, saved.standsReady)
    over = saved.overtime?.seconds
    isPausedTogether = saved.isPausedTogether
    chain = saved.chain
    stretch = saved.stretch
  }
}

/// An error in a saved timer.
package struct SavedFieldError: Error, CustomStringConvertible {
  package var description: String

  init(_ description: String) {
    self.description = description
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

extension SavedTimer {
  /// Restores a timer from the fields of a file, which are checked.
  package init(_ fields: SavedFields, at now: ClockReading) throws(SavedFieldError) {
    var fields = fields
    // No timer is saved in that state.
    if fields.state == .cancelled { fields.state = .idle }
    do throws(TimerSyntaxError) {
      // Each timer by itself: words of two are never one.
      var spec = try TimerSpec.parse(timer: fields.timer, in: .trusted)
      let isStopped = fields.state == .paused || fields.state == .idle
      spec.isPaused = isStopped && spec.accepts("paused")
      self.init(startOf: spec, at: now)
    } catch {
      throw SavedFieldError(error.description)
    }
    do throws(SavedFieldError) {
      try checkpoint.content.restore(fields, at: now)
    } catch {
      throw SavedFieldError("timer '\(fields.timer)': \(error)")
    }
    id = fields.id
    counts = FireCounts(delivered: max(0, fields.fired), missed: max(0, fields.missed))
    (hasAlert, standsReady) = (fields.hasAlert, fields.standsReady)
    overtime = fields.over.map(Duration.init(savedSeconds:))
    isPausedTogether = fields.isPausedTogether
    chain = fields.chain
    stretch = fields.stretch
  }
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
