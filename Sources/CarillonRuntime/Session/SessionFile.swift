import Dashboard
import Platform
import TimerBoard
import TimerKit

/// A session as a file or a response contains it: the board, and the readings of the clocks at the save.
struct SessionFile: JSONFields, Hashable, Sendable {
  /// The version of the format. A file of another version is not read.
  static let version = 3

  private(set) var version = Self.version
  /// The time of the save, in seconds since 1970 UTC.
  var savedAt = 0.0
  /// The reading of the continuous clock at the save: the nanoseconds since the boot of the machine.
  var continuousNs: Int64?
  /// The reading of the suspending clock at the save: the same without the time that the machine slept.
  var suspendingNs: Int64?
  /// The identifier of that boot.
  var bootID: String?
  var board = SavedBoard()
  /// The settings of the board's view that keys have changed.
  var view: SavedView?

  /// An error in a session file.
  struct Fault: ProgramError {
    var description: String
    /// A Boolean value that indicates whether the file has another version.
    var isVersion = false
  }

  init() {}

  init(_ board: Board, for purpose: SavedBoard.Purpose = .session, at now: ClockReading) {
    savedAt = Double(now.wall.nanosecondsSince1970) / 1e9
    continuousNs = now.continuous.nanoseconds
    suspendingNs = now.suspending.nanoseconds
    bootID = SystemBoot.id
    self.board = SavedBoard(board, for: purpose, at: now)
  }

  init(_ bytes: [UInt8]) throws(Fault) {
    let file = try? SessionFile(json: bytes)
    // The members of another version may be others.
    let found = file?.version ?? (try? FormatVersion(json: bytes))?.version ?? Self.version
    guard found == Self.version else { throw Self.unsupported(found) }
    guard let file else { throw Fault(description: "not a complete session file") }
    self = file
  }

  mutating func fields<F: JSONMembers>(_ field: inout F) throws(F.Failure) {
    try field("version", &version)
    try field("savedAt", &savedAt)
    try field("continuousNs", &continuousNs)
    try field("suspendingNs", &suspendingNs)
    try field("bootID", &bootID)
    try field("view", ifValid: &view)
    try board.fields(&field)
  }

  private static func unsupported(_ version: Int) -> Fault {
    Fault(
      description: "unsupported version '\(version)' (expected \(Self.version))", isVersion: true)
  }

  /// The time of the save.
  private var instant: WallInstant { WallInstant(savedSeconds: savedAt) }

  /// The errors of the timers, each checked separately.
  var timerFaults: [Fault] {
    board.errors(at: instant).map { Fault(description: $0.description) }
  }

  /// Returns the timers as they were saved, after checking each of them.
  func restored(at now: ClockReading) throws(Fault) -> RestoredBoard {
    guard version == Self.version else { throw Self.unsupported(version) }
    do throws(SavedFieldError) {
      return try RestoredBoard(
        board, savedAt: reading(at: now), seed: .random(in: 0...(.max)))
    } catch {
      throw Fault(description: error.description)
    }
  }

  /// Returns the reading of the save on the clocks of this boot. For the continuous clock after a restart of the machine, the
  /// time since the save is measured by the time of day.
  private func reading(at now: ClockReading) -> ClockReading {
    let passed = max(.zero, instant.duration(to: now.wall))
    // A clock that was set back since counts as not moved: what follows the time of day continues from now.
    var saved = now.moved(by: .zero - passed)
    guard let continuousNs, let suspendingNs else { return saved }
    // A reading that this boot cannot have had says nothing about the time since the save.
    let isSameBoot =
      bootID != nil && bootID == SystemBoot.id
      && continuousNs >= 0 && continuousNs <= now.continuous.nanoseconds
      && suspendingNs >= 0 && suspendingNs <= now.suspending.nanoseconds
    if isSameBoot {
      saved.continuous = TimerClock.continuous.instant(nanoseconds: continuousNs)
    }
    // A machine that is off is not awake: after a restart, only the time since then counts.
    saved.suspending = TimerClock.suspending.instant(nanoseconds: isSameBoot ? suspendingNs : 0)
    return saved
  }
}

/// The member of a session file that all versions have.
private struct FormatVersion: JSONFields {
  var version = 0

  mutating func fields<F: JSONMembers>(_ field: inout F) throws(F.Failure) {
    try field("version", &version)
  }
}

/// The settings of the view that were changed by keys, as they are saved with a session.
///
/// Each is saved with the value that the configuration gave it: if that has changed since, the configuration takes
/// precedence.
struct SavedView: JSONValue, Hashable, Sendable {
  struct Choice: JSONFields, Hashable, Sendable {
    var configured = ""
    var chosen = ""

    mutating func fields<F: JSONMembers>(_ field: inout F) throws(F.Failure) {
      try field("configured", &configured)
      try field("chosen", &chosen)
    }
  }

  private var choices: [String: Choice]

  /// - Parameters:
  ///   - configured: The settings at the start, without any choice.
  ///   - before: The choices that were saved until now. Those of settings that cannot be changed here stay.
  init(
    of settings: [DashboardSetting: String], configured: [DashboardSetting: String],
    before: SavedView?
  ) {
    choices = before?.choices ?? [:]
    for (setting, chosen) in settings {
      guard let configured = configured[setting] else { continue }
      choices[setting.rawValue] =
        chosen == configured ? nil : Choice(configured: configured, chosen: chosen)
    }
  }

  var isEmpty: Bool { choices.isEmpty }

  /// Returns the chosen settings, without those whose configured value has changed since.
  func settings(configured: [DashboardSetting: String]) -> [DashboardSetting: String] {
    configured.reduce(into: [:]) { settings, entry in
      if let choice = choices[entry.key.rawValue], choice.configured == entry.value {
        settings[entry.key] = choice.chosen
      }
    }
  }

  init(from reader: inout JSONReader) throws(JSONReader.Invalid) {
    choices = try reader.value()
  }

  func write(to writer: inout JSONWriter) { choices.write(to: &writer) }
}
