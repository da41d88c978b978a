import TimerKit

/// Alerts, and the bell and the notifications of fires.
extension Board {
  /// The timer with the newest alert; `nil` if all are acknowledged.
  package var timerWithNewestAlert: BoardTimer? { alertOrder.last.flatMap { timers[$0] } }

  /// Begins an alert, or makes an existing one repeat the bell.
  mutating func beginAlert(
    _ cause: TimerAlert.Cause, isRinging: Bool = false, since: TimerClock.Instant? = nil,
    ofTimerAt position: Int, at now: ClockReading
  ) {
    newestAlertStart = now.suspending
    let timer = timers[position]
    if timer.alert == nil { addToAlertOrder(timer.id) }
    // The end of a run and a timer that stands ready replace the alert of an earlier fire.
    let kept = cause == .fired || cause == timer.alert?.cause ? timer.alert : nil
    let alert = TimerAlert(
      cause: kept?.cause ?? cause, since: kept?.since ?? since ?? now.continuous,
      isRinging: isRinging || timer.isRinging)
    timers.change(at: position) { $0.setAlert(alert, at: now) }
  }

  /// Makes the alert of a timer the newest one.
  /// - Complexity: O(1), amortized.
  mutating func addToAlertOrder(_ id: TimerID) {
    alertOrder.append(id)
    // Alerts that nobody acknowledges, such as those of a chain without end, leave old entries.
    guard alertOrder.count > 2 * timers.alertCount + 16 else { return }
    var kept: Set<TimerID> = []
    alertOrder = alertOrder.reversed().filter {
      ($0 == id || timers[$0]?.alert != nil) && kept.insert($0).inserted
    }
    alertOrder.reverse()
  }

  /// Begins the alerts of a timer for an event.
  /// - Parameter before: The status before the event.
  mutating func beginAlert(
    for fire: Fire?, hasFinished: Bool, from before: TimerStatus, ofTimerAt position: Int,
    at now: ClockReading
  ) {
    guard hasFinished || fire != nil else { return }
    let sound = timers[position].spec.sound
    if hasFinished, sound != .silent {
      let due = before.deadline.map {
        now.continuous.advanced(by: now[before.clock].duration(to: $0))
      }
      beginAlert(
        .finished, since: due.map { min($0, now.continuous) }, ofTimerAt: position, at: now)
    }
    if fire != nil, sound == .ring {
      beginAlert(.fired, isRinging: !isMuted, ofTimerAt: position, at: now)
    }
  }

  /// Returns the bell and the notification of an event.
  mutating func chime(for fire: Fire?, hasFinished: Bool, of timer: BoardTimer) -> [Effect] {
    guard !isMuted, var notification = timer.chime(for: fire, hasFinished: hasFinished) else {
      return []
    }
    notification.sound = timer.spec.soundName
    guard notification.event == .ring else { return [.ringOnce, .notify(notification)] }
    defer { isBellRepeating = true }
    return isBellRepeating ? [.notify(notification)] : [.repeatBell(true), .notify(notification)]
  }

  /// Makes the phase that a cycle has just begun stand ready instead of running; returns `nil` if it does not wait.
  mutating func waitForPhase(
    after fire: Fire?, ofTimerAt position: Int, at now: ClockReading
  ) -> Effect? {
    let timer = timers[position]
    // A phase that was skipped by hand begins at once.
    guard let fire, fire.lateness != nil, timer.spec.waits,
      case .cycle(var cycle) = timer.checkpoint(at: now), cycle.state == .running
    else { return nil }
    cycle.phaseIndex = max(0, cycle.phaseIndex - fire.missed)
    cycle.waitForPhase()
    return standReady(position, as: .cycle(cycle), at: now)
  }

  /// Makes a timer stand ready that would be started by another one; returns `nil` for a timer that waits for
  /// triggers.
  mutating func waitForStart(ofTimerAt position: Int, at now: ClockReading) -> Effect? {
    var spec = timers[position].spec
    guard spec.accepts("paused") else { return nil }
    spec.isPaused = true
    return standReady(position, as: TimerCheckpoint(startOf: spec, at: now), at: now)
  }

  private mutating func standReady(
    _ position: Int, as checkpoint: TimerCheckpoint, at now: ClockReading
  ) -> Effect {
    let id = timers[position].id
    endStretch(of: timers[position], .reset, at: now)
    let effect = recreate(at: position, as: checkpoint, now: now)
    pausedTogether.remove(id)
    beginAlert(.standsReady, ofTimerAt: position, at: now)
    return effect
  }

  /// Ends the alerts of the timers for which `isEnded` returns true, which can be undone.
  mutating func acknowledge(at now: ClockReading, isEnded: (BoardTimer) -> Bool) {
    guard timers.alertCount > 0 else { return }
    let ended = timers.all.indices.filter { isEnded(timers.all[$0]) }
    addUndoStep("acknowledge", of: ended.map { timers[$0] }, at: now) { _ in
      .alert(isEnded: true)
    }
    acknowledge(ended, at: now)
  }

  mutating func acknowledge(_ positions: [Int], at now: ClockReading) {
    for position in positions where timers[position].alert != nil {
      transitions.append(Transition(.acknowledged, of: timers[position]))
      timers.change(at: position) { $0.acknowledge(at: now) }
    }
  }

