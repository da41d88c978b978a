import TimerBoard
import TimerKit

/// The row of a timer of the board.
extension Row {
  init(of timer: BoardTimer, in context: RowContext) {
    let machine = timer.machine
    id = timer.id
    label = timer.label
    kind = timer.kindAndSuccessorText
    links = Links(name: timer.name, group: timer.group, successor: timer.successor)
    time = Time(of: timer, in: context)
    state = State(of: timer, isUrgent: time.isUrgent, context.symbols)
    progress = Progress(of: timer, barRole: state.barRole(isUrgent: time.isUrgent), in: context)
    iterations = machine.iterations
    plan = Plan(of: timer, in: context)
    remarks = timer.remarks
    phase = machine.phaseName
    nextPhase = machine.nextPhase?.text
    round = machine.roundText
    alert = Alert(of: timer, in: context)
    hasFailed = timer.hasFailed
    events = Events(of: timer, at: context.now)
    nextChange = timer.isMoving(at: context.step) ? context.nextStep : nil
  }
}

extension Row.State {
  fileprivate init(of timer: BoardTimer, isUrgent: Bool, _ symbols: Symbols) {
    let machine = timer.machine
    base = timer.commandState.isRunning ? .executing : Role(timer.state)
    running =
      machine.phaseIndex.map { Role(phase: $0) } ?? (machine.countsUp ? .elapsed : .running)
    role =
      timer.needsAttention
      ? .alert
      : timer.hasFailed ? .failure : isUrgent ? .urgent : base == .running ? running : base
    let isAlert = timer.needsAttention && base != .executing
    symbol =
      isUrgent
      ? symbols.alert
      : isAlert ? (timer.standsReady ? symbols.standsReady : symbols.ringing) : symbols[base]
    word = timer.stateLabel(base)
    self.timer = timer.state
  }

  /// Returns the role of the bar.
  fileprivate func barRole(isUrgent: Bool) -> Role {
    if role == .alert { return .alert }
    switch timer {
    case .running: return isUrgent ? .urgent : running == .running ? .bar : running
    case .paused, .idle: return .pausedBar
    case .finished, .cancelled: return .finishedBar
    }
  }
}

extension Row.Time {
  init(of timer: BoardTimer, in context: RowContext) {
    let (step, steps, machine) = (context.step, context.steps, timer.machine)
    showsTenths = steps.showsTenths
    (meaning, units) = Self.shown(of: timer, at: step, steps)
    // The time shown is at most one unit more than the time left. A stopwatch has no next event.
    widestUnits = max(steps.units(in: timer.longestTime) + 1, units ?? 0)
    isUrgent =
      timer.state == .running && !timer.needsAttention
      && timer.due(at: step).map { steps.units(until: $0, from: step.suspending) } ?? 0
        <= (showsTenths ? 100 : 10)
      && timer.period.map { $0 >= .seconds(30) } ?? false
    isBold = machine.origin != nil && !timer.needsAttention
    role =
      if timer.needsAttention {
        .alert
      } else {
        switch timer.state {
        case .running: machine.origin != nil ? .elapsed : isUrgent ? .urgent : .time
        case .paused: machine.hasRun ? .paused : .faint
        case .idle, .cancelled: .faint
        case .finished: timer.stoppedOvertime == nil ? .faint : .elapsed
        }
      }
  }

  /// Returns the time that is shown within a step: the time left (of an idle timer, the whole time to its first fire), the
  /// elapsed time of a stopwatch, or the overtime.
  private static func shown(
    of timer: BoardTimer, at step: ClockReading, _ steps: DisplaySteps
  ) -> (Meaning, Int64?) {
    // Rounded to the nearest unit, because its own seconds need not begin with the steps.
    if let origin = timer.machine.origin {
      return (.elapsed, steps.roundedUnits(in: .zero - step.duration(to: origin)))
    }
    if let elapsed = timer.machine.elapsedWhenStopped {
      return (.elapsed, steps.wholeUnits(in: elapsed))
    }
    let left: Int64? =
      switch timer.state {
      case .running: timer.due(at: step).map { steps.units(until: $0, from: step.suspending) } ?? 0
      case .paused: timer.machine.pausedTimeLeft.map { steps.units(in: $0) }
      case .idle: timer.machine.period.map { steps.units(in: $0) }
      case .finished, .cancelled: nil
      }
    if left != nil { return (.left, left) }
    guard timer.state == .finished else { return (.none, nil) }
    // If it grows, it is rounded to the nearest unit, for the same reason.
    let overtime =
      if let alert = timer.alert, timer.countsOvertime {
        steps.roundedUnits(in: min(alert.since.duration(to: step.continuous), Overtime.limit))
      } else {
        timer.stoppedOvertime.map { steps.wholeUnits(in: $0) }
      }
    return (overtime == nil ? .none : .overtime, overtime)
  }
}

