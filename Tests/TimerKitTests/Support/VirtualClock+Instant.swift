import TimerKit

extension VirtualClock {
  /// Returns an instant of this clock. Instants of other clocks are not comparable with it.
  func instant(_ nanoseconds: Int64) -> TimerClock.Instant {
    TimerClock.virtual(self).instant(nanoseconds: nanoseconds)
  }
}
