import Platform
import TerminalCore
import TimerBoard
import TimerKit

extension ClockReading {
  /// Reads every clock.
  static func now() -> ClockReading {
    // The readings follow each other directly, because any time between them is a measurement error.
    let suspending = TimerClock.suspending.now
    let wall = WallInstant.now
    let continuous = TimerClock.continuous.now
    var seconds = time_t(wall.nanosecondsSince1970 / 1_000_000_000)
    var local = tm()
    localtime_r(&seconds, &local)
    return ClockReading(
      suspending: suspending, continuous: continuous, wall: wall, secondsFromUTC: local.tm_gmtoff)
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

  /// Returns the local date: `2026-11-21`.
  func date(secondsFromUTC: Int) -> String {
    CivilDate(day: LocalTime(self, secondsFromUTC: secondsFromUTC).dayNumber).text
  }

  /// Returns the local time of day: `14:03:00`, or `2:03:00 pm`.
  func timeOfDay(secondsFromUTC: Int, uses24Hours: Bool) -> String {
    TimeText.timeOfDay(
      LocalTime(self, secondsFromUTC: secondsFromUTC).secondOfDay, showsSeconds: true,
      uses24Hours: uses24Hours)
  }
}

extension ClockReading {
  /// The local date.
  var day: CivilDate { CivilDate(day: LocalTime(self).dayNumber) }
}

/// The name of the time zone.
enum TimeZoneName {
  /// Returns the name of the current zone, such as `Europe/Berlin`, or the offset if the zone has no name.
  static func current(environment: [String: String]) -> String {
    var file = ""
    if var name = environment["TZ"] {
      if name.hasPrefix(":") { name.removeFirst() }
      if name.isEmpty { return "UTC" }
      if !name.hasPrefix("/") { return name }
      file = name
    } else {
      _ = FileCalls.system.readLink("/etc/localtime", &file)
    }
    if let folder = file.firstRange(of: "zoneinfo/") { return String(file[folder.upperBound...]) }
    let minutes = ClockReading.now().secondsFromUTC / 60
    let (hour, minute) = (abs(minutes) / 60, abs(minutes) % 60)
    return "\(minutes < 0 ? "-" : "+")\(twoDigits(hour)):\(twoDigits(minute))"
  }
}

extension LocalCalendar {
  /// The calendar of the process's time zone.
  static var current: LocalCalendar {
    tzset()
    return LocalCalendar { second in
      var seconds = time_t(second)
      var local = tm()
      localtime_r(&seconds, &local)
      return local.tm_gmtoff
    }
  }
}

/// The character encoding of the locale.
enum CharacterEncoding {
  /// Returns true if the environment's locale uses UTF-8.
  static func isUTF8(environment: [String: String]) -> Bool {
    let name = environment.locale("LC_CTYPE") ?? "C"
    guard let locale = newlocale(LC_CTYPE_MASK, name, nil) else { return false }
    defer { freelocale(locale) }
    guard let encoding = nl_langinfo_l(nl_item(CODESET), locale) else { return false }
    return String(cString: encoding) == "UTF-8"
  }
}

/// The time format of the locale.
enum TimeOfDay {
  /// Returns true if the environment's locale writes 2:29 pm rather than 14:29.
  static func uses12Hours(environment: [String: String]) -> Bool {
    let name = environment.locale("LC_TIME") ?? "C"
    guard let locale = newlocale(LC_TIME_MASK, name, nil) else { return false }
    defer { freelocale(locale) }
    guard let format = nl_langinfo_l(nl_item(T_FMT), locale) else { return false }
    return ["%r", "%I", "%l", "%p"].contains { String(cString: format).contains($0) }
  }
}
