import TimerKit

/// A source of numbers that differ from those of other processes by their seeds.
struct RunIDs: Hashable, Sendable {
  private var seed: UInt64
  private var count: UInt64 = 0

  init(seed: UInt64) {
    self.seed = seed
  }

  mutating func next() -> UInt64 {
    count += 1
    // SplitMix64, which maps different numbers to different ones.
    var mixed = seed &+ count &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// The runs of the timers, for the history. Every change of a machine passes through `followRun`.
extension Board {
  /// The minimum active time of a recorded run that has not finished.
  private static let minimumRun = Duration.seconds(1)

  /// Opens, continues or ends the run of a timer whose machine may have changed.
  /// - Parameters:
  ///   - fire: The fire that led to the state.
  ///   - command: The command that has changed the state.
  ///   - isEdited: True if the machine was replaced by an edit.
  mutating func followRun(
    ofTimerAt position: Int, fire: Fire? = nil, command: TimerCommand? = nil,
    isEdited: Bool = false, at now: ClockReading
  ) {
    let (machine, run) = (timers.all[position].machine, timers.all[position].settings.run)
    guard machine.runKind != nil else {
      // An edit may have changed the kind.
      return endRun(ofTimerAt: position, .edited, at: now)
    }
    let now = fire.map { now.moved(to: $0, of: machine) } ?? now
    if var run {
      let isRestarted = if case .reset? = command { true } else { isEdited }
      if let fire { run.add(fire) }
      if machine.isInRun, machine.runNumber == run.number, !isRestarted {
        run.setPaused(machine.state == .paused, at: now)
        timers.change(at: position) { $0.setRun(run) }
        return
      }
      timers.change(at: position) { $0.setRun(run) }
      let ending: StretchRecord.Ending =
        switch command {
        case _ where isEdited: .edited
        case .skip?: .skipped
        case .reset?: .reset
        default: machine.state == .idle ? .reset : .finished
        }
      endRun(ofTimerAt: position, ending, at: now)
    }
    guard machine.state == .running else { return }
    let new = Run(runIDs.next(), of: machine, at: now)
    timers.change(at: position) { $0.setRun(new) }
  }

  /// Ends the run of a timer and records it. A run that ends unfinished, with less than a second of active time, is not
  /// recorded.
  mutating func endRun(
    ofTimerAt position: Int, _ ending: StretchRecord.Ending, at now: ClockReading
  ) {
    guard let run = timers.all[position].settings.run else { return }
    let timer = timers[position]
    record(run, of: timer, ending, at: now)
    // These endings cause a fire, which runs the command.
    let runsCommand = timer.hasCommand && (ending == .finished || ending == .skipped)
    let awaitsResult = runsCommand || timer.commandState.isRunning
    timers.change(at: position) { timer in
      timer.setRun(nil)
      timer.setRunAwaitingResult(awaitsResult ? run.id : nil)
    }
  }

  mutating func record(
    _ run: Run, of timer: BoardTimer, _ ending: StretchRecord.Ending, at now: ClockReading
  ) {
    let kind = timer.machine.runKind ?? .once
    let record = run.record(of: timer, kind, ending, at: now)
    guard ending == .finished || record.activeTime >= Self.minimumRun.milliseconds else { return }
    change.history.append(.record(record))
  }

  /// Adds the result of a command to the run that it belongs to.
  mutating func addToRun(_ result: CommandResult, ofTimerAt position: Int) {
    if let ended = timers.all[position].facts.runAwaitingResult {
      timers.change(at: position) { $0.setRunAwaitingResult(nil) }
      addResult(result, to: ended)
    } else if var run = timers.all[position].settings.run {
      run.setResult(CommandResult(result.ending).text())
      timers.change(at: position) { $0.setRun(run) }
    }
  }

  /// Adds the result of a command to a run that is recorded.
  mutating func addResult(_ result: CommandResult, to run: UInt64) {
    change.history.append(.result(CommandResult(result.ending).text(), of: run))
  }

  /// Ends all runs, because the process ends without saving the timers.
  package mutating func endRuns(at now: ClockReading) -> Change {
    for position in 0..<timers.count { endRun(ofTimerAt: position, .ended, at: now) }
    return takeChange()
  }
}

extension ClockReading {
  /// Returns the reading at the time of a fire. The next phase of a cycle begins when the fire is due, everything else
  /// ends when it is delivered.
  fileprivate func moved(to fire: Fire, of machine: TimerMachine) -> ClockReading {
    guard let due = fire.due, let lateness = fire.lateness else { return self }
    let time = duration(to: due) + (machine.phases.isEmpty ? lateness : .zero)
    return time < .zero ? moved(by: time) : self
  }
}
