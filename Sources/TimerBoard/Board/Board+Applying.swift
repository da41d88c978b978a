import TimerKit

extension Board {
  /// Applies an event.
  /// - Returns: Its effects, to be performed in order.
  package mutating func apply(_ event: Event, at now: ClockReading) -> [Effect] {
    reconvertInstantsIfClocksJumped(at: now)
    return perform(event, at: now) + stopUnneededBell()
  }

  private mutating func perform(_ event: Event, at now: ClockReading) -> [Effect] {
    switch event {
    case .timer(let id, let event, let status): return apply(event, status, of: id, at: now)
    case .notCreated(let id, let reason):
      guard let timer = timers[id] else { return [] }
      stretches.forget(id)
      timers.remove([id])
      log.add(.action("removed: \(reason)"), label: timer.label, at: now)
      return [.report(Report(label: timer.label, text: reason, isFailure: true))]
    case .controlled(let action, let outcomes, let cause):
      return apply(outcomes, of: action, cause, at: now)
    case .commandEnded(let id, let result, let isRunning):
      return apply(result, of: id, isRunning: isRunning, at: now)
    }
  }

  private mutating func apply(
    _ event: TimerEvent, _ status: TimerStatus, of id: TimerID, at now: ClockReading
  ) -> [Effect] {
    guard let position = timers.position(of: id) else { return [] }
    let before = timers.all[position].status
    let fire: Fire? = if case .fired(let fire) = event { fire } else { nil }
    // A timer that was restarted, and has ended before the board heard of it, was finished before, too.
    let hasFinished =
      status.state == .finished && (before.state != .finished || fire?.lateness != nil)
    timers.change(at: position) { timer in
      timer.update(from: status, at: now)
      if let fire { timer.record(fire, at: now) }
    }
    beginAlert(for: fire, hasFinished: hasFinished, from: before, ofTimerAt: position, at: now)
    trackStretch(ofTimerAt: position, fire: fire, at: now)
    if before.state == .paused, status.state != .paused { pausedTogether.remove(id) }
    // Nothing follows from most changes, such as those of restored timers: so the timer is not copied.
    if case .changed = event, before.state == status.state { return [] }
    let timer = timers[position]
    if event == .stale { log.add(.problem("stale fire rejected"), label: timer.label, at: now) }
    if let fire {
      log.add(timer.logEvent(of: fire), label: timer.label, at: now)
      transitions.append(Transition(timer.transition, of: timer, fire))
    } else if let event = Transition.Event(from: before, to: status) {
      transitions.append(Transition(event, of: timer))
    }
    return consequences(of: fire, hasFinished: hasFinished, of: timer, at: position, at: now)
  }

  /// Returns the effects of a fire or of the end of a run.
  /// - Parameter hasFinished: True if the run has ended.
  private mutating func consequences(
    of fire: Fire?, hasFinished: Bool, of timer: BoardTimer, at position: Int, at now: ClockReading
  ) -> [Effect] {
    var effects: [Effect] = []
    if let fire, let command = timer.spec.command {
      timers.change(at: position) { $0.commandState.isRunning = true }
      effects.append(.run(command, Transition(timer.transition, of: timer, fire)))
    }
    effects += chime(for: fire, hasFinished: hasFinished, of: timer)
    if fire != nil, timer.status.state == .finished {
      let links = startSuccessors(of: timer, isManual: fire?.lateness == nil, at: now)
      let isLink = links.contains {
        if case .control(.startAsSuccessor, _, _) = $0 { true } else { false }
      }
      if timer.spec.sound != .ring, isLink {
        timers.change(at: position) { $0.endAlertOfLink() }
      }
      effects += links
    }
    if let effect = waitForPhase(after: fire, ofTimerAt: position, at: now) {
      effects.append(effect)
    }
    return effects
  }

  /// Applies the end of a command: updates the result and, with back-off, the interval of its timer.
  private mutating func apply(
    _ result: CommandResult, of id: TimerID, isRunning: Bool, at now: ClockReading
  ) -> [Effect] {
    guard let position = timers.position(of: id) else {
      // Of a timer that has been deleted since the command began.
      addToStretch(result, of: id)
      if !isRunning { forgetCommand(ofDeleted: id) }
      return []
    }
    guard timers[position].hasCommand else { return [] }
    let before = timers[position]
    addToStretch(result, of: id)
    var interval: Duration?
    timers.change(at: position) { timer in
      timer.commandState.isRunning = isRunning
      interval = timer.commandState.end(
        with: result, interval: timer.status.period ?? .zero,
        upTo: timer.status.state == .running ? timer.spec.backoff : nil)
    }
    let failedBefore = before.commandState.result.map { !$0.isSuccess } ?? false
    if !result.isSuccess || failedBefore {
      log.add(.commandEnded(result, interval: interval), label: before.label, at: now)
    }
    var effects: [Effect] =
      interval.map { [.control(.setInterval($0, .fromNow), [id], .consequence)] } ?? []
    if !result.isSuccess, !failedBefore, !isMuted {
      let text = result.text(next: interval)
      effects.append(.notify(TimerNotification(event: .failed, timer: before.label, text: text)))
    }
    return effects
  }
}

extension BoardTimer {
  /// The transition of a fire that led to the current status.
  fileprivate var transition: Transition.Event {
    status.state == .finished ? .finished : status.phaseName != nil ? .phase : .fired
  }

  func logEvent(of fire: Fire) -> EventLog.Event {
    if status.state == .finished { return .finished(fire) }
    if let phase = status.phaseName { return .phaseBegan(phase, isReady: spec.waits, fire) }
    guard case .repeater = status, case .counted(let left, _) = status.iterations,
      let number = fire.iteration
    else { return .fired(counts.delivered, of: nil, fire) }
    // The number of iterations may have been changed during the run.
    return .fired(number, of: number + left, fire)
  }
}
