import TimerBoard
import TimerKit

/// An event of a timer, such as a fire, as text: a line, a JSON object, or the environment of a command.
struct EventText: Hashable, Sendable {
  /// The timer's name, or its kind and settings if it has none: `every 45s`.
  var timer: String
  var group: String?
  var note: String?
  /// `nil` for the environment of a timer's command.
  var id: TimerID?
  var event: Transition.Event
  /// A Boolean value that indicates whether the event is a fire.
  var isFire: Bool
  /// The session of the timer; `nil` if it belongs to none.
  var session: SessionName?
  /// The number of the fire within its run, from 1; for a cycle, the round. For other events, and for kinds without
  /// runs, the number of fires so far.
  var iteration: Int
  /// The fires or rounds left; `nil` for an endless timer.
  var remaining: Int?
  /// The number of fires that were merged into this one.
  var missed: Int
  /// The lateness; `nil` if the fire was not scheduled, such as a manual one.
  var lateness: Duration?
  /// The instant at which the fire was due; `nil` if it was not scheduled.
  var scheduled: WallInstant?
  /// The instant of the event.
  var time: WallInstant
  private var secondsFromUTC: Int
  /// The phase of a cycle after the event; `nil` if there is none.
  var phase: String?
  private var state: TimerState
  /// The time until the next fire, and the time left as on the screen, after the event; `nil` if there is none.
  private var left: Duration?
  private var leftText: String?

  /// Creates the text of a fire for the timer's command.
  /// - Parameters:
  ///   - status: The status of the timer at the fire.
  ///   - now: An instant shortly after the fire.
  init(_ spec: TimerSpec, _ fire: Fire, _ status: TimerStatus, at now: ClockReading) {
    self.init(
      status.phaseName != nil ? .phase : status.state == .finished ? .finished : .fired, of: spec,
      fire, status, at: now)
  }

  init(_ transition: Transition, at now: ClockReading) {
    self.init(
      transition.event, of: transition.spec, transition.fire, transition.status, at: now)
    id = transition.id
    left = transition.status.timeLeft(at: now)
    leftText = transition.timeLeftText(at: now)
  }

  private init(
    _ event: Transition.Event, of spec: TimerSpec, _ fire: Fire?, _ status: TimerStatus,
    at now: ClockReading
  ) {
    timer = spec.title
    group = spec.group
    note = spec.note
    self.event = event
    isFire = fire != nil
    state = status.state
    missed = fire?.missed ?? 0
    lateness = fire?.lateness
    time = now.wall
    secondsFromUTC = now.secondsFromUTC
    iteration = fire?.iteration ?? status.deliveredCount
    if case .counted(let left, _) = status.iterations { remaining = left }
    phase = status.phaseName
    if let lateness, let due = fire?.due {
      let scheduled = now.wall.advanced(by: now[status.clock].duration(to: due))
      self.scheduled = scheduled
      time = scheduled.advanced(by: lateness)
    }
  }
}

extension EventText {
  /// Returns the line of `carillon serve` and `carillon run`: `14:03:00  tea  paused, 2:31 left`.
  func line(uses24Hours: Bool) -> String {
    let time = time.timeOfDay(secondsFromUTC: secondsFromUTC, uses24Hours: uses24Hours)
    var line = "\(time)  \(timer.printable())  \(eventWords)"
    if missed > 0 { line += " (\(missed) missed)" }
    if !isFire, let leftText { line += ", \(leftText) left" }
    return line
  }

  private var eventWords: String {
    switch event {
    case .phase: return "\((phase ?? "").printable()) begins"
    case .fired:
      let count = remaining.map { " of \(iteration + $0)" } ?? ""
      return "fired, \(iteration)\(count)"
    default: return event.rawValue
    }
  }

  /// Returns the JSON object of a client that watches.
  /// - Parameter hasState: False for the object of `carillon run --json`, which has no member for the timer's state.
  func json(hasState: Bool = true) -> String {
    var object = JSONObject()
    object.add("time", time.iso8601)
    object.add("timer", timer)
    if hasState {
      if let id { object.add("id", id.rawValue) }
      if let group { object.add("group", group) }
    }
    object.add("event", event.rawValue)
    if hasState { object.add("state", "\(state)") }
    if let phase { object.add("phase", phase) }
    if hasState {
      if let left { object.add("left", seconds: left) }
      if let leftText { object.add("text", leftText) }
    }
    guard isFire else { return object.text }
    object.add("iteration", iteration)
    object.add("remaining", remaining)
    object.add("missed", missed)
    if let latenessMilliseconds { object.add("latenessMs", latenessMilliseconds) }
    if let scheduled { object.add("scheduled", scheduled.iso8601) }
    return object.text
  }

  /// The variables for the environment of a command.
  var environment: [String: String] {
    [
      "CARILLON_NAME": timer.withoutNull,
      "CARILLON_EVENT": event.rawValue,
      "CARILLON_ITERATION": String(iteration),
      "CARILLON_REMAINING": remaining.map { String($0) } ?? "",
      "CARILLON_MISSED": String(missed),
      "CARILLON_LATENESS_MS": latenessMilliseconds.map { "\($0)" } ?? "",
      "CARILLON_SCHEDULED": scheduled?.iso8601 ?? "",
      "CARILLON_PHASE": (phase ?? "").withoutNull,
      "CARILLON_NOTE": (note ?? "").withoutNull,
      "CARILLON_SESSION": session?.description ?? "",
    ]
  }

  /// The lateness in milliseconds, with microseconds as decimals.
  private var latenessMilliseconds: Double? {
    lateness.map { Double($0.clampedNanoseconds / 1000) / 1000 }
  }
}

extension CommandResult {
  /// Returns the JSON object of `carillon run --json` for the end of a timer's command.
  func json(of timer: String, at time: WallInstant) -> String {
    var object = JSONObject()
    object.add("time", time.iso8601)
    object.add("timer", timer)
    object.add("event", "command")
    if case .exited(let status) = ending { object.add("status", Int(status)) }
    object.add("result", ending.text)
    return object.text
  }
}

extension String {
  /// The text without null characters, which no environment can hold.
  fileprivate var withoutNull: String { filter { $0 != "\0" } }
}
