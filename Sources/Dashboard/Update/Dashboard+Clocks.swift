import TimerKit

/// All that is shown counts on the suspending clock. Where the others have moved against it, because the
/// clock was set or the machine slept, what keeps to them is due earlier or later than it was.
extension Dashboard {
  /// Less is not seen, and clocks that are kept right by a network creep by less than that.
  private static let tolerance = Duration.milliseconds(10)

  mutating func followClocks(at now: Moment) {
    guard haveClocksMoved(by: now) else { return }
    clocksAsOf = now
    rows.placeByClocks(at: now)
  }

  func followingClocks(at now: Moment) -> Dashboard {
    guard haveClocksMoved(by: now) else { return self }
    var dashboard = self
    dashboard.followClocks(at: now)
    return dashboard
  }

  private func haveClocksMoved(by now: Moment) -> Bool {
    guard let before = clocksAsOf else { return true }
    let uptime = before.uptime.duration(to: now.uptime)
    return [TimerClock.Kind.continuous, .wall].contains { clock in
      let moved = before[clock].duration(to: now[clock]) - uptime
      return moved > Self.tolerance || moved < .zero - Self.tolerance
    }
  }
}
