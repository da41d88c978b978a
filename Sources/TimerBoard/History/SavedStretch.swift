import TimerKit

/// A stretch that has not ended, as a session file stores it. All times are in nanoseconds, except the pauses.
package struct SavedStretch: JSONFields, Hashable, Sendable {
  var id: UInt64 = 0
  var start: Int64 = 0
  /// The number of the phase in the run of a cycle; 0 for other kinds.
  var number = 0
  var phase: String?
  var round: Int?
  var planned: Int64?
  /// The time until the save, or until the pause began, without pauses.
  var activeTime: Int64 = 0
  var savedAt: Int64 = 0
  /// The time at which the pause began; `nil` while the timer runs.
  var pausedAt: Int64?
  var pauses: [StretchRecord.Pause] = []
  var interruptions = 0
  var fires = 0
  var missed = 0
  var result: String?

  package init() {}

  /// Visits the members. Numbers of a file are clamped to ranges in which sums do not overflow.
  package mutating func fields<F: JSONMembers>(_ field: inout F) throws(F.Failure) {
    try field("id", &id)
    try field("start", &start)
    try field("number", &number, default: 0)
    try field("phase", &phase)
    try field("round", &round)
    try field("planned", &planned)
    try field("active", &activeTime)
    try field("savedAt", &savedAt)
    try field("pausedAt", &pausedAt)
    try field("pauses", &pauses, default: [])
    try field("interruptions", &interruptions, default: 0)
    try field("fires", &fires, default: 0)
    try field("missed", &missed, default: 0)
    try field("result", &result)
    activeTime = max(0, activeTime)
    if pauses.count > OpenStretch.pauseLimit { pauses = Array(pauses[..<OpenStretch.pauseLimit]) }
    interruptions = interruptions.boundedCount
    fires = fires.boundedCount
    missed = missed.boundedCount
  }

  /// Moves the time at which it was saved.
  mutating func move(by time: Duration) {
    savedAt = WallInstant(nanosecondsSince1970: savedAt).advanced(by: time).nanosecondsSince1970
  }
}
