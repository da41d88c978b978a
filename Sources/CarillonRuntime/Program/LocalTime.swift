import Platform
import TerminalCore
import TimerBoard
import TimerKit

extension ClockReading {
  /// The local date.
  var day: CivilDate { LocalTime(self).date }

  /// Reads every clock.
  static func now() -> ClockReading {
    // The readings follow each other directly, because any time between them is a measurement error.
    let suspending = TimerClock.suspending.now
    let wall = WallInstant.now
    let continuous = TimerClock.continuous.now
    return ClockReading(
      suspending: suspending, continuous: continuous, wall: wall, zone: .current)
  }
}

/// Instants as text.
extension WallInstant {
  /// The instant in ISO 8601: `2026-11-21T14:03:00.250Z`.
  var iso8601: String { CivilDate.iso8601(milliseconds) }

  /// Reads the text of ``iso8601``.
  init?(iso8601 text: String) {
    guard let milliseconds = CivilDate.milliseconds(iso8601: Array(text.utf8)[...]) else {
      return nil
    }
    let (nanoseconds, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
    guard !overflow else { return nil }
    self.init(nanosecondsSince1970: nanoseconds)
  }

  /// Returns the local time of day: `14:03:00`, or `2:03:00 pm`.
  func timeOfDay(in zone: LocalZone, uses24Hours: Bool) -> String {
    LocalTime(self, in: zone).timeOfDay(uses24Hours: uses24Hours)
  }

  /// Returns the local time of day, after the date unless that is today.
  func dateAndTime(at now: ClockReading, uses24Hours: Bool) -> String {
    let local = LocalTime(self, in: now.zone)
    let time = local.timeOfDay(uses24Hours: uses24Hours)
    return local.date == now.day ? time : "\(local.date.text) \(time)"
  }
}

extension LocalCalendar {
  /// The calendar of the process's time zone.
  static var current: LocalCalendar {
    tzset()
    return LocalCalendar(.current)
  }
}

extension LocalZone {
  /// Returns an offset from UTC: `+02:00`.
  static func offsetText(_ seconds: Int) -> String {
    let minutes = abs(seconds / 60)
    return "\(seconds < 0 ? "-" : "+")\(twoDigits(minutes / 60)):\(twoDigits(minutes % 60))"
  }
}

/// The settings of an environment's locale and time zone.
extension [String: String] {
  /// A Boolean value that indicates whether the character encoding is UTF-8.
  var usesUTF8: Bool { localeText("LC_CTYPE", LC_CTYPE_MASK, nl_item(CODESET)) == "UTF-8" }

  /// A Boolean value that indicates whether 14:29 is written rather than 2:29 pm.
  var uses24Hours: Bool {
    let format = localeText("LC_TIME", LC_TIME_MASK, nl_item(T_FMT)) ?? ""
    return !["%r", "%I", "%l", "%p"].contains { format.contains($0) }
  }

  /// The name of the current time zone, such as `Europe/Berlin`, or the offset if the zone has no name.
  var timeZoneName: String {
    var file = ""
    if var name = self["TZ"] {
      if name.hasPrefix(":") { name.removeFirst() }
      if name.isEmpty { return "UTC" }
      if !name.hasPrefix("/") { return name }
      file = name
    } else {
      file = linkTarget(of: "/etc/localtime") ?? ""
    }
    if let folder = file.firstRange(of: "zoneinfo/") { return String(file[folder.upperBound...]) }
    return LocalZone.offsetText(LocalZone.current.secondsFromUTC(at: .now))
  }

  private func localeText(_ category: String, _ mask: Int32, _ item: nl_item) -> String? {
    guard let locale = newlocale(mask, self.locale(category) ?? "C", nil) else { return nil }
    defer { freelocale(locale) }
    return nl_langinfo_l(item, locale).map { String(cString: $0) }
  }
}
