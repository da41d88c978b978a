extension Stopwatch {
  /// The time from the start of the run, or from the previous lap, to a call of ``Stopwatch/lap()``, excluding pauses.
  public struct Lap: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The number of the lap, from 1.
    public var number: Int
    /// The duration of the lap.
    public var time: Duration
    /// The elapsed time of the stopwatch at the end of the lap.
    public var total: Duration

    /// Creates a lap from its values, for a test or a preview.
    public init(number: Int, time: Duration, total: Duration) {
      self.number = number
      self.time = time
      self.total = total
    }

    /// A description for logs: `lap 2, 1.5 seconds, 4.0 seconds in total`.
    public var description: String { "lap \(number), \(time), \(total) in total" }
  }

  /// The value that handlers receive.
  public enum Delivery: Sendable, Hashable {
    /// A lap was taken.
    case lap(Lap)
    /// The alarm fired: `at` is the elapsed time to which it was set, `lateness` the time by which it was late.
    case alarm(at: Duration, lateness: Duration)
  }

  /// The state of a stopwatch at one moment, in one consistent value.
  public struct Snapshot: Sendable, Hashable {
    /// The state, which is never ``TimerState/finished``.
    public var state: TimerState
    /// The kind of clock it follows.
    public var clock: TimerClock.Kind
    /// The instant from which the elapsed time counts, moved forward by the pauses, on the timer's clock; `nil`
    /// unless it is running.
    public var origin: TimerClock.Instant?
    /// The elapsed time, excluding pauses; `nil` while it is running.
    public var elapsedWhenStopped: Duration?
    /// The laps of this run.
    public var laps: [Lap]
    /// The elapsed time at which the alarm fires; `nil` if there is none.
    public var alarmTime: Duration?
    /// True if the alarm has fired in this run, or its time passed before the stopwatch was restored: see
    /// ``RestorePolicy/catchUp``. It does not fire again before a reset or a new alarm.
    public var alarmHasFired: Bool
    /// The number of controls that changed the origin or the alarm.
    public var generation: UInt64
    /// The number of laps and alarms that were delivered since the stopwatch was created.
    public var deliveredCount: Int
    /// The number of laps and alarms that were rejected because a control had superseded them.
    public var staleCount: Int
    /// The number of alarms whose time passed between the checkpoint and the restoration: see
    /// ``RestorePolicy/catchUp``.
    public var deadlinesPassedBeforeRestore: Int

    /// Creates a snapshot from its values, for a test or a preview.
    public init(
      state: TimerState, clock: TimerClock.Kind = .suspending, origin: TimerClock.Instant? = nil,
      elapsedWhenStopped: Duration? = nil, laps: [Lap] = [], alarmTime: Duration? = nil,
      alarmHasFired: Bool = false, generation: UInt64 = 0, deliveredCount: Int = 0,
      staleCount: Int = 0, deadlinesPassedBeforeRestore: Int = 0
    ) {
      self.state = state
      self.clock = clock
      self.origin = origin
      self.elapsedWhenStopped = elapsedWhenStopped
      self.laps = laps
      self.alarmTime = alarmTime
      self.alarmHasFired = alarmHasFired
      self.generation = generation
      self.deliveredCount = deliveredCount
      self.staleCount = staleCount
      self.deadlinesPassedBeforeRestore = deadlinesPassedBeforeRestore
    }

    /// Returns the elapsed time, excluding pauses.
    /// - Parameter now: the current time of the timer's clock.
    public func elapsed(at now: TimerClock.Instant) -> Duration {
      if let origin { return max(.zero, origin.duration(to: now)) }
      return elapsedWhenStopped ?? .zero
    }

    /// Returns the time since the end of the last lap, excluding pauses.
    /// - Parameter now: the current time of the timer's clock.
    public func lapTime(at now: TimerClock.Instant) -> Duration {
      max(.zero, elapsed(at: now).subtractingSaturated(laps.last?.total ?? .zero))
    }

    /// Returns the time for which the stopwatch must run until the alarm; zero if the alarm is due, `nil` if there is
    /// none, or if ``alarmHasFired`` is true.
    /// - Parameter now: the current time of the timer's clock.
    public func timeLeft(at now: TimerClock.Instant) -> Duration? {
      guard let alarmTime, !alarmHasFired else { return nil }
      return max(.zero, alarmTime.subtractingSaturated(elapsed(at: now)))
    }

    /// Returns a checkpoint of the stopwatch.
    /// - Parameters:
    ///   - now: the current time of the timer's clock.
    ///   - wall: the current date and time.
    public func checkpoint(at now: TimerClock.Instant, wall: WallInstant) -> Checkpoint {
      Checkpoint(
        state: state, elapsed: elapsed(at: now), laps: laps, alarmTime: alarmTime,
        alarmHasFired: alarmHasFired, clock: clock, takenAt: wall)
    }
  }

  /// The values from which a stopwatch can be restored, also in another process.
  public struct Checkpoint: Sendable, Hashable, Codable {
    /// The state. Unless it is idle, running or paused, restoring the stopwatch throws
    /// ``RestoreError/invalidState(_:)``.
    public var state: TimerState
    /// The elapsed time, excluding pauses.
    public var elapsed: Duration
    /// The laps of the run.
    public var laps: [Lap]
    /// The elapsed time at which the alarm fires; `nil` if there is none.
    public var alarmTime: Duration?
    /// True if the alarm had fired in the run, or its time had passed: see ``catchUp(to:)``.
    public var alarmHasFired: Bool
    /// The kind of clock it followed.
    public var clock: TimerClock.Kind
    /// The date and time at which the checkpoint was taken.
    public var takenAt: WallInstant

    /// Creates a checkpoint from its values.
    public init(
      state: TimerState, elapsed: Duration, laps: [Lap] = [], alarmTime: Duration? = nil,
      alarmHasFired: Bool = false, clock: TimerClock.Kind = .suspending, takenAt: WallInstant
    ) {
      self.state = state
      self.elapsed = elapsed
      self.laps = laps
      self.alarmTime = alarmTime
      self.alarmHasFired = alarmHasFired
      self.clock = clock
      self.takenAt = takenAt
    }

    /// Advances the checkpoint of a running stopwatch from ``takenAt`` to `wall`. For a stopwatch that was not
    /// running, only ``takenAt`` changes.
    /// - Returns: the number of alarms whose time passed: 0 or 1.
    @discardableResult
    public mutating func catchUp(to wall: WallInstant) -> Int {
      let passed = max(0, takenAt.duration(to: wall).clampedNanoseconds)
      takenAt = max(takenAt, wall)
      guard state == .running else { return 0 }
      var machine = StopwatchStateMachine()
      machine.restore(self, at: 0)
      let alarms = machine.catchUp(to: passed, leaving: 0)
      elapsed = .nanoseconds(machine.elapsed(at: passed))
      alarmHasFired = machine.alarmHasFired
      return alarms
    }

    /// Returns the checkpoint after validating its values, which may come from a file. The times of laps are clamped to
    /// the range of a clock, and an elapsed time that is less than the total of the last lap is raised to it.
    func checked() throws(RestoreError) -> Self {
      if state.isOver { throw .invalidState(state) }
      guard elapsed >= .zero else { throw .invalidElapsedTime(elapsed) }
      do throws(TimerConfigurationError) {
        _ = try alarmTime?.checked(.alarmTime)
      } catch {
        throw .configuration(error)
      }
      var checked = self
      for index in laps.indices {
        checked.laps[index].time = .nanoseconds(laps[index].time.clampedNanoseconds)
        checked.laps[index].total = .nanoseconds(laps[index].total.clampedNanoseconds)
      }
      checked.elapsed = max(elapsed, checked.laps.last?.total ?? .zero)
      return checked
    }
  }
}
