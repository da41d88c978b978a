import TimerBoard
import TimerKit

/// One fire, as the world outside is told of it: printed, or handed to a command.
struct FireReport: Hashable, Sendable {
  enum Event: String, Sendable {
    case fired
    /// Another phase of a cycle began.
    case phase
    /// The last fire there was to come.
    case finished
  }

  /// The timer's name, or what it is.
  var timer: String
  var event: Event
  /// Which delivery of its run it is, from 1; of a cycle, the round.
  var iteration: Int
  /// The deliveries, or the rounds, that are left; `nil` where there is no end.
  var remaining: Int?
  /// Fires it stands for besides itself.
  var missed: Int
  /// `nil` where it was due at no time, as when it was asked for by hand.
  var lateness: Duration?
  /// When it was due; `nil` as for `lateness`.
  var scheduled: WallInstant?
  /// When it came; both since 1970 UTC.
  var time: WallInstant
  /// The phase that begins, of a cycle.
  var phase: String?

  /// - Parameters:
  ///   - status: what the timer told of itself with the fire.
  ///   - now: shortly after.
  init(_ spec: TimerSpec, _ fire: Fire, _ status: TimerStatus, at now: ClockReading) {
    timer = spec.name ?? spec.text
    event = status.state == .finished ? .finished : .fired
    missed = fire.missed
    lateness = fire.lateness
    time = now.wall
    iteration = fire.iteration ?? status.deliveredCount
    if case .counted(let left, _) = status.iterations { remaining = left }
    phase = status.phaseName
    if phase != nil { event = .phase }
    if let lateness, let due = fire.due {
      let scheduled = now.wall.advanced(by: now[status.clock].duration(to: due))
      self.scheduled = scheduled
      time = scheduled.advanced(by: lateness)
    }
  }

  /// How late it was, in milliseconds to the microsecond.
  var latenessMilliseconds: Double? {
    lateness.map { Double($0.clampedNanoseconds / 1000) / 1000 }
  }

  /// What a command finds in its environment.
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
    ]
  }
}

extension String {
  /// No environment can hold it.
  fileprivate var withoutNull: String { filter { $0 != "\0" } }
}
