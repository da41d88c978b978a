import TerminalCore
import TimerKit

/// A timer on the board: what was asked for, and the newest state it told of itself.
struct Row: Hashable, Sendable {
  /// How long a fire shows as executing: one frame that the eye can catch.
  static let executingTime = Duration.milliseconds(150)

  let id: TimerID
  private(set) var name: String?
  private(set) var note: String?
  private(set) var snapshot: Repeater.Snapshot
  /// When it fires next, on the uptime clock; a timer of another clock tells of itself anew when
  /// that clock jumps.
  private(set) var due: TimelineInstant?
  /// No time longer than this shows until the timer changes.
  private(set) var longestShown = Duration.zero
  /// Until when the last fire shows.
  private(set) var executingUntil = TimelineInstant(nanoseconds: .min)
  /// How late the clock's last fire came.
  private(set) var lateness: Duration?
  /// It finished, and no key was pressed since.
  var callsForAttention = false
  /// Its name, or what it is; and how many cells that takes.
  private(set) var label = ""
  private(set) var labelWidth = 0
  /// `every 45s ×8`, and how many cells that takes.
  private(set) var kindText = ""
  private(set) var kindWidth = 0
  private(set) var noteWidth = 0

  /// A row as a checkpoint says its timer is about to be.
  init(
    id: TimerID, name: String?, note: String?, as checkpoint: Repeater.Checkpoint, at now: Moment
  ) {
    self.id = id
    self.name = name
    self.note = note
    snapshot = checkpoint.snapshot(at: now)
    mirror(snapshot, at: now)
    spellOut()
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
    longestShown = max(snapshot.interval, snapshot.timeLeft(at: now[snapshot.clock]) ?? .zero)
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

  func checkpoint(at now: Moment) -> Repeater.Checkpoint {
    snapshot.checkpoint(at: now[snapshot.clock], takenAt: now.wall)
  }

  func state(at now: TimelineInstant) -> Repeater.State {
    executingUntil > now ? .executing : snapshot.state
  }

  /// `5 of 8`, or `nil` where there is no end. A run can have got more than its usual count.
  var iterations: (left: Int, of: Int)? {
    guard let left = snapshot.remainingIterations, let count = snapshot.mode.count else {
      return nil
    }
    return (left, max(left, count))
  }

  private mutating func spellOut() {
    kindText = spec.kindText
    label = name ?? kindText
    labelWidth = label.cellWidth
    kindWidth = kindText.cellWidth
    noteWidth = note?.cellWidth ?? 0
  }
}

extension Repeater.Checkpoint {
  /// How a timer stands that was just asked for: running from its start, or paused there.
  init(startOf spec: TimerSpec, at now: Moment) {
    self.init(
      mode: spec.mode, interval: spec.interval, missedTicks: spec.missedTicks,
      tolerance: spec.tolerance, phase: spec.isPaused ? .paused : .running,
      remainingIterations: spec.mode.count, timeLeft: spec.interval, takenAt: now.wall)
  }

  /// What a timer made from this tells of itself at first.
  func snapshot(at now: Moment) -> Repeater.Snapshot {
    Repeater.Snapshot(
      phase: phase, mode: mode, interval: interval, missedTicks: missedTicks,
      tolerance: tolerance, clock: clock, remainingIterations: remainingIterations,
      deadline: phase == .running ? now[clock].advanced(by: timeLeft ?? interval) : nil,
      frozenTimeLeft: phase == .paused ? timeLeft : nil)
  }
}
