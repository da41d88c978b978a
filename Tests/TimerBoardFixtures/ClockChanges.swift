package import TimerBoard
package import TimerKit

/// A time zone with the last minute before each of two changes of its clocks and the first one after it, and with the
/// local times that `date` prints for them.
package struct ClockChanges: Sendable {
  package let identifier: String
  package let moments: [(instant: WallInstant, date: String, time: String)]

  /// The clocks of Lord Howe Island change by half an hour. The northern zones first go back, the southern ones forward.
  package static let all = [
    ClockChanges(
      "Europe/Berlin",
      (1_792_889_940, "2026-10-25 02:59"), (1_792_890_000, "2026-10-25 02:00"),
      (1_806_195_540, "2027-03-28 01:59"), (1_806_195_600, "2027-03-28 03:00")),
    ClockChanges(
      "America/New_York",
      (1_793_512_740, "2026-11-01 01:59"), (1_793_512_800, "2026-11-01 01:00"),
      (1_805_007_540, "2027-03-14 01:59"), (1_805_007_600, "2027-03-14 03:00")),
    ClockChanges(
      "Australia/Lord_Howe",
      (1_791_041_340, "2026-10-04 01:59"), (1_791_041_400, "2026-10-04 02:30"),
      (1_806_764_340, "2027-04-04 01:59"), (1_806_764_400, "2027-04-04 01:30")),
    ClockChanges(
      "Pacific/Chatham",
      (1_790_431_140, "2026-09-27 02:44"), (1_790_431_200, "2026-09-27 03:45"),
      (1_806_760_740, "2027-04-04 03:44"), (1_806_760_800, "2027-04-04 02:45")),
  ]

  private init(_ identifier: String, _ moments: (second: Int64, local: String)...) {
    self.identifier = identifier
    self.moments = moments.map { second, local in
      (
        WallInstant(nanosecondsSince1970: second * 1_000_000_000), String(local.prefix(10)),
        String(local.suffix(5))
      )
    }
  }

  package var zone: LocalZone {
    get throws { .rules(try TimeZoneRules(identifier)) }
  }

  /// An instant of the same local day as the first two moments, 100 minutes before the first one.
  package var start: WallInstant { moments[0].instant.advanced(by: .minutes(-100)) }

  /// A moment for each minute beside a change, with a countdown from ``start`` to it.
  package var countdowns: [(timer: String, instant: WallInstant, date: String, time: String)] {
    moments.map { instant, date, time in
      ("x=\(start.duration(to: instant).components.seconds)s", instant, date, time)
    }
  }
}
