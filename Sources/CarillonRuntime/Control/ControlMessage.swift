import Platform
import TimerBoard
import TimerKit

/// A request to the owner of a session: one JSON object on a line.
struct ControlRequest: JSONFields, Hashable, Sendable {
  /// The version of the protocol. It increases when an older owner could misunderstand a request.
  static let version = 1
  /// The maximum size of a line in bytes.
  static let sizeLimit = 64 << 10

  /// The timers that a request applies to, in place of names.
  enum Selection: String, JSONValue, Hashable, Sendable {
    case all
    /// The timer that fires next.
    case next
  }

  /// A request that is not a control of timers.
  enum Service: String, CaseIterable, Hashable, Sendable {
    /// Returns the owner.
    case owner
    /// Returns the timers.
    case list
    /// Returns the timers, and then an event for each transition.
    case watch
    /// Stops the timers and saves them for another process, which confirms with ``confirm``.
    case handOver = "hand-over"
    case confirm
    case detach, quit
    /// Reports that the client, which is the value, owned the session until now: others have removed its lock.
    case lost
    /// Reads the configuration again.
    case reload
  }

  var version = Self.version
  /// The name of a ``ControlVerb`` or of a ``Service``.
  var command = ""
  /// The names of timers or groups, or `#` and an identifier; for `add`, the timers to add.
  var timers: [String]?
  var selection: Selection?
  var value: String?
  /// False if the response need not wait until the session is saved.
  var wait: Bool?

  init() {}

  init(_ command: String) {
    self.command = command
  }

  init(_ service: Service) {
    command = service.rawValue
  }

  mutating func fields<F: JSONMembers>(_ field: inout F) throws(F.Failure) {
    try field("version", &version)
    try field("command", &command)
    try field("timers", &timers)
    try field("selection", &selection)
    try field("value", &value)
    try field("wait", &wait)
  }
}

/// The response to a request: one JSON object on a line.
struct ControlResponse: JSONFields, Sendable {
  var isOK = false
  /// The report, with a line for each timer.
  var text: String?
  /// The meaning of the timers that were added, with a line for each.
  var understood: String?
  /// The reason for a refusal.
  var error: String?
  /// The reason for which a change is not saved.
  var warning: String?
  /// The number of the last event before those that follow or, when the session is passed on, of the last one of all.
  var lastEvent: Int?
  /// The feed that counts this event.
  var feed: String?
  /// The newest events, each on a line, for the next owner.
  var events: String?
  var owner: SessionOwner?
  var session: SessionFile?

  mutating func fields<F: JSONMembers>(_ field: inout F) throws(F.Failure) {
    try field("ok", &isOK)
    try field("text", &text)
    try field("understood", &understood)
    try field("error", &error)
    try field("warning", &warning)
    try field("lastEvent", &lastEvent)
    try field("feed", &feed)
    try field("events", &events)
    try field("owner", &owner)
    try field("session", &session)
  }

  /// The position of the last event; `nil` if the response has none.
  var position: EventPosition? { lastEvent.map { EventPosition(feed: feed, number: $0) } }

  static func success(_ text: String? = nil) -> ControlResponse {
    ControlResponse(isOK: true, text: text)
  }

  static func refused(_ reason: String) -> ControlResponse {
    ControlResponse(isOK: false, error: reason)
  }
}

/// The process that owns a session.
struct SessionOwner: JSONFields, Hashable, Sendable {
  enum Kind: String, JSONValue, Hashable, Sendable {
    /// A dashboard in a terminal.
    case board
    /// `carillon serve`.
    case background
    /// `carillon run`.
    case run
  }

  var kind = Kind.board
  var process: pid_t = 0
  /// The terminal of a board, or of a `carillon serve` that has one.
  var terminal: String?
  /// The time at which the process became the owner, in ISO 8601.
  var since = ""
  /// The path of the session's file: sessions in other folders can have the same name.
  var file: String?

  init() {}

  /// - Parameter file: The path of the session's file.
  init(_ kind: Kind, file: String? = nil, at now: ClockReading) {
    self.kind = kind
    self.file = file
    process = getpid()
    let output = kind == .board ? STDOUT_FILENO : STDERR_FILENO
    terminal = kind == .run ? nil : ttyname(output).map { String(cString: $0) }
    since = now.wall.iso8601
  }

  mutating func fields<F: JSONMembers>(_ field: inout F) throws(F.Failure) {
    try field("kind", &kind)
    try field("process", &process)
    try field("terminal", &terminal)
    try field("since", &since)
    try field("file", &file)
  }

  /// Returns the local time of day at which the process became the owner, with the date unless it is today.
  func sinceText(at now: ClockReading, uses24Hours: Bool) -> String {
    WallInstant(iso8601: since)?.dateAndTime(at: now, uses24Hours: uses24Hours) ?? since
  }

  private var place: String { terminal.map { " in \($0)" } ?? "" }

  /// The owner in words: `a board in /dev/pts/3, process 4711`.
  var text: String {
    switch kind {
    case .board: "a board\(place), process \(process)"
    case .background where terminal == nil: "a background process, \(process)"
    case .background: "carillon serve\(place), process \(process)"
    case .run: "carillon run, process \(process)"
    }
  }
}
