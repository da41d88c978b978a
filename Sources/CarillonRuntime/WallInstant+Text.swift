import TimerBoard
import TimerKit

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
