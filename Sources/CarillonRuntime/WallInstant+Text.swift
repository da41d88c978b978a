import Platform
import TimerKit

/// Instants as text.
extension WallInstant {
  /// The instant in ISO 8601: `2026-11-21T14:03:00.250Z`.
  var iso8601: String {
    let time = calendar(secondsFromUTC: 0)
    let milliseconds = nanosecondsSince1970 / 1_000_000 % 1000
    return date(secondsFromUTC: 0)
      + "T\(padded(time.tm_hour)):\(padded(time.tm_min)):\(padded(time.tm_sec))."
      + (milliseconds < 100 ? "0" : "") + "\(padded(max(0, milliseconds)))Z"
  }

  /// Reads the text of ``iso8601``.
  init?(iso8601 text: String) {
    let numbers = text.split { "-T:.Z".contains($0) }.compactMap { Int32($0) }
    guard numbers.count == 7 else { return nil }
    var time = tm()
    (time.tm_year, time.tm_mon, time.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
    (time.tm_hour, time.tm_min, time.tm_sec) = (numbers[3], numbers[4], numbers[5])
    let milliseconds = Int64(timegm(&time)) * 1000 + Int64(numbers[6])
    let (nanoseconds, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
    guard !overflow else { return nil }
    self.init(nanosecondsSince1970: nanoseconds)
  }

  /// Returns the local date: `2026-11-21`.
  func date(secondsFromUTC: Int) -> String {
    let time = calendar(secondsFromUTC: secondsFromUTC)
    return [Int(time.tm_year) + 1900, Int(time.tm_mon) + 1, Int(time.tm_mday)]
      .map { padded($0) }.joined(separator: "-")
  }

  /// Returns the local time of day: `14:03:00`, or `2:03:00 pm`.
  func timeOfDay(secondsFromUTC: Int, uses24Hours: Bool) -> String {
    let time = calendar(secondsFromUTC: secondsFromUTC)
    let end = "\(padded(time.tm_min)):\(padded(time.tm_sec))"
    if uses24Hours { return "\(padded(time.tm_hour)):\(end)" }
    return "\((time.tm_hour + 11) % 12 + 1):\(end) \(time.tm_hour < 12 ? "am" : "pm")"
  }

  private func calendar(secondsFromUTC: Int) -> tm {
    var seconds = time_t(nanosecondsSince1970 / 1_000_000_000) + secondsFromUTC
    var time = tm()
    gmtime_r(&seconds, &time)
    return time
  }

  private func padded(_ number: some BinaryInteger) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
