package import TimerKit

/// The timers of a file, each as it was at the time of the save.
package struct RestoredBoard: Hashable, Sendable {
  package private(set) var timers: [BoardTimer] = []
  /// The timers that TimerKit cannot make, as reports.
  private(set) var problems: [Report] = []
  let log: [SavedLogEntry]
  let isMuted: Bool
  /// The reading of the save, on the clocks of this boot.
  let savedAt: ClockReading

  /// Restores the timers after checking each of them.
  /// - Parameters:
  ///   - savedAt: The reading of the save, on the clocks of this boot.
  ///   - seed: The seed of random delays.
  package init(
    _ board: SavedBoard, savedAt: ClockReading, seed: UInt64 = 0
  ) throws(SavedFieldError) {
    log = board.log
    isMuted = board.isMuted
    self.savedAt = savedAt
    var seeds = RunIDs(seed: seed)
    // An identifier that is used twice, or that would be followed by no larger one, is replaced.
    var used: Set<TimerID> = []
    var last = board.timers.lazy.map(\.id.rawValue).filter(TimerID.range.contains).max() ?? 0
    timers.reserveCapacity(board.timers.count)
    for var fields in board.timers {
      if !TimerID.range.contains(fields.id.rawValue) || !used.insert(fields.id).inserted {
        last += 1
        fields.id = TimerID(last)
      }
      do throws(SavedFieldError) {
        timers.append(try BoardTimer(fields, savedAt: savedAt, seed: seeds.next()))
      } catch {
        guard error.isOfTimer else { throw error }
        problems.append(
          Report(label: fields.timer, text: error.description, isFailure: true))
      }
    }
  }
}

extension SavedBoard {
  /// Returns the errors of the timers, each checked separately.
  package func errors(at savedAt: WallInstant) -> [SavedFieldError] {
    let savedAt = ClockReading(wall: savedAt)
    return timers.compactMap { fields in
      do throws(SavedFieldError) {
        _ = try BoardTimer(fields, savedAt: savedAt)
        return nil
      } catch {
        return error
      }
    }
  }
}

extension BoardTimer {
  /// Restores a timer from the fields of a file, which are checked, as it was at the time of the save.
  init(
    _ fields: SavedFields, savedAt: ClockReading, seed: UInt64 = 0
  ) throws(SavedFieldError) {
    var fields = fields
    // No timer is saved in that state.
    if fields.state == .cancelled { fields.state = .idle }
    var spec: TimerSpec
    do throws(TimerSyntaxError) {
      // Each timer by itself: words of two are never one.
      spec = try TimerSpec.parse(timer: fields.timer, in: .trusted)
    } catch {
      throw SavedFieldError(error.description)
    }
    let isStopped = fields.state == .paused || fields.state == .idle
    spec.isPaused = isStopped && spec.accepts("paused")
    let machine: TimerMachine
    do throws(SavedFieldError) {
      machine = try spec.kind.family.restore(fields, of: spec, seed: seed, at: savedAt)
    } catch {
      var error = error
      if !error.isOfTimer { error.description = "timer '\(fields.timer)': \(error.description)" }
      throw error
    }
    var settings = Settings(requested: spec, machine: machine)
    settings.chain = fields.chain
    settings.isPausedTogether = fields.isPausedTogether && machine.state == .paused
    settings.run = fields.run?.restored(on: spec.clock, at: savedAt)
    let overtime = fields.over.map(Duration.init(savedSeconds:))
    if fields.hasAlert {
      let cause: TimerAlert.Cause =
        machine.state == .finished ? .finished : fields.standsReady ? .standsReady : .fired
      settings.alert = TimerAlert(
        cause: cause, since: savedAt.continuous - (overtime ?? .zero), isRinging: false)
    } else {
      settings.stoppedOvertime = overtime
    }
    self.init(
      id: fields.id, settings,
      counts: FireCounts(delivered: max(0, fields.fired), missed: max(0, fields.missed)),
      at: savedAt)
  }
}
