import Dispatch
import TimerKit

/// The settings of a timer, by its family. A family is a kind of TimerKit, or several that are used alike;
/// its settings, status, checkpoint and live timer stand in one file, and ``TimerSpec/Kind``,
/// ``TimerStatus`` and ``TimerCheckpoint`` lead to them.
protocol TimerFamily {
  /// The word that begins the timer in the grammar.
  var keyword: Keyword { get }
  /// The settings in the words of the grammar, which read back as them: `every 45s x8`.
  var text: String { get }
  /// The settings as a board shows them: `every 45s ×8`.
  var label: String { get }
  /// The number of fires in a run; `nil` without an end, or without runs.
  var fireCount: Int? { get }
  /// Returns the kind with another count; `nil` for a kind that has none.
  var withCount: ((Int) -> TimerSpec.Kind)? { get }

  /// Returns a Boolean value that indicates whether a word of the grammar applies.
  func accepts(_ keyword: Keyword) -> Bool

  /// Returns the checkpoint of a timer that begins now: it runs, unless it is to be paused.
  func start(of spec: TimerSpec, at now: ClockReading) -> TimerCheckpoint

  /// Creates the live timer, idle. The board follows it by its events, so its handler does nothing.
  func makeTimer(
    _ spec: TimerSpec, on clocks: TimerEnvironment
  ) throws(TimerConfigurationError) -> any LiveTimer

  /// Restores the live timer; `nil` for a checkpoint that keeps no time or is of another family.
  func restoreTimer(
    from checkpoint: TimerCheckpoint, on clocks: TimerEnvironment
  ) throws(RestoreError) -> (any LiveTimer)?
}

extension TimerFamily {
  var withCount: ((Int) -> TimerSpec.Kind)? { nil }

  func restoreTimer(
    from checkpoint: TimerCheckpoint, on clocks: TimerEnvironment
  ) throws(RestoreError) -> (any LiveTimer)? { nil }
}

/// The clocks and the queue of live timers.
struct TimerEnvironment {
  var clock: TimerClock
  var wall: TimerClock
  var queue: DispatchQueue?
}

/// The status of a timer, by its family: the snapshot that TimerKit takes of it.
protocol FamilyStatus {
  var facts: TimerFacts { get }
  /// The longest time that it shows until its next event.
  var longestTime: Duration { get }
  /// A Boolean value that indicates whether the timer runs and can be paused.
  var canPause: Bool { get }

  /// Returns the command that an action means to the timer as it is.
  func command(
    for action: TimerAction, to id: TimerID, at now: ClockReading
  ) throws(TimerRefusal) -> TimerCommand

  /// - Parameter usualInterval: the interval, if failures of the timer's command have let it grow.
  func checkpoint(at now: ClockReading, usualInterval: Duration?) -> TimerCheckpoint

  /// Changes a specification to the settings in force, which a command can have changed.
  func update(_ spec: inout TimerSpec, usualInterval: Duration?)
}

extension FamilyStatus {
  var longestTime: Duration { .zero }
  var canPause: Bool { facts.state == .running }

  func update(_ spec: inout TimerSpec, usualInterval: Duration?) {
    spec.isPaused = facts.state == .paused || facts.state == .idle
  }
}

/// The facts of a status that all families share.
struct TimerFacts {
  var state: TimerState
  var isExecuting = false
  var clock: TimerClock.Kind
  var deadline: TimerClock.Instant?
  var frozenTimeLeft: Duration?
  var period: Duration?
  var iterations = TimerStatus.Iterations.none
  /// The name and the index of a cycle's phase.
  var phase: (name: String, index: Int)?
  var deliveredCount: Int
  var missedCount: Int?
  var staleCount: Int
}

/// A checkpoint, by its family.
protocol FamilyCheckpoint {
  var state: TimerState { get }
  var takenAt: WallInstant { get set }
  /// A Boolean value that indicates whether the timer follows the time of day, whatever other timers do.
  var isBoundToDates: Bool { get }
  /// The time that a stopwatch has counted; `nil` for other families.
  var countedTime: Duration? { get }
  var fields: SavedFields { get }
  var checkpoint: TimerCheckpoint { get }

  /// Returns the status of a timer that is restored from the checkpoint.
  func status(at now: ClockReading) -> TimerStatus

  /// Advances the checkpoint.
  /// - Returns: the number of fires that were due meanwhile.
  mutating func advance(to wall: WallInstant) -> Int

  /// The last fire of the run, if it runs and has an end; of those after `now`, any.
  func lastFire(by now: WallInstant) -> WallInstant?

  /// Restores the state from the fields of a file, which can hold anything.
  mutating func restore(_ fields: SavedFields, at now: ClockReading) throws(SavedFieldError)
}

extension FamilyCheckpoint {
  var isBoundToDates: Bool { false }
  var countedTime: Duration? { nil }
  func lastFire(by now: WallInstant) -> WallInstant? { nil }
}
