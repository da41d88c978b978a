import TimerKit

extension VirtualClock {
  /// An instant of this clock: those of other clocks are not comparable with it.
  func instant(_ nanoseconds: Int64) -> TimerClock.Instant {
    TimerClock.virtual(self).instant(nanoseconds: nanoseconds)
  }
}
