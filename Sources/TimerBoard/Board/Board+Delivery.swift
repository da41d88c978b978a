import TimerKit

/// The live passing of time: fires, and what follows from them.
extension Board {
  /// The maximum number of fires that one call delivers: about a millisecond of work.
  private static let deliveryLimit = 200

  /// Delivers what is due, the timer that is overdue for longest first.
  mutating func deliverDue(at now: ClockReading) {
    var count = 0
    while count < Self.deliveryLimit, let position = timers.takeMostOverdue(at: now) {
      deliver(ofTimerAt: position, at: now)
      count += 1
    }
    timers.releaseStarted()
  }

  /// Delivers the first fire of a timer that is due: a scheduled one, or one that a control has requested.
  mutating func deliver(ofTimerAt position: Int, at now: ClockReading) {
    let before = timers.all[position].machine
    var fire: Fire?
    timers.change(at: position) { fire = $0.advance(to: now) }
    guard let fire else { return }
    follow(fire, from: before, ofTimerAt: position, at: now)
  }

  /// Performs all that follows from a fire.
  /// - Parameter before: The timer before the fire.
  private mutating func follow(
    _ fire: Fire, from before: TimerMachine, ofTimerAt position: Int, at now: ClockReading
  ) {
    let hasFinished = timers.all[position].state == .finished
    // Whoever ends a run by hand needs no alert.
    let rings = hasFinished && fire.lateness != nil
    beginAlert(for: fire, hasFinished: rings, from: before, ofTimerAt: position, at: now)
    followRun(ofTimerAt: position, fire: fire, at: now)
    let timer = timers[position]
    log.add(timer.logEvent(of: fire), label: timer.label, at: now)
    change.add(Transition(timer.transition, of: timer, fire))
    if let command = timer.spec.command {
      timers.change(at: position) { $0.setCommandRunning(true) }
      change.add(.run(command))
    }
    chime(for: fire, hasFinished: rings, of: timer)
    if hasFinished {
      let isLink = !startSuccessors(of: timer, at: now).started.isEmpty
      if timer.spec.sound != .ring, isLink {
        timers.change(at: position) { $0.endAlertOfLink() }
      }
    }
    waitForPhase(after: fire, ofTimerAt: position, at: now)
  }

  /// Follows the end of a timer's command: its result, and with back-off, the interval.
  /// - Parameter isRunning: True if another command of the same timer is running or waiting.
  package mutating func commandEnded(
    _ id: TimerID, _ result: CommandResult, isRunning: Bool, at now: ClockReading
  ) -> Change {
    deliverDue(at: now)
    change.isOnlyFires = false
    if let position = timers.position(of: id) {
      if timers.all[position].hasCommand {
        commandEnded(ofTimerAt: position, result, isRunning: isRunning, at: now)
      }
    } else if let awaiting = deletedWithCommand[id] {
      // Of a timer that has been deleted since the command began.
      if let awaiting { addResult(result, to: awaiting) }
      deletedWithCommand[id] = isRunning ? .some(nil) : nil
    }
    stopUnneededBell()
    return takeChange()
  }

  private mutating func commandEnded(
    ofTimerAt position: Int, _ result: CommandResult, isRunning: Bool, at now: ClockReading
  ) {
    let failedBefore = timers.all[position].commandState.result.map { !$0.isSuccess } ?? false
    addToRun(result, ofTimerAt: position)
    var interval: Duration?
    timers.change(at: position) { timer in
      timer.endCommand(with: result, isRunning: isRunning)
      interval = timer.backOff(after: result, at: now)
    }
    let label = timers.all[position].label
    if !result.isSuccess || failedBefore {
      log.add(.commandEnded(result, interval: interval), label: label, at: now)
    }
    if interval != nil {
      followRun(ofTimerAt: position, at: now)
      change.add(Transition(.changed, of: timers[position]))
    }
    if !result.isSuccess, !failedBefore, !isMuted {
      let text = result.text(next: interval)
      change.add(.notify(TimerNotification(event: .failed, timer: label, text: text)))
    }
  }

  /// Triggers every timer that waits for triggers, `count` times.
  /// - Returns: What has changed; `nil` if there is no such timer.
  /// - Complexity: O(n) in the number of timers.
  package mutating func trigger(times count: Int, at now: ClockReading) -> Change? {
    deliverDue(at: now)
    let triggered = timers.all.indices.filter { timers.all[$0].machine.calls != nil }
    guard !triggered.isEmpty else { return nil }
    for position in triggered {
      timers.change(at: position) { $0.trigger(times: count, at: now) }
    }
    deliverDue(at: now)
    return takeChange()
  }
}

extension BoardTimer {
  /// The transition of a fire that led to the current state.
  fileprivate var transition: Transition.Event {
    state == .finished ? .finished : machine.phaseName != nil ? .phase : .fired
  }

  func logEvent(of fire: Fire) -> EventLog.Event {
    if state == .finished { return .finished(fire) }
    if let phase = machine.phaseName { return .phaseBegan(phase, isReady: spec.waits, fire) }
    guard case .repeater = machine, case .counted(let left, _) = machine.iterations,
      let number = fire.iteration
    else { return .fired(counts.delivered, of: nil, fire) }
    // The number of iterations may have been changed during the run.
    return .fired(number, of: number + left, fire)
  }
}
