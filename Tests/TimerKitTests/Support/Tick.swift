import TimerKit

extension Repeater.Tick {
  /// Returns a tick of the clock with only a generation, for tests of `isCurrent`.
  static func ofGeneration(_ generation: UInt64) -> Repeater.Tick {
    Repeater.Tick(
      iteration: 1, remainingIterations: nil, generation: generation,
      deadline: TimerClock.suspending.instant(nanoseconds: 0))
  }
}
