import TimerKit

/// An open stretch in a session file. All times are in nanoseconds, except the pauses.
package struct SavedStretch: Hashable, Sendable {
  var id: UInt64
  var start: Int64
  var number = 0
  var phase: String?
  var round: Int?
  var planned: Int64?
  var activeTime: Int64
  var savedAt: Int64
  var pausedAt: Int64?
  /// The start and the length of each pause in turn, in milliseconds from the start of the stretch.
  var pauses: [Int64] = []
  var interruptions = 0
  var fires = 0
  var missed = 0
  var result: String?

  /// Moves the time at which it was saved.
  mutating func move(by time: Duration) {
    savedAt = WallInstant(nanosecondsSince1970: savedAt).advanced(by: time).nanosecondsSince1970
  }
}

extension SavedStretch: Encodable, JSONReadable {
  private enum CodingKeys: String, CodingKey {
    case id, start, number, phase, round, planned, savedAt, pausedAt, pauses, interruptions
    case activeTime = "active"
    case fires, missed, result
  }

  /// Encodes the stretch without numbers that are 0, because most are and a session can have many timers.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(String(id, radix: 16), forKey: .id)
    try container.encode(start, forKey: .start)
    try container.encode(activeTime, forKey: .activeTime)
    try container.encode(savedAt, forKey: .savedAt)
    try container.encodeIfPresent(phase, forKey: .phase)
    try container.encodeIfPresent(round, forKey: .round)
    try container.encodeIfPresent(planned, forKey: .planned)
    try container.encodeIfPresent(pausedAt, forKey: .pausedAt)
    try container.encodeIfPresent(result, forKey: .result)
    if !pauses.isEmpty { try container.encode(pauses, forKey: .pauses) }
    if number != 0 { try container.encode(number, forKey: .number) }
    if interruptions != 0 { try container.encode(interruptions, forKey: .interruptions) }
    if fires != 0 { try container.encode(fires, forKey: .fires) }
    if missed != 0 { try container.encode(missed, forKey: .missed) }
  }

  package init(from reader: inout JSONReader) throws(JSONReader.Invalid) {
    var stretch = SavedStretch(id: 0, start: 0, activeTime: 0, savedAt: 0)
    var (id, start, activeTime, savedAt): (UInt64?, Int64?, Int64?, Int64?)
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "id": id = try reader.identifier()
      case "start": start = try reader.value()
      case "number": stretch.number = try reader.value()
      case "phase": stretch.phase = try reader.value()
      case "round": stretch.round = try reader.value()
      case "planned": stretch.planned = try reader.value()
      case "active": activeTime = try reader.value()
      case "savedAt": savedAt = try reader.value()
      case "pausedAt": stretch.pausedAt = try reader.value()
      case "pauses": stretch.pauses = try reader.value()
      case "interruptions": stretch.interruptions = try reader.value()
      case "fires": stretch.fires = try reader.value()
      case "missed": stretch.missed = try reader.value()
      case "result": stretch.result = try reader.value()
      default: try reader.skipValue()
      }
    }
    guard let id, let start, let activeTime, let savedAt else { throw JSONReader.Invalid() }
    (stretch.id, stretch.start, stretch.activeTime, stretch.savedAt) = (
      id, start, activeTime, savedAt
    )
    self = stretch
  }
}
