import TimerKit

extension Frame {
  /// The time of day at an instant of the uptime clock, with the day unless it is this one.
  func timeOfDay(of instant: TimelineInstant) -> String {
    let days = days(until: instant)
    guard days < 2 else { return "in \(days) days" }
    let time = TimeText.timeOfDay(
      localTime(at: instant).second, showsSeconds: true,
      uses24Hours: dashboard.options.uses24Hours)
    return days > 0 ? "tomorrow \(time)" : time
  }

  /// How often midnight comes until then.
  func days(until instant: TimelineInstant) -> Int {
    localTime(at: instant).day - LocalTime(now).day
  }

  private func localTime(at instant: TimelineInstant) -> LocalTime {
    var then = now
    then.wall = now.wall.advanced(by: now.uptime.duration(to: instant))
    return LocalTime(then)
  }

  /// When the clock on the wall shows another minute, or another day.
  func nextLocal(_ unit: Int64) -> TimelineInstant {
    let local = now.wall.nanoseconds &+ Int64(now.secondsFromUTC) &* 1_000_000_000
    let into = local % unit
    return now.uptime.advanced(by: .nanoseconds(unit - (into < 0 ? into + unit : into)))
  }
}
