// The encoded form is stable: a later version reads the checkpoints of an earlier one.

extension Repeater.Timing: Codable {
  private enum Key: String, CodingKey { case interval, schedule }

  /// Decodes the times of a timer: `{"interval": …}` or `{"schedule": …}`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    if let interval = try values.decodeIfPresent(Duration.self, forKey: .interval) {
      self = .interval(interval)
    } else {
      self = .schedule(try values.decode(WallSchedule.self, forKey: .schedule))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    switch self {
    case .interval(let interval): try values.encode(interval, forKey: .interval)
    case .schedule(let schedule): try values.encode(schedule, forKey: .schedule)
    }
  }
}

extension Repeater.Mode: Codable {
  private enum Key: String, CodingKey { case count }

  /// Decodes a mode: `{"count": 3}`, or `{"count": null}` for an infinite timer.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    self.init(count: try values.decode(Int?.self, forKey: .count))
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(count, forKey: .count)
  }
}

extension Repeater.MissedTicks: Codable {
  private enum Key: String, CodingKey { case policy, limit }
  private enum Policy: String, Codable { case skip, delay, burst }

  /// Decodes a policy: `{"policy": "skip"}`, or `{"policy": "burst", "limit": 3}`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    self =
      switch try values.decode(Policy.self, forKey: .policy) {
      case .skip: .skip
      case .delay: .delay
      case .burst: .burst(limit: try values.decode(Int.self, forKey: .limit))
      }
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    switch self {
    case .skip: try values.encode(Policy.skip, forKey: .policy)
    case .delay: try values.encode(Policy.delay, forKey: .policy)
    case .burst(let limit):
      try values.encode(Policy.burst, forKey: .policy)
      try values.encode(limit, forKey: .limit)
    }
  }
}
