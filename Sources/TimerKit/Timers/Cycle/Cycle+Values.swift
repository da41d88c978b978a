extension Cycle {
  /// What it shows: see ``Repeater/State``.
  public typealias State = Repeater.State
  /// What handlers are given.
  public typealias Delivery = Tick

  /// What a cycle goes through in each round.
  public struct Phase: Sendable, Hashable, Codable {
    /// Its name: it is shown, and need not be unique.
    public var name: String
    /// How long it takes; longer than zero.
    public var duration: Duration

    /// A phase of that name and length.
    public init(_ name: String, _ duration: Duration) {
      self.name = name
      self.duration = duration
    }
  }

  /// One phase of one round.
  public struct Stage: Sendable, Hashable {
    /// Its name and length.
    public var phase: Phase
    /// Which of the phases it is, from 0.
    public var index: Int
    /// Which round it belongs to, from 1.
    public var round: Int

    /// Made by hand, for a test or a demonstration.
    public init(phase: Phase, index: Int, round: Int) {
      self.phase = phase
      self.index = index
      self.round = round
    }
  }

  /// One delivery: a stage has ended and, but at the very end, another has begun.
  public struct Tick: Sendable, Hashable {
    /// The stage that ended: the one that the tick before this one said had begun.
    public var ended: Stage
    /// The stage that runs now; `nil` if that was the last one.
    public var begun: Stage?
    /// The rounds that are not over, the one of `begun` included; `nil` for an endless cycle.
    public var remainingRounds: Int?
    /// The stages between the two that began and ended while the timer was late.
    public var missed: Int
    /// The generation it was delivered for: see ``Cycle/isCurrent(_:)``.
    public var generation: UInt64
    /// When `ended` was due to end, or ``Cycle/skip()`` was called, on the timer's timeline.
    public var scheduled: TimerClock.Instant
    /// How much later than `scheduled` it was delivered; zero for a skip.
    public var lateness: Duration
    /// Asked for by ``Cycle/skip()``, not by the clock.
    public var isManual: Bool

    /// Made by hand, for a test or a demonstration.
    public init(
      ended: Stage, begun: Stage?, remainingRounds: Int?, missed: Int, generation: UInt64,
      scheduled: TimerClock.Instant, lateness: Duration, isManual: Bool
    ) {
      self.ended = ended
      self.begun = begun
      self.remainingRounds = remainingRounds
      self.missed = missed
      self.generation = generation
      self.scheduled = scheduled
      self.lateness = lateness
      self.isManual = isManual
    }

    /// The round that goes on: that of `begun`, or at the very end that of `ended`.
    public var round: Int { (begun ?? ended).round }

    /// The last one of its run.
    public var isLast: Bool { begun == nil }
  }

  /// Everything there is to know about a cycle at one moment: one consistent value.
  public struct Snapshot: Sendable, Hashable {
    /// Whether it is idle, running, paused, finished or cancelled.
    public var runPhase: Repeater.Phase
    /// A delivery is committed and its handlers have not returned yet.
    public var isExecuting: Bool
    /// What it goes through in each round.
    public var phases: [Phase]
    /// The rounds of a whole run; `nil` where there is no end.
    public var rounds: Int?
    /// Whether the last phase of the last round takes place.
    public var includesFinalRest: Bool
    /// How much later than its time a tick may be.
    public var tolerance: Duration
    /// The clock it follows.
    public var clock: TimerClock.Kind
    /// The stage that runs, or is to run; `nil` when it is finished.
    public var stage: Stage?
    /// Its number in the run, from 0; that of all stages when it is finished.
    public var stageNumber: Int
    /// The rounds that are not over; `nil` for an endless cycle.
    public var remainingRounds: Int?
    /// When the stage ends, on the timer's timeline; `nil` unless it is running.
    public var deadline: TimerClock.Instant?
    /// What was left of the stage when it was paused; `nil` unless it is paused.
    public var frozenTimeLeft: Duration?
    /// Counts the controls that changed the schedule: see ``Cycle/isCurrent(_:)``.
    public var generation: UInt64
    /// Deliveries since the timer was made, skips included.
    public var deliveredCount: Int
    /// Stages that went by unannounced because the timer was late.
    public var missedCount: Int
    /// Alarms and skips that were refused because something had superseded them.
    public var staleCount: Int
    /// Stages that ended before the timer was restored: see ``RestorePolicy/catchUp``.
    public var elapsedWhileStoppedCount: Int
    /// The newest delivery, if there was one.
    public var lastTick: Tick?

    /// Made by hand, for a test or a demonstration.
    public init(
      runPhase: Repeater.Phase, isExecuting: Bool = false, phases: [Phase], rounds: Int?,
      includesFinalRest: Bool = false, tolerance: Duration = .zero, clock: TimerClock.Kind = .uptime,
      stage: Stage?, stageNumber: Int, remainingRounds: Int?, deadline: TimerClock.Instant? = nil,
      frozenTimeLeft: Duration? = nil, generation: UInt64 = 0, deliveredCount: Int = 0,
      missedCount: Int = 0, staleCount: Int = 0, elapsedWhileStoppedCount: Int = 0, lastTick: Tick? = nil
    ) {
      self.runPhase = runPhase
      self.isExecuting = isExecuting
      self.phases = phases
      self.rounds = rounds
      self.includesFinalRest = includesFinalRest
      self.tolerance = tolerance
      self.clock = clock
      self.stage = stage
      self.stageNumber = stageNumber
      self.remainingRounds = remainingRounds
      self.deadline = deadline
      self.frozenTimeLeft = frozenTimeLeft
      self.generation = generation
      self.deliveredCount = deliveredCount
      self.missedCount = missedCount
      self.staleCount = staleCount
      self.elapsedWhileStoppedCount = elapsedWhileStoppedCount
      self.lastTick = lastTick
    }

    /// What the cycle shows.
    public var state: State { runPhase.shown(whileExecuting: isExecuting) }

    /// The time until the stage ends, frozen while paused, zero when it is due; `nil` where none
    /// runs.
    public func timeLeft(at now: TimerClock.Instant) -> Duration? {
      if let deadline { return max(.zero, now.duration(to: deadline)) }
      return frozenTimeLeft
    }

    /// What undo and the session file keep of it, as of a moment on the timer's timeline.
    /// - Parameters:
    ///   - now: that moment.
    ///   - wall: the wall clock then, in nanoseconds since 1970 UTC.
    public func checkpoint(at now: TimerClock.Instant, takenAt wall: TimerClock.Instant) -> Checkpoint {
      Checkpoint(
        phases: phases, rounds: rounds, includesFinalRest: includesFinalRest, tolerance: tolerance,
        clock: clock, runPhase: runPhase, stageNumber: stageNumber, timeLeft: timeLeft(at: now),
        takenAt: wall)
    }
  }

  /// What is needed to make a cycle again as it was: see
  /// ``Cycle/init(restoring:_:on:queue:handler:)``.
  public struct Checkpoint: Sendable, Hashable, Codable {
    /// What it goes through in each round.
    public var phases: [Phase]
    /// The rounds of a whole run; `nil` where there is no end.
    public var rounds: Int?
    /// Whether the last phase of the last round takes place.
    public var includesFinalRest: Bool
    /// How much later than its time a tick may be.
    public var tolerance: Duration
    /// The clock it followed.
    public var clock: TimerClock.Kind
    /// Whether it was idle, running, paused, finished or cancelled.
    public var runPhase: Repeater.Phase
    /// The number of the stage in the run, from 0.
    public var stageNumber: Int
    /// What was left of that stage; `nil` where none ran.
    public var timeLeft: Duration?
    /// The wall clock when it was taken, in nanoseconds since 1970 UTC.
    public var takenAt: TimerClock.Instant

    /// Made by hand, for a test or a demonstration.
    public init(
      phases: [Phase], rounds: Int?, includesFinalRest: Bool = false, tolerance: Duration = .zero,
      clock: TimerClock.Kind = .uptime, runPhase: Repeater.Phase, stageNumber: Int, timeLeft: Duration?,
      takenAt: TimerClock.Instant
    ) {
      self.phases = phases
      self.rounds = rounds
      self.includesFinalRest = includesFinalRest
      self.tolerance = tolerance
      self.clock = clock
      self.runPhase = runPhase
      self.stageNumber = stageNumber
      self.timeLeft = timeLeft
      self.takenAt = takenAt
    }
  }
}
