import Dispatch
package import TimerKit

/// A family of timers: one kind of TimerKit, or several similar ones. Its settings, status, checkpoint and live
/// timer are in one file; ``TimerSpec/Kind``, ``TimerStatus`` and ``TimerCheckpoint`` refer to them.
protocol TimerFamily {
  /// The word that begins the timer in the grammar.
  var keyword: Keyword { get }
  /// The settings in the grammar: `every 45s x8`.
  var text: String { get }
  /// The settings as a board shows them: `every 45s ×8`.
  var label: String { get }
  /// The number of fires in a run; `nil` for an endless timer or one without runs.
  var fireCount: Int? { get }
  /// A closure that returns the kind with another count; `nil` for a kind without a count.
  var withCount: ((Int) -> TimerSpec.Kind)? { get }

  /// The words that only this kind of timer can have.
  var kindWords: [String] { get }

  /// Returns the checkpoint of a timer that begins now, running or paused.
  func start(of spec: TimerSpec, at now: ClockReading) -> TimerCheckpoint
}

extension TimerFamily {
  var label: String { text }
  var fireCount: Int? { nil }
  var withCount: ((Int) -> TimerSpec.Kind)? { nil }
  var kindWords: [String] { [] }
}

/// The clocks of live timers.
package struct TimerClocks: Sendable {
  /// The clock that continues while the machine sleeps.
  var continuous: TimerClock
  /// The clock of timers that count only while the machine is awake.
  var suspending: TimerClock
  /// The time of day.
  var wall: TimerClock

  /// The clocks of the system.
  package static let system = TimerClocks(
    continuous: .continuous, suspending: .suspending, wall: .wall)

  package init(continuous: TimerClock, suspending: TimerClock, wall: TimerClock) {
    self.continuous = continuous
    self.suspending = suspending
    self.wall = wall
  }

  subscript(kind: TimerClock.Kind) -> TimerClock {
    switch kind {
    case .continuous: continuous
    case .suspending: suspending
    case .wall: wall
    }
  }
}

/// The specification, the clock and the queue of a live timer.
typealias TimerEnvironment = (spec: TimerSpec, clock: TimerClock, queue: DispatchQueue?)

/// The status of a timer of one family: the snapshot that TimerKit takes of it.
protocol FamilyStatus {
  var common: CommonStatus { get }
  /// The longest interval or phase in the status; zero if it contains none.
  var longestTime: Duration { get }
  /// A Boolean value that indicates whether the timer runs and can be paused.
  var canPause: Bool { get }

  /// Returns the command of an action for the timer in this status.
  func command(
    for action: TimerAction, to id: TimerID, at now: ClockReading
  ) throws(ControlRefusal) -> TimerCommand

  /// Returns the checkpoint of the status.
  /// - Parameter intervalBeforeBackoff: The interval before failures of the command increased it; `nil` if they did not.
  func checkpoint(at now: ClockReading, intervalBeforeBackoff: Duration?) -> TimerCheckpoint

  /// Updates a specification with the current settings, which commands may have changed.
  func update(_ spec: inout TimerSpec, intervalBeforeBackoff: Duration?)
}

extension FamilyStatus {
  var longestTime: Duration { .zero }
  var canPause: Bool { common.state == .running }

  func update(_ spec: inout TimerSpec, intervalBeforeBackoff: Duration?) {
    spec.isPaused = common.state == .paused || common.state == .idle
  }
}

/// The part of a status that all families have in common.
struct CommonStatus {
  var state: TimerState
  var isExecuting = false
  var clock: TimerClock.Kind
  var deadline: TimerClock.Instant?
  var pausedTimeLeft: Duration?
  var period: Duration?
  var iterations = TimerStatus.Iterations.none
  /// The name and the index of a cycle's phase.
  var phase: (name: String, index: Int)?
  var deliveredCount: Int
  var missedCount: Int?
  var staleCount: Int
}

/// The checkpoint of a timer of one family.
protocol FamilyCheckpoint {
  var state: TimerState { get }
  var takenAt: WallInstant { get set }
  /// A Boolean value that indicates whether the timer follows the time of day.
  var followsTimeOfDay: Bool { get }
  var fields: SavedFields { get }
  var checkpoint: TimerCheckpoint { get }

  /// Returns the status of a timer that is restored from the checkpoint.
  func status(at now: ClockReading) -> TimerStatus

  /// Advances the checkpoint.
  /// - Returns: The number of fires that were due in the meantime.
  mutating func advance(to wall: WallInstant) -> Int

  /// Lets time pass for a running timer without a fire. A timer that was due in the meantime fires, late, as soon as
  /// it is restored.
  mutating func elapse(_ time: Duration)

  /// Returns the instant of the last fire of the run; `nil` if the timer does not run or has no end. A result
  /// after `now` need not be exact.
  func lastFire(by now: WallInstant) -> WallInstant?

  /// Creates the live timer. Its handler does nothing, because the board observes its events.
  func makeTimer(in environment: TimerEnvironment) throws(RestoreError) -> any LiveTimer

  /// Restores the state from the fields of a file, which are checked.
  mutating func restore(_ fields: SavedFields, at now: ClockReading) throws(SavedFieldError)
}

extension FamilyCheckpoint {
  var followsTimeOfDay: Bool { false }
  mutating func elapse(_ time: Duration) {}
  func lastFire(by now: WallInstant) -> WallInstant? { nil }
}
