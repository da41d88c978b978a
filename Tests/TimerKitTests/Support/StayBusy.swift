import TimerKit

/// Keeps the thread, and so its queue, for that long.
func stayBusy(for duration: Duration) {
  let start = TimerClock.suspending.now
  while start.duration(to: TimerClock.suspending.now) < duration {}
}
