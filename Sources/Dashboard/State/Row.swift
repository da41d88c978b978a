public import TimerKit

/// A timer on the board: what was asked for, and the newest state it told of itself.
struct Row: Hashable {
  /// How long a fire shows as executing: one frame that the eye can catch.
  static let executingTime = Duration.milliseconds(150)

  let id: TimerID
  private(set) var name: String?
  private(set) var note: String?
  private(set) var snapshot: Repeater.Snapshot
  /// When it fires next, on the uptime clock.
  private(set) var due: TimelineInstant?
  /// Until when the last fire shows.
  private(set) var executingUntil = TimelineInstant(nanoseconds: .min)
  /// How late the clock's last fire came.
  private(set) var lateness: Duration?
  /// It finished, and no key was pressed since.
  var callsForAttention = false
  /// Its name, or what it is.
  private(set) var label = ""
  /// `every 45s ×8`
  private(set) var kindText = ""

  init(id: TimerID, spec: TimerSpec, snapshot: Repeater.Snapshot) {
    self.id = id
    self.snapshot = snapshot
    rename(name: spec.name, note: spec.note)
  }

  mutating func rename(name: String?, note: String?) {
    self.name = name
    self.note = note
    spellOut()
  }

  /// Takes the timer's word for what it is by now.
  mutating func mirror(_ snapshot: Repeater.Snapshot, at now: Moment) {
    let isSameKind =
      self.snapshot.interval == snapshot.interval && self.snapshot.mode == snapshot.mode
    self.snapshot = snapshot
    due = snapshot.deadline.map {
      snapshot.clock == .uptime
        ? $0 : now.uptime.advanced(by: now[snapshot.clock].duration(to: $0))
    }
    if !isSameKind { spellOut() }
  }

  mutating func noteFire(_ tick: Repeater.Tick, at now: Moment) {
    executingUntil = now.uptime.advanced(by: Self.executingTime)
    if !tick.isManual { lateness = tick.lateness }
  }

  /// The timer as one would ask for it now: live changes of its interval are in it.
  var spec: TimerSpec {
    let kind: TimerSpec.Kind =
      switch snapshot.mode {
      case .once: .once(snapshot.interval)
      case .finite(let count): .every(snapshot.interval, count: count)
      case .infinite: .every(snapshot.interval, count: nil)
      }
    return TimerSpec(
      name: name, kind: kind, isPaused: snapshot.phase == .paused || snapshot.phase == .idle,
      tolerance: snapshot.tolerance, missedTicks: snapshot.missedTicks, note: note)
  }

  func state(at now: TimelineInstant) -> Repeater.State {
    executingUntil > now ? .executing : snapshot.state
  }

  private mutating func spellOut() {
    let interval = DurationText.text(snapshot.interval)
    kindText =
      switch snapshot.mode {
      case .once: "once \(interval)"
      case .finite(let count): "every \(interval) ×\(count)"
      case .infinite: "every \(interval)"
      }
    label = name ?? (snapshot.mode == .once ? interval : kindText)
  }
}

extension TimerSpec {
  public var interval: Duration {
    switch kind {
    case .once(let duration): duration
    case .every(let interval, _): interval
    }
  }

  public var mode: Repeater.Mode {
    switch kind {
    case .once: .once
    case .every(_, let count?): .finite(count)
    case .every(_, nil): .infinite
    }
  }

  /// How a timer stands that was asked for as paused: with all its time and iterations left.
  func pausedAtStart(at now: Moment) -> Repeater.Checkpoint {
    Repeater.Checkpoint(
      mode: mode, interval: interval, missedTicks: missedTicks, tolerance: tolerance,
      phase: .paused, remainingIterations: mode.count, timeLeft: interval, takenAt: now.wall)
  }
}
