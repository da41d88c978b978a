/// The clocks a timer can follow.
public enum TimerClock.Kind: String, Sendable, Hashable, Codable, CaseIterable {
  /// Time since start that stands still while the machine sleeps (`CLOCK_MONOTONIC` on Linux).
  case uptime
  /// Time since start that counts through sleep (`CLOCK_BOOTTIME` on Linux).
  case boot
  /// The time of day, since 1970 UTC: it follows every change of the system's clock.
  case wall
}