extension Row.Progress {
  fileprivate init?(of timer: BoardTimer, barRole role: Role, in context: RowContext) {
    let machine = timer.machine
    if let calls = machine.calls {
      self = .counts(calls)
      return
    }
    guard machine.period != nil || !machine.laps.isEmpty else { return nil }
    if machine.countsUp {
      let elapsed = machine.elapsed(at: context.step) ?? .zero
      // A session file can have a lap that is longer than the whole time.
      self = .laps(
        elapsed > .zero ? machine.laps.map { min(1, max(0, $0.total / elapsed)) } : [])
      return
    }
    let left = machine.deadline.map { context.step.duration(to: $0) } ?? machine.pausedTimeLeft
    let part = timer.state == .cancelled ? 1 : machine.progress(in: timer.period, left: left)
    guard let numbers = machine.phaseNumbers, let count = numbers.count, count > 0,
      !machine.phases.isEmpty
    else {
      self = .bar(part, role)
      return
    }
    self = .phases(
      Row.Phases(
        seconds: machine.phases.map { $0.duration / .seconds(1) }, current: numbers.current,
        count: count, part: part, role: role, state: timer.state))
  }
}

extension Row.Plan {
  fileprivate init(of timer: BoardTimer, in context: RowContext) {
    due = context.dueText(of: timer)
    isOnce = timer.machine.mode == .once
    (endText, nextChange) = Self.end(of: timer, in: context)
    if let endText {
      text = endText
    } else if let plan = timer.planUnlessEndTime {
      (text, countText) = (plan, timer.machine.laps.isEmpty ? timer.countText : nil)
    } else {
      let words = timer.state == .paused ? "would ring at" : "rings at"
      text = context.endText(of: timer).map { "\(words) \($0)" } ?? ""
      // The time at which a paused timer would ring moves with each minute.
      if timer.state != .running {
        nextChange = timer.machine.pausedTimeLeft.map { context.nextMinute(after: $0) }
      }
    }
  }

  /// Returns when a timer that has finished did so, and when that text changes: the time while its alert stands, and then
  /// how long ago, in minutes or days, so that an unattended screen is rarely redrawn.
  private static func end(
    of timer: BoardTimer, in context: RowContext
  ) -> (text: String?, nextChange: TimerClock.Instant?) {
    guard timer.state == .finished, let fired = timer.lastFire(at: context.now),
      let time = timer.lastFireTime
    else { return (nil, nil) }
    if timer.needsAttention { return ("rang at \(context.timeOfDay(of: time))", nil) }
    let age = fired.duration(to: context.now.suspending)
    let unit = age < .hours(24) ? Duration.seconds(60) : .hours(24)
    let count = Int(max(0, age / unit))
    return (
      count == 0 ? "done just now" : "done \(DurationText.text(unit * count)) ago",
      fired.advanced(by: unit * (count + 1))
    )
  }
}

extension Row.Alert {
  fileprivate init?(of timer: BoardTimer, in context: RowContext) {
    guard let alert = timer.alert else { return nil }
    countsOvertime = timer.countsOvertime
    text =
      switch alert.cause {
      case .standsReady: (timer.machine.phaseName.map { "\($0) " } ?? "") + "ready"
      case .fired, .finished:
        "rang" + (timer.lastFireTime.map { " at \(context.timeOfDay(of: $0))" } ?? "")
      }
  }
}

extension BoardTimer {
  /// Returns true if the digits or the bar can change at the next display step. Those of an overdue timer do not.
  func isMoving(at step: ClockReading) -> Bool {
    if let alert, countsOvertime {
      return alert.since.advanced(by: Overtime.limit) >= step.continuous
    }
    guard state == .running else { return false }
    return machine.origin != nil || machine.deadline.map { step.duration(to: $0) >= .zero } ?? false
  }
}
