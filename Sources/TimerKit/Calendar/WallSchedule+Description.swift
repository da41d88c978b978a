extension WallSchedule: CustomStringConvertible {
  /// The days and the time of day: `2027-01-01 07:30:00`, or `Monday, Friday 07:30:00`.
  public var description: String {
    let day = dayNumber.map(Calendar.text(ofDay:)) ?? days.description
    return "\(day) \(Calendar.text(ofSecond: secondOfDay))"
  }
}

extension WallSchedule.Weekdays: CustomStringConvertible {
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
