import TimerKit

// The stretches of the board's timers. All changes of a timer's status pass through `trackStretch`.

/// The stretches that are open, and the lines of the history that have not been taken.
struct StretchTracker: Hashable, Sendable {
  var open: [TimerID: OpenStretch] = [:]
  /// The recorded stretches whose last command runs or is about to run.
  var awaitingResult: [TimerID: UInt64] = [:]
  /// The newest generation of each timer. An event that is older than a control is stale.
  var generations: [TimerID: UInt64] = [:]
  var lines: [HistoryLine] = []
  private var seed: UInt64
  private var count: UInt64 = 0

  init(seed: UInt64) {
    self.seed = seed
  }

  /// Removes a timer.
  /// - Parameter keepsAwaitedResult: True if the result of a command still belongs to the last stretch.
  mutating func forget(_ id: TimerID, keepsAwaitedResult: Bool = false) {
    open[id] = nil
    if !keepsAwaitedResult { awaitingResult[id] = nil }
    generations[id] = nil
  }

  /// Makes an identifier, which differs from those of other processes by their seeds.
  mutating func makeID() -> UInt64 {
    count += 1
    // SplitMix64, which maps different numbers to different ones.
    var mixed = seed &+ count &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension Board {
  /// The minimum active time of a recorded stretch that has not finished.
  private static let minimumStretch = Duration.seconds(1)

  /// Returns the lines of the history since the last call.
  package mutating func takeHistory() -> [HistoryLine] { exchange(&stretches.lines, with: []) }

  /// Ends all stretches, because the process ends without saving the timers.
  package mutating func endStretches(at now: ClockReading) {
    for timer in timers.all { endStretch(of: timer, .ended, at: now) }
  }

  /// Updates the board for new live timers, whose generations and counts begin at zero.
  package mutating func resetForRecreatedTimers() {
    stretches.generations = [:]
    for index in 0..<timers.count { timers.change(at: index) { $0.keepCounts() } }
  }

  /// Opens, continues or ends the stretch of a timer whose status may have changed.
  /// - Parameters:
  ///   - fire: The fire that led to the status.
  ///   - command: The command that has changed the status.
  ///   - isEdited: True if the live timer was recreated by an edit.
  mutating func trackStretch(
    ofTimerAt position: Int, fire: Fire? = nil, command: TimerCommand? = nil,
    isEdited: Bool = false, at now: ClockReading
  ) {
    // Most calls need only these two values, so the whole timer is not copied.
    let (id, status) = (timers.all[position].id, timers.all[position].status)
    guard let segment = StretchSegment(status, at: now) else {
      // An edit may have changed the kind.
      return endStretch(of: timers.all[position], .edited, at: now)
    }
    guard segment.generation >= stretches.generations[id] ?? 0 else {
      if let fire { stretches.open[id]?.add(fire) }
      return
    }
    stretches.generations[id] = segment.generation
    let now = fire.map { now.moved(to: $0, of: status) } ?? now
    if var stretch = stretches.open[id] {
      let isRestarted = if case .reset? = command { true } else { isEdited }
      if segment.isActive, segment.stretch.number == stretch.number, !isRestarted {
        if let fire { stretch.add(fire) }
        stretch.setPaused(segment.isPaused, at: now)
        stretches.open[id] = stretch
        return
      }
      // The fire that ends the stretch follows.
      if fire == nil, command == nil, !isEdited, status.isExecuting { return }
      if let fire { stretches.open[id]?.add(fire) }
      let wasReset = status.state == .idle || status.state == .cancelled
      let ending: StretchRecord.Ending =
        switch command {
        case _ where isEdited: .edited
        case .skip?: .skipped
        case .reset?: .reset
        default: wasReset ? .reset : .finished
        }
      endStretch(of: timers.all[position], ending, at: now)
    }
    guard segment.isActive, !segment.isPaused else { return }
    stretches.open[id] = OpenStretch(stretches.makeID(), segment, at: now)
  }

  /// Ends the stretch of a timer and records it. A stretch that ends unfinished, with less than a second of active
  /// time, is not recorded.
  mutating func endStretch(
    of timer: BoardTimer, _ ending: StretchRecord.Ending, at now: ClockReading
  ) {
    guard let stretch = stretches.open.removeValue(forKey: timer.id) else { return }
    let kind = StretchSegment(timer.status, at: now)?.kind ?? .once
    record(stretch, of: timer, kind, ending, at: now)
    // These endings cause a fire, which runs the command.
    let runsCommand = timer.hasCommand && (ending == .finished || ending == .skipped)
    let awaitsResult = runsCommand || timer.commandState.isRunning
    stretches.awaitingResult[timer.id] = awaitsResult ? stretch.id : nil
  }

  private mutating func record(
    _ stretch: OpenStretch, of timer: BoardTimer, _ kind: StretchRecord.Kind,
    _ ending: StretchRecord.Ending, at now: ClockReading
  ) {
    let record = stretch.record(of: timer, kind, ending, at: now)
    guard ending == .finished || record.activeTime >= Self.minimumStretch.milliseconds else {
      return
    }
    stretches.lines.append(.record(record))
  }

  /// Adds the result of a command to the stretch that it belongs to.
  mutating func addToStretch(_ result: CommandResult, of id: TimerID) {
    let text = CommandResult(result.ending).text()
    if let ended = stretches.awaitingResult.removeValue(forKey: id) {
      stretches.lines.append(.result(text, of: ended))
    } else {
      stretches.open[id]?.setResult(text)
    }
  }

  /// Continues the stretch that a timer had before a step, because the step was undone.
  /// - Parameters:
  ///   - countsGap: True if the timer has continued since the step, so that the time counts.
  ///   - fires: The number of fires since the step, which undo does not revoke.
  mutating func continueStretch(
    _ before: SavedStretch?, of id: TimerID, countsGap: Bool, fires: Int, at now: ClockReading
  ) {
    guard let before, let timer = timers[id] else { return }
    stretches.generations[id] = nil
    // What has ended without the step, too, is recorded.
    guard let segment = StretchSegment(timer.status, at: now), segment.isActive,
      segment.stretch.number == before.number
    else { return }
    var stretch = OpenStretch(before, on: timer.status.clock, countsGap: countsGap, at: now)
    stretch.addFires(fires)
    if let open = stretches.open[id], open.id == stretch.id {
      if !open.hasSamePauses(as: stretch) { stretches.open[id] = stretch }
      return
    }
    stretches.lines.append(.revocation(of: stretch.id))
    stretches.awaitingResult[id] = nil
    // A new identifier, because the old one is revoked.
    stretch.setID(stretches.makeID())
    if timer.status.state == .running { stretch.setPaused(false, at: now) }
    stretches.open[id] = stretch
  }

  // MARK: Saved sessions

  /// Continues the stretch of a restored timer, or records the stretch if it ended while no process ran the timer.
  /// - Parameters:
  ///   - saved: The timer as it was saved.
  ///   - fires: The number of fires that were due in the meantime.
  mutating func restoreStretch(
    of saved: SavedTimer, fires: Int, countsGap: Bool, ofTimerAt position: Int, at now: ClockReading
  ) {
    let id = timers.all[position].id
    guard let segment = StretchSegment(timers.all[position].status, at: now) else { return }
    if let before = saved.stretch {
      let segmentEnd = saved.segmentEnd(by: now.wall)
      let isRestarted = countsGap && fires > 0 && segmentEnd != nil
      let continues = segment.isActive && segment.stretch.number == before.number && !isRestarted
      var end = now
      if !continues { end.wall = min(now.wall, segmentEnd ?? now.wall) }
      var stretch = OpenStretch(before, on: segment.clock, countsGap: countsGap, at: end)
      stretch.addFires(fires)
      if continues {
        stretches.open[id] = stretch
        return
      }
      record(stretch, of: timers.all[position], segment.kind, .finished, at: end)
    }
    guard segment.isActive, !segment.isPaused else { return }
    stretches.open[id] = OpenStretch(
      stretches.makeID(), segment, activeTime: segment.elapsed, at: now)
  }
}

extension SavedTimer {
  /// Returns the instant at which the run, or the phase of a cycle, ends if that is by `now`; otherwise `nil`.
  fileprivate func segmentEnd(by now: WallInstant) -> WallInstant? {
    guard case .cycle(let cycle) = checkpoint else { return end(by: now) }
    guard cycle.state == .running, let left = cycle.timeLeft else { return nil }
    let end = cycle.takenAt.advanced(by: left)
    return end <= now ? end : nil
  }
}

extension ClockReading {
  /// Returns the reading at the time of a fire. The next phase of a cycle begins when the fire is due, everything else
  /// ends when it is delivered.
  fileprivate func moved(to fire: Fire, of status: TimerStatus) -> ClockReading {
    guard let due = fire.due, let lateness = fire.lateness else { return self }
    let reading = self[status.clock]
    let (nanoseconds, overflow) = due.nanoseconds.subtractingReportingOverflow(reading.nanoseconds)
    // Instants of two clocks are never equal.
    guard !overflow, reading.advanced(by: .nanoseconds(nanoseconds)) == due else { return self }
    let time = .nanoseconds(nanoseconds) + (status.phases.isEmpty ? lateness : .zero)
    return time < .zero ? moved(to: suspending.advanced(by: time)) : self
  }
}
