package import TimerKit

/// The fields of a saved timer that are not in its specification, in the units of a file.
package struct SavedFields: Codable, Hashable, Sendable {
  package var state: TimerState
  /// Seconds to the next fire.
  package var left: Double?
  /// Deliveries that are left, where they have an end.
  package var iterations: Int?
  /// The number of a cycle's phase in the run, from 0.
  package var stage: Int?
  /// Seconds that a stopwatch shows.
  package var elapsed: Double?
  /// Seconds that it showed at each lap.
  package var laps: [Double]?

  /// A Boolean value that indicates whether the timer has time left.
  var isWaiting: Bool { state == .running || state == .paused }
}

/// The reason for which a field is invalid for its timer.
package struct SavedFieldError: Error, CustomStringConvertible {
  package var description: String

  init(_ description: String) {
    self.description = description
  }
}

extension SavedTimer {
  package var fields: SavedFields { checkpoint.content.fields }

  /// Restores a timer from the fields of a file, which can hold anything.
  package init(
    _ spec: TimerSpec, _ fields: SavedFields, at now: ClockReading
  ) throws(SavedFieldError) {
    var (spec, fields) = (spec, fields)
    // No timer is saved in one of these states.
    if fields.state == .cancelled || fields.state == .executing { fields.state = .idle }
    if spec.kind.family.accepts(.paused) {
      spec.isPaused = fields.state == .paused || fields.state == .idle
    }
    self.init(startOf: spec, at: now)
    var content = checkpoint.content
    try content.restore(fields, at: now)
    checkpoint = content.checkpoint
  }
}

extension Duration {
  var seconds: Double { Double(clampedNanoseconds) / 1e9 }

  /// A duration from the seconds of a file, which can hold any number.
  init(savedSeconds seconds: Double) {
    let time = WallInstant(savedSeconds: seconds).nanosecondsSince1970
    self = min(.nanoseconds(max(0, time)), DurationText.longest)
  }
}

extension WallInstant {
  /// The seconds that nanoseconds since 1970 reach to: the years 1677 to 2262.
  private static let farthest = 9_223_372_036.0

  /// An instant from the seconds since 1970 of a file, which can hold any number.
  package init(savedSeconds seconds: Double) {
    let clamped = min(max(-Self.farthest, seconds.isFinite ? seconds : 0), Self.farthest)
    // To the microsecond: seconds since 1970 have no more digits.
    self.init(nanosecondsSince1970: Int64((clamped * 1e6).rounded()) * 1000)
  }
}
