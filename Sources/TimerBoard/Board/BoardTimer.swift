package import TimerKit

/// A timer of a board: what was requested, and the newest state of the live timer.
package struct BoardTimer: Hashable, Sendable {
  package let id: TimerID
  /// What was requested; the newest of its times are in ``spec``.
  private var requested: TimerSpec
  package private(set) var status: TimerStatus
  /// The instant of the next fire on the suspending clock, as clocks stand.
  package private(set) var due: TimerClock.Instant?
  /// The instant at which a stopwatch showed zero, pauses left out, on the suspending clock; `nil` unless
  /// it runs.
  package private(set) var origin: TimerClock.Instant?
  /// The wait of a timer that follows the time of day; `nil` unless it runs.
  package private(set) var wait: WallWait?
  /// The longest time that it can show until it changes.
  package private(set) var longestTime = Duration.zero
  /// How late the newest fire that was due came.
  package private(set) var lateness: Duration?
  /// The instant of the newest fire.
  package private(set) var lastFired: TimerClock.Instant?
  package private(set) var history = FireHistory()
  /// A Boolean value that indicates whether it finished or rings, and nobody has acknowledged it.
  package var needsAttention = false
  /// A Boolean value that indicates whether the bell is repeated for it.
  package var isRinging = false
  package var command = CommandState()
  /// The name, or the kind where there is none.
  package private(set) var label = ""
  /// The kind in words: `every 45s ×8`.
  package private(set) var kindText = ""
  /// The text that a filter searches: name, kind, note and command, in lower case.
  package private(set) var searchText = ""

  /// Creates a timer as a checkpoint says that the live one is about to be.
  init(id: TimerID, _ spec: TimerSpec, as checkpoint: TimerCheckpoint, at now: ClockReading) {
    self.id = id
    requested = spec
    status = checkpoint.status(at: now)
    update(from: status, at: now)
    updateTexts()
  }

  package var name: String? { requested.name }
  package var note: String? { requested.note }
  package var hasCommand: Bool { requested.command != nil }

  /// Sets what is requested; the live timer is another matter.
  mutating func request(_ spec: TimerSpec) {
    requested = spec
    updateTexts()
  }

  /// Updates it from the state of the live timer.
  mutating func update(from status: TimerStatus, at now: ClockReading) {
    let isSameKind = self.status.period == status.period && self.status.mode == status.mode
    self.status = status
    due = status.deadline.map { onUptime($0, at: now) }
    origin =
      if case .stopwatch(let stopwatch) = status {
        stopwatch.origin.map { onUptime($0, at: now) }
      } else { nil }
    updateWait(at: now)
    history.note(phase: status.runningPhase, at: now.uptime)
    longestTime = max(status.longestTime, status.timeLeft(at: now) ?? .zero)
    if !isSameKind { updateTexts() }
  }

  mutating func record(_ fire: Fire, at now: ClockReading) {
    lastFired = now.uptime
    lateness = fire.lateness ?? lateness
    history.add(
      PastFire(
        at: now.uptime, lateness: fire.lateness, missed: fire.missed, period: period))
  }

  /// A wait continues when the clock is set, or when the timer was not there for a while.
  private mutating func updateWait(at now: ClockReading) {
    guard case .repeater(let snapshot) = status, let schedule = snapshot.configuration.schedule
    else {
      wait = nil
      return
    }
    guard let deadline = snapshot.deadline?.wallInstant, deadline != wait?.deadline else { return }
    wait = WallWait(
      schedule, until: deadline, left: snapshot.remainingIterations, at: now)
  }

  private func onUptime(_ instant: TimerClock.Instant, at now: ClockReading) -> TimerClock.Instant {
    status.clock == .suspending
      ? instant : now.uptime.advanced(by: now[status.clock].duration(to: instant))
  }

  private mutating func updateTexts() {
    let kind = spec.kindText
    kindText = kind + (requested.next.map { " → \($0)" } ?? "")
    label = name ?? kind
    searchText = "\(label) \(kindText) \(note ?? "") \(requested.command ?? "")".searchable
  }
}

extension BoardTimer {
  /// The whole time that the time until the next fire is a part of; `nil` where there is none.
  package var period: Duration? { status.period ?? wait?.period }

  /// The timer as one would ask for it now: live changes of its interval are in it.
  package var spec: TimerSpec {
    var spec = requested
    status.content.update(&spec, usualInterval: command.usualInterval)
    return spec
  }

  /// A Boolean value that indicates whether it is for a date that has passed.
  package func isPast(at now: ClockReading) -> Bool {
    guard case .at(let schedule) = requested.kind else { return false }
    return schedule.next(after: now.wall) == nil
  }

  package func checkpoint(at now: ClockReading) -> TimerCheckpoint { checkpoint(status, at: now) }

  /// The checkpoint of a state that it has or had.
  func checkpoint(_ status: TimerStatus, at now: ClockReading) -> TimerCheckpoint {
    status.content.checkpoint(at: now, usualInterval: command.usualInterval)
  }

  /// The time left in whole seconds, rounded up, or what a stopwatch shows; `nil` where none is to come.
  func timeText(at now: ClockReading) -> String? {
    SavedTimer(spec, checkpoint(at: now)).timeText(at: now)
  }

  /// A Boolean value that indicates whether a fire is being delivered or its command runs.
  package var isExecuting: Bool { status.isExecuting || command.isRunning }
}

extension Board {
  /// All timers in their order, as a session keeps them.
  package func savedTimers(at now: ClockReading) -> [SavedTimer] {
    timers.all.map { SavedTimer($0.spec, $0.checkpoint(at: now)) }
  }
}
