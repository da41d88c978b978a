import TimerKit

extension Repeater.Tick {
  /// One of the clock's, for those who ask only whether it is current.
  static func ofGeneration(_ generation: UInt64) -> Repeater.Tick {
    Repeater.Tick(
      iteration: 1, remainingIterations: nil, generation: generation,
      scheduled: TimerClock.Instant(nanoseconds: 0))
  }
}
