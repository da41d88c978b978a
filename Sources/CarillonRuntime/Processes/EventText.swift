import TimerBoard
import TimerKit

/// An event of a timer, such as a fire, as text: a line, a JSON object, or the environment of a command.
struct EventText: Hashable, Sendable {
  private let transition: Transition
  /// An instant shortly after the event.
  private let now: ClockReading
  /// The session of the timer; `nil` if it belongs to none.
  var session: SessionName?
  /// The number of fires that were merged into this one.
  var missed: Int

  init(_ transition: Transition, at now: ClockReading, session: SessionName? = nil) {
    (self.transition, self.now, self.session) = (transition, now, session)
    missed = transition.fire?.missed ?? 0
  }

  private var spec: TimerSpec { transition.spec }
  private var fire: Fire? { transition.fire }
  private var machine: TimerMachine { transition.machine }

  /// The timer's name, or its kind and settings if it has none: `every 45s`.
  var timer: String { spec.title }

  /// The number of the fire within its run, from 1; for a cycle, the round. For other events, and for kinds without
  /// runs, the number of fires so far.
  private var iteration: Int { fire?.iteration ?? machine.deliveredCount }

  /// The fires or rounds left; `nil` for an endless timer.
  private var remaining: Int? {
    if case .counted(let left, _) = machine.iterations { left } else { nil }
  }

  /// The instant at which the fire was due; `nil` if it was not scheduled, such as a manual one.
  private var scheduled: WallInstant? {
    guard let fire, fire.lateness != nil, let due = fire.due else { return nil }
    return now.wallInstant(of: due)
  }

  /// The instant of the event.
  private var time: WallInstant {
    fire?.lateness.flatMap { scheduled?.advanced(by: $0) } ?? now.wall
  }

  /// The lateness in milliseconds, with microseconds as decimals; `nil` if the fire was not scheduled.
  private var latenessMilliseconds: Double? {
    fire?.lateness.map { Double($0.clampedNanoseconds / 1000) / 1000 }
  }

  /// The time left as on the screen; `nil` if there is none.
  private var leftText: String? { transition.timeLeftText(at: now) }

  /// Returns the line of `carillon serve` and `carillon run`: `14:03:00  tea  paused, 2:31 left`.
  func line(uses24Hours: Bool) -> String {
    let time = time.timeOfDay(in: now.zone, uses24Hours: uses24Hours)
    var line = "\(time)  \(timer.printable())  \(eventWords)"
    if missed > 0 { line += " (\(missed) missed)" }
    if fire == nil, let leftText { line += ", \(leftText) left" }
    return line
  }

  private var eventWords: String {
    switch transition.event {
    case .phase: return "\((machine.phaseName ?? "").printable()) begins"
    case .fired:
      let count = remaining.map { " of \(iteration + $0)" } ?? ""
      return "fired, \(iteration)\(count)"
    default: return transition.event.rawValue
    }
  }

  /// Returns the JSON object of a client that watches.
  /// - Parameter hasState: False for the object of `carillon run --json`, which has no member for the timer's state.
  func json(hasState: Bool = true) -> String {
    var object = JSONObject()
    object.add("time", time.iso8601)
    object.add("timer", timer)
    if hasState {
      object.add("id", transition.id.rawValue)
      if let group = spec.group { object.add("group", group) }
    }
    object.add("event", transition.event.rawValue)
    if hasState { object.add("state", "\(machine.state)") }
    if let phase = machine.phaseName { object.add("phase", phase) }
    if hasState {
      if let left = machine.timeLeft(at: now) { object.add("left", seconds: left) }
      if let leftText { object.add("text", leftText) }
    }
    guard fire != nil else { return object.text }
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
      "CARILLON_EVENT": transition.event.rawValue,
      "CARILLON_ITERATION": String(iteration),
      "CARILLON_REMAINING": remaining.map { String($0) } ?? "",
      "CARILLON_MISSED": String(missed),
      "CARILLON_LATENESS_MS": latenessMilliseconds.map { "\($0)" } ?? "",
      "CARILLON_SCHEDULED": scheduled?.iso8601 ?? "",
      "CARILLON_PHASE": (machine.phaseName ?? "").withoutNull,
      "CARILLON_NOTE": (spec.note ?? "").withoutNull,
      "CARILLON_SESSION": session?.description ?? "",
    ]
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
