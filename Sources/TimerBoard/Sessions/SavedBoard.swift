import TimerKit

/// The state of a board as a session file stores it.
package struct SavedBoard: JSONFields, Hashable, Sendable {
  /// The use of a saved board, which determines what it contains.
  package enum Purpose: Hashable, Sendable {
    /// The timers alone.
    case list
    /// The log too, as in a session that is opened again or handed over.
    case session
  }

  /// The maximum number of entries of the log that are saved.
  private static let logLimit = 200

  package var timers: [SavedFields] = []
  package var log: [SavedLogEntry] = []
  /// A Boolean value that indicates whether bell and notifications are off. Only a hand-over restores it.
  package var isMuted = false

  package init() {}

  package init(_ board: Board, for purpose: Purpose, at now: ClockReading) {
    timers = board.timers.all.map { SavedFields($0, at: now) }
    isMuted = board.isMuted
    guard purpose != .list else {
      for index in timers.indices { timers[index].run = nil }
      return
    }
    log = board.log.entries.suffix(Self.logLimit).map { SavedLogEntry($0) }
  }

  /// Visits the members, which are those of a session file.
  package mutating func fields<F: JSONMembers>(_ field: inout F) throws(F.Failure) {
    try field("timers", &timers)
    try field("log", &log, default: [])
    try field("muted", &isMuted, default: false)
  }
}

/// An entry of a log as text.
package struct SavedLogEntry: JSONFields, Hashable, Sendable {
  /// Milliseconds since local midnight.
  private(set) var milliseconds = 0
  private(set) var label = ""
  private(set) var text = ""
  /// A Boolean value that indicates whether it is an action of the user.
  private(set) var isAction = false

  package init() {}

  init(_ entry: EventLog.Entry) {
    milliseconds = entry.milliseconds
    label = entry.label
    isAction = entry.event.isAction
    let late = entry.event.lateText()
    text = entry.event.text + (late.isEmpty ? "" : ", \(late)")
  }

  package mutating func fields<F: JSONMembers>(_ field: inout F) throws(F.Failure) {
    try field("time", &milliseconds)
    try field("timer", &label)
    try field("text", &text)
    try field("action", &isAction, default: false)
    milliseconds = min(max(0, milliseconds), 24 * 3_600_000 - 1)
  }
}
