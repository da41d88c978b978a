import TimerBoard
import TimerKit

/// The timers whose events `carillon ctl watch` prints.
struct WatchedTimers {
  /// The names of timers and groups, and references; empty for all timers.
  let names: [String]
  /// The identifiers of the timers that are given by references.
  private(set) var referenced: Set<Int> = []

  /// Finds the timers in a session.
  /// - Parameter file: The session, as its owner lists it.
  /// - Returns: The timers, in their order in the session.
  mutating func timers(in file: SessionFile) throws -> [BoardTimer] {
    let all = try file.restored(at: .now()).timers
    guard !names.isEmpty else { return all }
    let known = TimerNames(all.lazy.map { ($0.spec, $0.id) })
    var positions: Set<Int> = []
    try ProgramFailure.naming("ctl") {
      for name in names {
        let found = try known.positions(of: name)
        positions.formUnion(found)
        if let first = found.first, all[first].spec.title != name,
          let id = TimerID(reference: name),
          all[first].id == id
        {
          referenced.insert(id.rawValue)
        }
      }
    }
    return positions.sorted().map { all[$0] }
  }

  /// Returns true if an event belongs to one of the timers.
  func includesTimer(of event: WatchedEvent) -> Bool {
    names.isEmpty || names.contains(event.timer) || event.group.map(names.contains) ?? false
      || event.id.map(referenced.contains) ?? false
  }
}

/// An event as `carillon ctl watch` receives it.
struct WatchedEvent: JSONFields {
  private var time = ""
  private(set) var timer = ""
  /// The identifier of the timer on the board of the owner.
  private(set) var id: Int?
  private(set) var group: String?
  private var event = ""
  private var phase: String?
  /// The time left, as on the screen.
  private var timeLeftText: String?
  private var missed: Int?

  init() {}

  init(_ line: [UInt8]) throws(ProgramFailure) {
    guard let event = try? WatchedEvent(json: line) else {
      throw ProgramFailure("ctl: the owner sent an invalid event")
    }
    self = event
  }

  mutating func fields<F: JSONMembers>(_ field: inout F) throws(F.Failure) {
    try field("time", &time)
    try field("timer", &timer)
    try field("id", &id)
    try field("group", &group)
    try field("event", &event)
    try field("phase", &phase)
    try field("text", &timeLeftText)
    try field("missed", &missed)
  }

  /// Returns the event as a line: `14:03:00 tea paused, 2:31 left`.
  func text(in zone: LocalZone, uses24Hours: Bool) -> String {
    let time =
      WallInstant(iso8601: time)?.timeOfDay(in: zone, uses24Hours: uses24Hours) ?? time
    let isPhase = event == Transition.Event.phase.rawValue
    let event = isPhase ? "\(phase ?? "phase") begins" : event
    let missed = missed.map { $0 > 0 ? " (\($0) missed)" : "" } ?? ""
    let left = timeLeftText.map { ", \($0) left" } ?? ""
    return "\(time) \(timer) \(event)\(missed)\(left)".printable() + "\n"
  }
}
