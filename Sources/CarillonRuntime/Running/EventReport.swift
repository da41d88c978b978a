import TimerBoard
import TimerKit

/// An event of a timer, such as a fire, as it is printed or passed to a command.
struct EventReport: Hashable, Sendable {
  /// The timer's name, or its kind and settings if it has none: `every 45s`.
  var timer: String
  var note: String?
  var event: Transition.Event
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
  /// The phase of a cycle after the event; `nil` if there is none.
  var phase: String?

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
  }

  private init(
    _ event: Transition.Event, of spec: TimerSpec, _ fire: Fire?, _ status: TimerStatus,
    at now: ClockReading
  ) {
    timer = spec.title
    note = spec.note
    self.event = event
    missed = fire?.missed ?? 0
    lateness = fire?.lateness
    time = now.wall
    iteration = fire?.iteration ?? status.deliveredCount
    if case .counted(let left, _) = status.iterations { remaining = left }
    phase = status.phaseName
    if let lateness, let due = fire?.due {
      let scheduled = now.wall.advanced(by: now[status.clock].duration(to: due))
      self.scheduled = scheduled
      time = scheduled.advanced(by: lateness)
    }
  }

  /// The lateness in milliseconds, with microseconds as decimals.
  var latenessMilliseconds: Double? {
    lateness.map { Double($0.clampedNanoseconds / 1000) / 1000 }
  }

  /// Adds the members of a fire to a JSON object.
  func addFire(to object: inout JSONObject) {
    object.add("iteration", iteration)
    object.add("remaining", remaining)
    object.add("missed", missed)
    if let lateness = latenessMilliseconds { object.add("latenessMs", lateness) }
    if let scheduled { object.add("scheduled", scheduled.iso8601) }
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
}

extension String {
  /// The text without null characters, which no environment can hold.
  fileprivate var withoutNull: String { filter { $0 != "\0" } }
}
