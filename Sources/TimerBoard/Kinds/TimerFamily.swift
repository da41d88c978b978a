import TimerKit

/// A family of timers: one kind of TimerKit, or several similar ones. Its settings and what a board does with TimerKit's
/// value are in this folder; ``TimerSpec/Kind`` and ``TimerMachine`` refer to them.
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

  /// Returns a timer that begins now, running or paused.
  /// - Parameter seed: The seed of its random delays.
  func start(
    of spec: TimerSpec, seed: UInt64, at now: ClockReading
  ) throws(TimerConfigurationError) -> TimerMachine

  /// Returns a timer from the fields of a file, which are checked, as it was at the time of the save.
  func restore(
    _ fields: SavedFields, of spec: TimerSpec, seed: UInt64, at saved: ClockReading
  ) throws(SavedFieldError) -> TimerMachine
}

extension TimerFamily {
  var label: String { text }
  var fireCount: Int? { nil }
  var withCount: ((Int) -> TimerSpec.Kind)? { nil }
  var kindWords: [String] { [] }
}
