import Testing
import TimerKit

/// Backs up a database every night in Berlin, wherever the server is, and reports each quarter of an hour of the working
/// day. Prints what it does.
private func run(clock: TimerClock, _ print: @escaping @Sendable (String) -> Void) throws
  -> [Repeater]
{
  let berlin = try TimeZoneRules("Europe/Berlin")
  let nights = try WallSchedule(cron: "30 2 * * *", timeZone: berlin)
  let quarters = try WallSchedule(
    .weekdays(.mondayToFriday), every: .minutes(15), from: (9, 0), through: (17, 0)
  ).inTimeZone(berlin)
  let review = try WallSchedule(.nth(1, .monday), at: [(9, 0)]).inTimeZone(berlin)
  return [
    try .following(nights, clock: clock) { _, tick in print("backup \(tick.deadline)") },
    try .following(quarters, clock: clock) { _, _ in print("report") },
    try .following(review, clock: clock) { _, _ in print("review") },
  ]
}

@Test(.enabled(if: hasZones, "install tzdata"))
func theExampleOfSchedulesFollowsBerlin() throws {
  // Sunday, 29 March 2026, 0:00 UTC. At 1:00 the clocks of Berlin go from 2:00 to 3:00.
  let clock = VirtualClock(
    .wall, wall: WallInstant(nanosecondsSince1970: 1_774_742_400_000_000_000))
  let printed = Recorder<String>()
  let timers = try run(clock: .virtual(clock)) { printed.append($0) }
  clock.advance(by: .hours(1))
  #expect(printed.all.count == 1, "the backup of 2:30 is at 3:00")
  clock.advance(by: .days(9))
  #expect(printed.all.count { $0.hasPrefix("backup") } == 10)
  #expect(printed.all.count { $0 == "report" } == 5 * 33 + 33)
  #expect(printed.all.count { $0 == "review" } == 1)
  for timer in timers { timer.cancel() }
}
