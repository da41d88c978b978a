extension WallSchedule {
  /// A set of days of the week.
  public struct Weekdays: OptionSet, Sendable, Hashable, Codable, CustomStringConvertible {
    /// One bit for each day of the week; the lowest bit is Monday.
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Every Monday.
    public static let monday = Weekdays(rawValue: 1)
    /// Every Tuesday.
    public static let tuesday = Weekdays(rawValue: 2)
    /// Every Wednesday.
    public static let wednesday = Weekdays(rawValue: 4)
    /// Every Thursday.
    public static let thursday = Weekdays(rawValue: 8)
    /// Every Friday.
    public static let friday = Weekdays(rawValue: 16)
    /// Every Saturday.
    public static let saturday = Weekdays(rawValue: 32)
    /// Every Sunday.
    public static let sunday = Weekdays(rawValue: 64)

    /// The five days from Monday to Friday.
    public static let mondayToFriday: Weekdays = [
      .monday, .tuesday, .wednesday, .thursday, .friday,
    ]
    /// Saturday and Sunday.
    public static let weekend: Weekdays = [.saturday, .sunday]
    /// The whole week.
    public static let all: Weekdays = [.mondayToFriday, .weekend]

    /// The names of the days: `Monday, Friday`; `every day` for all of them.
    public var description: String {
      if isSuperset(of: .all) { return "every day" }
      let names = Self.names.enumerated().filter { rawValue & 1 << $0.offset != 0 }.map(\.element)
      return names.isEmpty ? "no days" : names.joined(separator: ", ")
    }

    private static let names = [
      "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]
  }
}
