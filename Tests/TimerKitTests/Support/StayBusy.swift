import TimerKit

/// Occupies the thread, and therefore its queue, for a duration.
func stayBusy(for duration: Duration) {
  let start = TimerClock.suspending.now
  while start.duration(to: TimerClock.suspending.now) < duration {}
}