  /// Stops the bell; the alerts stay.
  mutating func silence(at now: ClockReading) {
    guard timers.ringingCount > 0 else { return }
    for position in 0..<timers.count where timers[position].isRinging {
      timers.change(at: position) { $0.silence(at: now) }
    }
  }

  /// Ends the bell and the blinking if no timer needs them any more.
  mutating func stopUnneededBell() -> [Effect] {
    if timers.alertCount == 0 { newestAlertStart = nil }
    while let last = alertOrder.last, timers[last]?.alert == nil { alertOrder.removeLast() }
    guard isBellRepeating, timers.ringingCount == 0 else { return [] }
    isBellRepeating = false
    return [.repeatBell(false)]
  }

  /// Lets finished timers fire again after a time. The others get the action `adjustTime`, which they may refuse.
  /// - Returns: `nil` if none of them can be snoozed, or if `step` removes time.
  mutating func snooze(
    _ ids: [TimerID], by step: TimerAction.TimeStep, at now: ClockReading
  ) -> [Effect]? {
    let time: Duration
    switch step {
    case .more: time = TimerAction.snoozeTime
    case .exactly(let amount) where amount > .zero: time = amount
    case .less, .exactly: return nil
    }
    let snoozed = ids.compactMap { id in
      timers[id]?.snoozed(for: time, at: now).map { (id, $0.spec, $0.checkpoint) }
    }
    guard !snoozed.isEmpty else { return nil }
    let snoozedIDs = snoozed.map(\.0)
    addUndoStep("snooze", of: snoozedIDs.compactMap { timers[$0] }, at: now) {
      $0.continuing(at: now)
    }
    var effects = snoozed.compactMap { id, spec, checkpoint -> Effect? in
      guard let position = timers.position(of: id) else { return nil }
      if timers[position].alert != nil {
        transitions.append(Transition(.acknowledged, of: timers[position]))
      }
      setSpec(spec, ofTimerAt: position)
      self[chain: id].isSnoozed = true
      let effect = recreate(at: position, as: checkpoint, now: now)
      trackStretch(ofTimerAt: position, isEdited: true, at: now)
      transitions.append(Transition(.started, of: timers[position]))
      return effect
    }
    let rest = ids.filter { !snoozedIDs.contains($0) }
    if !rest.isEmpty {
      effects.append(.control(.adjustTime(step), rest, .rest(of: snoozedIDs[0])))
    }
    let text = "snoozed for \(DurationText.text(time))"
    return effects + [report(text, label: label(of: snoozedIDs), timers: snoozedIDs, at: now)]
  }
}

extension BoardTimer {
  /// Returns the notification of a fire or of the end of a run; `nil` if there is none.
  fileprivate func chime(for fire: Fire?, hasFinished: Bool) -> TimerNotification? {
    switch spec.sound {
    case .silent: return nil
    case .ring:
      return fire.map { TimerNotification(event: .ring, timer: label, text: logEvent(of: $0).text) }
    case .standard, .chime:
      if hasFinished { return TimerNotification(event: .finished, timer: label, text: "finished") }
    }
    guard let fire else { return nil }
    let isManual = fire.lateness == nil && fire.iteration != nil
    let event = logEvent(of: fire)
    if case .phaseBegan = event {
      return isManual ? nil : TimerNotification(event: .phase, timer: label, text: event.text)
    }
    let isAlarm = !isManual && !spec.kind.hasOvertime && spec.kind.repeater?.schedule != nil
    guard spec.sound == .chime || spec.soundName != nil || isAlarm else { return nil }
    return TimerNotification(event: .fired, timer: label, text: event.text)
  }

  /// Returns true if the timer has finished and can be snoozed.
  package func canBeSnoozed(at now: ClockReading) -> Bool {
    snoozed(for: TimerAction.snoozeTime, at: now) != nil
  }

  /// Returns the specification and the checkpoint with which the timer fires again after `time`; `nil` if it has not
  /// finished, and for a kind that cannot.
  fileprivate func snoozed(
    for time: Duration, at now: ClockReading
  ) -> (spec: TimerSpec, checkpoint: TimerCheckpoint)? {
    guard status.state == .finished else { return nil }
    guard spec.kind.hasOvertime, spec.kind.repeater?.schedule != nil else {
      return lastFire(in: time, at: now).map { (spec, $0) }
    }
    // Rounds up to whole seconds, because an alarm has no fraction.
    let latest = now.wall.advanced(by: time + .milliseconds(999)).nanosecondsSince1970
    let then = WallInstant(nanosecondsSince1970: latest - latest % 1_000_000_000)
    func schedule(in zone: LocalZone, hasDate: Bool) -> WallSchedule? {
      let local = LocalTime(then, in: zone)
      let (year, month, day) = local.date.yearMonthDay
      return try? WallSchedule(
        hasDate ? .date(year: year, month: month, day: day) : .every,
        seconds: [Int32(local.secondOfDay)])
    }
    // The time of day if it comes next then, with the date if it does not, and in UTC if it occurs twice on that day.
    let inUTC = schedule(in: .utc, hasDate: true)?.inTimeZone(.utc)
    let all = [false, true].map { schedule(in: now.zone, hasDate: $0) } + [inUTC]
    guard let schedule = all.first(where: { $0?.next(after: now.wall) == then }) ?? nil
    else { return nil }
    var alarm = spec
    alarm.kind = .at(schedule)
    return (alarm, TimerCheckpoint(startOf: alarm, at: now))
  }
}
