extension WallSchedule: Codable {
  private enum Key: String, CodingKey {
    case year, month, day, weekdays, hour, minute, second
  }

  /// Decodes a schedule and validates its values, which may come from a file.
  /// - Throws: `DecodingError.dataCorrupted` if a date, time or set of weekdays is invalid.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    let hour = try values.decode(Int.self, forKey: .hour)
    let minute = try values.decode(Int.self, forKey: .minute)
    let second = try values.decode(Int.self, forKey: .second)
    do {
      if let days = try values.decodeIfPresent(Weekdays.self, forKey: .weekdays) {
        self = try .weekdays(days, hour: hour, minute: minute, second: second)
      } else {
        self = try .at(
          year: try values.decode(Int.self, forKey: .year),
          month: try values.decode(Int.self, forKey: .month),
          day: try values.decode(Int.self, forKey: .day), hour: hour, minute: minute,
          second: second)
      }
    } catch let error as WallScheduleError {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "\(error)"))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    if let date {
      try values.encode(date.year, forKey: .year)
      try values.encode(date.month, forKey: .month)
      try values.encode(date.day, forKey: .day)
    }
    try values.encodeIfPresent(weekdays, forKey: .weekdays)
    try values.encode(hour, forKey: .hour)
    try values.encode(minute, forKey: .minute)
    try values.encode(second, forKey: .second)
  }
}
