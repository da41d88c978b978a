extension ThrottleMode: Codable {
  private enum Key: String, CodingKey { case mode, firstAtOnce }
  private enum Mode: String, Codable { case fromDelivery, deferred }

  /// Decodes a mode: `{"mode": "fromDelivery", "firstAtOnce": true}` or `{"mode": "deferred"}`. The form is stable: a
  /// later version reads what an earlier one has encoded.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    self =
      switch try values.decode(Mode.self, forKey: .mode) {
      case .fromDelivery:
        .fromDelivery(firstAtOnce: try values.decode(Bool.self, forKey: .firstAtOnce))
      case .deferred: .deferred
      }
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    switch self {
    case .fromDelivery(let firstAtOnce):
      try values.encode(Mode.fromDelivery, forKey: .mode)
      try values.encode(firstAtOnce, forKey: .firstAtOnce)
    case .deferred: try values.encode(Mode.deferred, forKey: .mode)
    }
  }
}
