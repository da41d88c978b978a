import Fuzzing
import Testing

@testable import TimerKit

/// A random schedule in UTC that ends, and the other values of a timer that follows it from 2026-11-28.
struct RandomSchedule: Sendable, CustomStringConvertible {
  let schedule: WallSchedule
  let mode: Repeater.Mode
  let policy: Repeater.MissedTicks
  let jitter: Duration?
  let start: WallInstant
  let seed: UInt64
  /// All occurrences after the start.
  let occurrences: [WallInstant]

  init(_ random: inout SplitMix) {
    var schedule: WallSchedule?
    while schedule == nil { schedule = try? Self.schedule(&random) }
    guard let schedule, let start = try? Self.instant(day: 28, hour: random.below(24)) else {
      fatalError("no schedule")
    }
    self.schedule = schedule
    self.start = start
    mode = random.below(3) == 0 ? .finite(1 + random.below(6)) : .infinite
    policy = random.one(of: [.skip, .burst(limit: 1 + random.below(4))])
    jitter = random.below(2) == 0 ? .minutes(1 + random.below(60)) : nil
    seed = random.next()
    var occurrences: [WallInstant] = []
    while let next = schedule.next(after: occurrences.last ?? start) { occurrences.append(next) }
    self.occurrences = occurrences
  }

  var description: String { "\(configuration(mode)) from \(start), seed \(seed)" }

  private static func schedule(_ random: inout SplitMix) throws -> WallSchedule {
    let last = 28 + random.below(30)
    let (year, month, day) = Calendar.date(try #require(dayNumber(last)))
    let days: WallSchedule.Days = random.one(of: [
      .every, .weekdays(.mondayToFriday), .weekdays(.weekend), .ofMonth([-1, 3, 10]),
      .nth(1, [.tuesday, .sunday]), .date(year: year, month: month, day: day),
    ])
    let schedule =
      switch random.below(4) {
      case 0:
        try WallSchedule(
          days, every: .minutes(60 + random.below(400)), from: (random.below(12), 0),
          through: (12 + random.below(12), 30))
      case 1: try WallSchedule(cron: "\(random.below(60)) */\(1 + random.below(12)) * * 1-6")
      default:
        try WallSchedule(
          days, at: (0...random.below(3)).map { _ in (random.below(24), random.below(60)) })
      }
    return try schedule.until(year: year, month: month, day: day)
      .inTimeZone(TimeZoneRules("UTC"))
  }

  /// The number of a day that is counted from the first of November 2026.
  private static func dayNumber(_ day: Int) -> Int? {
    Calendar.dayNumber(year: 2026, month: 11, day: 1).map { $0 + day - 1 }
  }

  static func instant(day: Int, hour: Int) throws -> WallInstant {
    let day = try #require(dayNumber(day))
    let seconds = Int64(day) * Calendar.secondsPerDay + Int64(hour) * 3_600
    return WallInstant(nanosecondsSince1970: seconds * 1_000_000_000)
  }

  /// True if the mode of a timer is always once.
  var isOneTime: Bool { schedule.occursOnce }

  func makeClock() -> VirtualClock { VirtualClock(.wall, wall: start, seed: seed) }

  func configuration(_ mode: Repeater.Mode) -> Repeater.Configuration {
    Repeater.Configuration(.schedule(schedule), mode: mode, missedTicks: policy, jitter: jitter)
  }
}
