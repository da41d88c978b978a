package import TimerKit

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
    timers = board.savedTimers(at: now).map { SavedFields($0) }
    isMuted = board.isMuted
    guard purpose != .list else {
      for index in timers.indices { timers[index].stretch = nil }
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

  /// Returns the timers after checking each of them. One that can still not be created is reported by the board.
  /// - Parameter savedAt: The time of the save.
  package func savedTimers(at savedAt: WallInstant) throws(SavedFieldError) -> [SavedTimer] {
    let savedAt = ClockReading(wall: savedAt)
    // An identifier that is used twice, or that would be followed by no larger one, is replaced.
    var used: Set<TimerID> = []
    var last = timers.lazy.map(\.id.rawValue).filter(TimerID.range.contains).max() ?? 0
    var saved: [SavedTimer] = []
    saved.reserveCapacity(timers.count)
    for fields in timers {
      var timer = try SavedTimer(fields, at: savedAt)
      if !TimerID.range.contains(timer.id.rawValue) || !used.insert(timer.id).inserted {
        last += 1
        timer.id = TimerID(last)
      }
      saved.append(timer)
    }
    return saved
  }

  /// Returns the errors of the timers, each checked separately.
  package func errors(at savedAt: WallInstant) -> [SavedFieldError] {
    let savedAt = ClockReading(wall: savedAt)
    return timers.compactMap { fields in
      do throws(SavedFieldError) {
        _ = try SavedTimer(fields, at: savedAt)
        return nil
      } catch {
        return error
      }
    }
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

extension Board {
  /// Returns all timers in their order, as a session stores them.
  package func savedTimers(at now: ClockReading) -> [SavedTimer] {
    timers.all.map { timer in
      var saved = SavedTimer(timer.spec, timer.savedCheckpoint(at: now))
      saved.counts = timer.counts
      saved.id = timer.id
      saved.chain = timer.chain
      (saved.hasAlert, saved.standsReady) = (timer.alert != nil, timer.standsReady)
      let alertTime = timer.alert.map { max(.zero, $0.since.duration(to: now.continuous)) }
      saved.overtime = alertTime ?? timer.stoppedOvertime
      saved.stretch = stretches.open[timer.id]?.saved(at: now)
      saved.isPausedTogether = pausedTogether.contains(timer.id)
      return saved
    }
  }
}
