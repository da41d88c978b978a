package import TimerKit

/// The fields of a saved timer that are not part of its specification, as they are stored in a file.
package struct SavedFields: Encodable, Hashable, Sendable {
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
  package var laps: [Double]?
  /// The seconds since the alert began; without an alert, those of the overtime when it was acknowledged.
  package var over: Double?
  /// The number of fires; `nil` for none.
  package var fired: Int?
  /// The number of missed fires; `nil` for none.
  package var missed: Int?

  /// Reads the value of a field other than the state.
  /// - Returns: False if there is no such field.
  package mutating func read(
    _ name: JSONReader.Name, from reader: inout JSONReader
  ) throws(JSONReader.Invalid) -> Bool {
    switch name {
    case "left": left = try reader.value()
    case "iterations": iterations = try reader.value()
    // In version 1 it was called stage.
    case "phaseIndex", "stage": phaseIndex = try reader.value()
    case "elapsed": elapsed = try reader.value()
    case "laps": laps = try reader.value()
    case "over": over = try reader.value()
    case "fired": fired = try reader.value()
    case "missed": missed = try reader.value()
    default: return false
    }
    return true
  }

  /// A Boolean value that indicates whether the timer runs or is paused. Only then can it have time left.
  var isActive: Bool { state == .running || state == .paused }
}

extension SavedFields {
  package init(_ state: TimerState) {
    self.state = state
  }
}

/// An error in a field of a saved timer.
package struct SavedFieldError: Error, CustomStringConvertible {
  package var description: String

  init(_ description: String) {
    self.description = description
  }
}

extension SavedTimer {
  package var fields: SavedFields {
    var fields = checkpoint.content.fields
    if counts.delivered > 0 { fields.fired = counts.delivered }
    if counts.missed > 0 { fields.missed = counts.missed }
    fields.over = overtime?.seconds
    return fields
  }

  /// Restores a timer from the fields of a file, which are checked.
  package init(
    _ spec: TimerSpec, _ fields: SavedFields, at now: ClockReading
  ) throws(SavedFieldError) {
    var (spec, fields) = (spec, fields)
    // No timer is saved in that state.
    if fields.state == .cancelled { fields.state = .idle }
    if spec.accepts("paused") {
      spec.isPaused = fields.state == .paused || fields.state == .idle
    }
    self.init(startOf: spec, at: now)
    var content = checkpoint.content
    try content.restore(fields, at: now)
    checkpoint = content.checkpoint
    counts = FireCounts(delivered: fields.fired, missed: fields.missed)
    overtime = fields.over.map(Duration.init(savedSeconds:))
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
