/// A time zone of the tz database, such as Europe/Berlin, for a ``WallSchedule`` that does not follow the time zone of
/// the process.
///
/// ```swift
/// let berlin = try TimeZoneRules("Europe/Berlin")
/// let opening = try WallSchedule.daily(hour: 9).inTimeZone(berlin)
/// ```
///
/// It is read from a file in the format TZif (RFC 9636) in the folder that the environment variable `TZDIR` names, or
/// in `/usr/share/zoneinfo`; Debian's package `tzdata` has these files. Only ``utc`` needs no file. A value keeps the
/// rules that it was created with. Two values are equal if their identifiers are.
public struct TimeZoneRules: Sendable, Hashable, CustomStringConvertible {
  /// The name in the tz database: `Europe/Berlin`.
  public let identifier: String
  private let file: TimeZoneFile

  /// Coordinated universal time, `UTC`. It is built in, for a system without the tz database, such as a small container.
  public static let utc = TimeZoneRules(identifier: "UTC", file: TimeZoneFile(offset: 0))

  private init(identifier: String, file: TimeZoneFile) {
    (self.identifier, self.file) = (identifier, file)
  }

  /// Reads the rules of a time zone.
  /// - Parameter identifier: the name in the tz database, such as `Europe/Berlin`. Upper and lower case differ.
  ///     `UTC` is ``utc``, for which no file is read.
  /// - Throws: ``WallScheduleError/invalid(_:_:expected:)`` if the folder has no such time zone, or if its file is damaged
  ///   or counts leap seconds.
  /// - Complexity: it reads a file of about 2 KiB.
  public init(_ identifier: String) throws(WallScheduleError) {
    if identifier == Self.utc.identifier {
      self = .utc
      return
    }
    let folder =
      environmentVariable("TZDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/share/zoneinfo"
    // No name of the database has a dot, so that none leads out of the folder.
    let isName = identifier.utf8.allSatisfy { byte in
      (48...57).contains(byte) || (65...90).contains(byte & 0xDF) || "_+-/".utf8.contains(byte)
    }
    guard isName, identifier.utf8.count <= 64, !identifier.hasPrefix("/"),
      let bytes = contents(ofFile: "\(folder)/\(identifier)", limit: 1 << 16)
    else {
      let expected = "one of the package tzdata in \(folder), such as Europe/Berlin"
      throw .invalid("time zone", identifier, expected: expected)
    }
    guard let file = TimeZoneFile(bytes) else {
      throw .invalid("file of time zone", identifier, expected: "TZif without leap seconds")
    }
    (self.identifier, self.file) = (identifier, file)
  }

  /// Returns the offset of local time from UTC in seconds; positive east of Greenwich.
  /// - Parameter instant: the instant at which the offset applies.
  /// - Complexity: O(log n) in the number of changes of the offset.
  public func secondsFromUTC(at instant: WallInstant) -> Int {
    let seconds = instant.nanosecondsSince1970.flooredDivision(by: 1_000_000_000).quotient
    return Int(file.offset(at: seconds))
  }

  /// Returns the offset of the process's local time from UTC in seconds; positive east of Greenwich.
  /// - Parameter instant: the instant at which the offset applies.
  package static func currentSecondsFromUTC(at instant: WallInstant) -> Int {
    let seconds = instant.nanosecondsSince1970.flooredDivision(by: 1_000_000_000).quotient
    return Int(localOffset(atSecondsSince1970: seconds))
  }

  var localTime: LocalTimeZone { LocalTimeZone(offset: file.offset) }

  /// The identifier.
  public var description: String { identifier }

  public static func == (left: TimeZoneRules, right: TimeZoneRules) -> Bool {
    left.identifier == right.identifier
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}
