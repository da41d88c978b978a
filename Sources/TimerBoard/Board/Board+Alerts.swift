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
  /// - Parameter before: The timer before the event.
  mutating func beginAlert(
    for fire: Fire, hasFinished: Bool, from before: TimerMachine, ofTimerAt position: Int,
    at now: ClockReading
  ) {
    let sound = timers[position].spec.sound
    if hasFinished, sound != .silent {
      let due = before.deadline.map { now.continuous.advanced(by: now.duration(to: $0)) }
      beginAlert(
        .finished, since: due.map { min($0, now.continuous) }, ofTimerAt: position, at: now)
    }
    if sound == .ring {
      beginAlert(.fired, isRinging: !isMuted, ofTimerAt: position, at: now)
    }
  }

  /// Requests the bell and the notification of an event.
  mutating func chime(for fire: Fire, hasFinished: Bool, of timer: BoardTimer) {
    guard !isMuted, var notification = timer.chime(for: fire, hasFinished: hasFinished) else {
      return
    }
    notification.sound = timer.spec.soundName
    if notification.event != .ring {
      change.add(.ringOnce)
    } else if !isBellRepeating {
      isBellRepeating = true
      change.add(.repeatBell(true))
    }
    change.add(.notify(notification))
  }

  /// Makes the phase that a cycle has just begun stand ready instead of running, if the timer waits.
  mutating func waitForPhase(after fire: Fire, ofTimerAt position: Int, at now: ClockReading) {
    // A phase that was skipped by hand begins at once.
    guard fire.lateness != nil, timers.all[position].waits,
      case .cycle(let cycle) = timers.all[position].machine, cycle.state == .running,
      let waiting = cycle.waiting(
        atPhase: max(0, cycle.snapshot.phaseIndex - fire.missed), at: now)
    else { return }
    standReady(position, as: .cycle(waiting), at: now)
  }

  /// Makes a timer stand ready that would be started by another one.
  /// - Returns: False for a timer that waits for triggers.
  mutating func waitForStart(ofTimerAt position: Int, at now: ClockReading) -> Bool {
    var spec = timers[position].spec
    guard spec.accepts("paused") else { return false }
    spec.isPaused = true
    guard let machine = try? spec.kind.family.start(of: spec, seed: runIDs.next(), at: now) else {
      return false
    }
    standReady(position, as: machine, at: now)
    return true
  }

  private mutating func standReady(
    _ position: Int, as machine: TimerMachine, at now: ClockReading
  ) {
    endRun(ofTimerAt: position, .reset, at: now)
    timers.change(at: position) { timer in
      timer.setMachine(machine, at: now)
      timer.setPausedTogether(false)
    }
    beginAlert(.standsReady, ofTimerAt: position, at: now)
  }

  /// Ends the alerts of the timers for which `isEnded` returns true, which can be undone.
  mutating func acknowledge(at now: ClockReading, isEnded: (BoardTimer) -> Bool) {
    guard timers.alertCount > 0 else { return }
    let ended = timers.all.indices.filter { isEnded(timers.all[$0]) }
    nameStep("acknowledge")
    for position in ended where timers.all[position].alert != nil {
      change.add(Transition(.acknowledged, of: timers[position]))
      timers.change(at: position) { $0.acknowledge(at: now) }
    }
  }

  /// Stops the bell; the alerts stay.
  mutating func silence() {
    guard timers.ringingCount > 0 else { return }
    for position in 0..<timers.count where timers.all[position].isRinging {
      timers.change(at: position) { $0.silence() }
    }
  }

  /// Ends the bell and the blinking if no timer needs them any more.
  mutating func stopUnneededBell() {
    if timers.alertCount == 0 { newestAlertStart = nil }
    while let last = alertOrder.last, timers[last]?.alert == nil { alertOrder.removeLast() }
    guard isBellRepeating, timers.ringingCount == 0 else { return }
    isBellRepeating = false
    change.add(.repeatBell(false))
  }

  /// Lets finished timers fire again after a time. The others get the action `adjustTime`, which they may refuse.
  /// - Returns: False if none of them can be snoozed, or if `step` removes time.
  mutating func snooze(
    _ ids: [TimerID], by step: TimerAction.TimeStep, at now: ClockReading
  ) -> Bool {
    let time: Duration
    switch step {
    case .more: time = TimerAction.snoozeTime
    case .exactly(let amount) where amount > .zero: time = amount
    case .less, .exactly: return false
    }
    let snoozed = ids.compactMap { id in
      timers[id]?.snoozed(for: time, seed: runIDs.next(), at: now).map { (id, $0.spec, $0.machine) }
    }
    guard !snoozed.isEmpty else { return false }
    let snoozedIDs = snoozed.map(\.0)
    for (id, spec, machine) in snoozed {
      guard let position = timers.position(of: id) else { continue }
      if timers[position].alert != nil {
        change.add(Transition(.acknowledged, of: timers[position]))
      }
      setSpec(spec, ofTimerAt: position)
      self[chain: id].isSnoozed = true
      timers.change(at: position) { $0.setMachine(machine, at: now) }
      followRun(ofTimerAt: position, isEdited: true, at: now)
      change.add(Transition(.started, of: timers[position]))
    }
    let rest = ids.filter { !snoozedIDs.contains($0) }
    if !rest.isEmpty { control(.adjustTime(step), rest, .partOfRequest, at: now) }
    nameStep("snooze")
    let text = "snoozed for \(DurationText.text(time))"
    report(text, label: label(of: snoozedIDs), timers: snoozedIDs, at: now)
    return true
  }
}

extension BoardTimer {
  /// Returns the notification of a fire or of the end of a run; `nil` if there is none.
  fileprivate func chime(for fire: Fire, hasFinished: Bool) -> TimerNotification? {
    switch spec.sound {
    case .silent: return nil
    case .ring:
      return TimerNotification(event: .ring, timer: label, text: logEvent(of: fire).text)
    case .standard, .chime:
      if hasFinished { return TimerNotification(event: .finished, timer: label, text: "finished") }
    }
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
    snoozed(for: TimerAction.snoozeTime, seed: 0, at: now) != nil
  }

  /// Returns the specification and the machine with which the timer fires again after `time`; `nil` if it has not
  /// finished, and for a kind that cannot.
  fileprivate func snoozed(
    for time: Duration, seed: UInt64, at now: ClockReading
  ) -> (spec: TimerSpec, machine: TimerMachine)? {
    guard state == .finished else { return nil }
    guard spec.kind.hasOvertime, spec.kind.repeater?.schedule != nil else {
      return lastFire(in: time, seed: seed, at: now).map { (spec, $0) }
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
    return (try? alarm.kind.family.start(of: alarm, seed: seed, at: now)).map { (alarm, $0) }
  }
}
