import TerminalCore
import TimerKit

/// A timer on the board: what was asked for, and the newest state it told of itself.
struct Row: Hashable, Sendable {
  /// How long a fire shows as executing: one frame that the eye can catch.
  static let executingTime = Duration.milliseconds(150)

  /// Cells kept for how a command ended, so that no column jumps.
  private static let resultWidth = 24

  let id: TimerID
  var name: String? { asked.name }
  var note: String? { asked.note }
  /// What was asked for; of its times the newest are in ``spec``.
  private var asked: TimerSpec
  private(set) var status: TimerStatus
  /// When it fires next, on the suspending clock; a timer of another clock tells of itself anew when
  /// that clock jumps.
  private(set) var due: TimerClock.Instant?
  /// When a stopwatch showed nothing, pauses taken out, on the suspending clock; `nil` unless it runs.
  private(set) var origin: TimerClock.Instant?
  /// `nil` unless it follows the time of day and runs.
  private(set) var wait: WallWait?
  /// No time longer than this shows until the timer changes.
  private(set) var longestShown = Duration.zero
  /// Until when the last fire shows.
  private(set) var executingUntil: TimerClock.Instant?
  /// How late the clock's last fire came.
  private(set) var lateness: Duration?
  private(set) var history = FireHistory()
  /// It finished or rings, and no key was pressed since.
  var callsForAttention = false
  /// It sounds until a key is pressed.
  var isRinging = false
  var command = CommandState()
  /// Its name, or what it is; and how many cells that takes.
  private(set) var label = ""
  private(set) var labelWidth = 0
  /// `every 45s ×8`, and how many cells that takes.
  private(set) var kindText = ""
  private(set) var kindWidth = 0
  private(set) var noteWidth = 0
  /// What a filter looks in besides the state: name, kind and note.
  private(set) var sought = ""

  /// A row as a checkpoint says its timer is about to be.
  init(id: TimerID, _ spec: TimerSpec, as checkpoint: TimerCheckpoint, at now: Moment) {
    self.id = id
    asked = spec
    status = checkpoint.status(at: now)
    mirror(status, at: now)
    spellOut()
  }

  /// Takes what is asked for now; the timer itself is another matter.
  mutating func ask(for spec: TimerSpec) {
    asked = spec
    spellOut()
  }

  /// Takes the timer's word for what it is by now.
  mutating func mirror(_ status: TimerStatus, at now: Moment) {
    let isSameKind = self.status.period == status.period && self.status.mode == status.mode
    self.status = status
    due = status.deadline.map { onUptime($0, at: now) }
    origin =
      if case .stopwatch(let stopwatch) = status {
        stopwatch.origin.map { onUptime($0, at: now) }
      } else { nil }
    noteWait(at: now)
    history.note(phase: status.runningPhase, at: now.uptime)
    longestShown = max(status.longestTime, status.timeLeft(at: now) ?? .zero)
    if !isSameKind { spellOut() }
  }

  /// A wait goes on when the clock is set, or when the timer was not there for a while.
  private mutating func noteWait(at now: Moment) {
    guard case .repeater(let snapshot) = status, let schedule = snapshot.configuration.schedule
    else {
      wait = nil
      return
    }
    guard let deadline = snapshot.deadline?.wallInstant, deadline != wait?.deadline else { return }
    wait = WallWait(
      schedule, until: deadline, left: snapshot.remainingIterations, at: now)
  }

  /// The whole time that the time until the next fire is a part of; `nil` where there is none.
  var period: Duration? { status.period ?? wait?.period }

  private func onUptime(_ instant: TimerClock.Instant, at now: Moment) -> TimerClock.Instant {
    status.clock == .suspending
      ? instant : now.uptime.advanced(by: now[status.clock].duration(to: instant))
  }

  mutating func noteFire(_ fire: Fire, at now: Moment) {
    executingUntil = now.uptime.advanced(by: Self.executingTime)
    lateness = fire.lateness ?? lateness
    history.add(
      PastFire(
        at: now.uptime, lateness: fire.lateness, missed: fire.missed, period: period))
  }

