import TimerKit

/// Keeps the thread, and so its queue, for that long.
func stayBusy(for duration: Duration) {
  let start = SystemTimeline.uptime.now
  while start.duration(to: SystemTimeline.uptime.now) < duration {}
}