  /// The timer as one would ask for it now: live changes of its interval are in it.
  var spec: TimerSpec {
    var spec = asked
    switch status {
    case .repeater(let snapshot):
      spec.kind =
        switch (snapshot.configuration.schedule, snapshot.configuration.mode) {
        case (let schedule?, .once): .at(schedule)
        case (let schedule?, let mode): .daily(schedule, count: mode.count)
        case (nil, .once): .once(usualInterval(snapshot))
        case (nil, let mode): .every(usualInterval(snapshot), count: mode.count)
        }
      spec.tolerance = snapshot.configuration.tolerance
      spec.missedTicks = snapshot.configuration.missedTicks
      spec.isPaused = isStopped
    case .cycle, .stopwatch: spec.isPaused = isStopped
    case .calls: break
    }
    return spec
  }

  /// Its interval, as if no failure of its command had let that grow.
  func usualInterval(_ snapshot: Repeater.Snapshot) -> Duration {
    command.usualInterval ?? snapshot.configuration.interval ?? .zero
  }

  /// It is for a date that has been.
  func isPast(at now: Moment) -> Bool {
    guard case .at(let schedule) = asked.kind else { return false }
    return schedule.next(after: now.wall) == nil
  }

  private var isStopped: Bool { status.phase == .paused || status.phase == .idle }

  func checkpoint(at now: Moment) -> TimerCheckpoint {
    switch status {
    case .repeater(let snapshot):
      var checkpoint = snapshot.checkpoint(at: now[snapshot.clock], takenAt: now.wall)
      if snapshot.configuration.schedule == nil {
        checkpoint.configuration.timing = .interval(usualInterval(snapshot))
      }
      return .repeater(checkpoint)
    case .cycle(let snapshot):
      return .cycle(snapshot.checkpoint(at: now[snapshot.clock], takenAt: now.wall))
    case .stopwatch(let snapshot):
      return .stopwatch(snapshot.checkpoint(at: now[snapshot.clock], takenAt: now.wall))
    case .calls: return .calls
    }
  }

  /// Until it tells of itself anew.
  var isExecuting: Bool { status.isExecuting || command.isRunning }

  func state(at now: TimerClock.Instant) -> TimerState {
    executingUntil.map { $0 > now } ?? false || isExecuting ? .executing : status.phase
  }

  /// What is written for a state: of a cycle that runs, the phase.
  func stateWord(_ state: TimerState) -> String {
    if isRinging { return "ringing" }
    if state == .running, case .cycle(let cycle) = status, let position = cycle.position {
      return position.phase.name
    }
    if state == .running, case .calls = status { return "pending" }
    return "\(state)"
  }

  /// Whether a filter finds it; a fire that still shows makes no difference.
  func matches(_ text: SearchText) -> Bool {
    text.isIn(sought, stateWord(status.phase))
  }

  /// What is told beside it: how its command ended, or else its note.
  var remark: String? { command.result?.text() ?? note }

  /// What was triggered and what became of it, in place of a bar; as much of it as there is room for.
  func callTally(in width: Int) -> String? {
    guard case .calls(let calls) = status else { return nil }
    let triggered = "\(calls.callCount) triggered"
    let fired = "\(triggered), \(calls.deliveredCount) fired"
    let shortest = "\(calls.callCount) calls"
    return ["\(fired), \(calls.suppressedCount) suppressed", fired, triggered, shortest]
      .first { $0.cellWidth <= width }
  }

  private mutating func spellOut() {
    let kind = spec.kindText
    kindText = kind + (asked.next.map { " → \($0)" } ?? "")
    label = name ?? kind
    labelWidth = label.cellWidth
    kindWidth = kindText.cellWidth
    noteWidth = max(note?.cellWidth ?? 0, asked.command == nil ? 0 : Self.resultWidth)
    sought = "\(label) \(kindText) \(note ?? "") \(asked.command ?? "")".searchable
  }
}
