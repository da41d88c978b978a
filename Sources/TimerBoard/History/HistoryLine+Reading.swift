extension HistoryLine {
  /// The version of the format. A line of a newer version is not read.
  static let version: Int64 = 1

  /// Reads a line of a file of the history, which is a JSON object. Members that it does not know are skipped.
  /// - Parameter range: The position of the line in the bytes, without its line break.
  /// - Returns: `nil` if it is not a complete line.
  init?(_ bytes: [UInt8], in range: Range<Int>) {
    var reader = JSONReader(bytes, in: range)
    do throws(JSONReader.Invalid) {
      let members = try Members(from: &reader)
      try reader.expectEnd()
      guard members.version == Self.version, let line = Self.line(members) else { return nil }
      self = line
    } catch {
      return nil
    }
  }

  private static func line(_ members: Members) -> HistoryLine? {
    if let revoked = members.revokes { return .revocation(of: revoked) }
    guard let id = members.id else { return nil }
    var record = members.record
    guard let timer = members.timer else { return record.result.map { .result($0, of: id) } }
    guard let kind = members.kind, let ending = members.ending, let start = members.start,
      let end = members.end, let activeTime = members.activeTime,
      (0...StretchRecord.longest).contains(activeTime)
    else { return nil }
    (record.id, record.timer, record.kind, record.ending) = (id, timer, kind, ending)
    (record.start, record.end, record.activeTime) = (start, max(start, end), activeTime)
    return .record(record)
  }

  private struct Members: JSONReadable {
    var version: Int64?
    var id: UInt64?
    var revokes: UInt64?
    var timer: String?
    var kind: StretchRecord.Kind?
    var start: Int64?
    var end: Int64?
    var ending: StretchRecord.Ending?
    var activeTime: Int64?
    var record = StretchRecord(
      id: 0, timer: "", kind: .once, start: 0, end: 0, ending: .finished, activeTime: 0)

    init(from reader: inout JSONReader) throws(JSONReader.Invalid) {
      try reader.beginObject()
      while let name = try reader.nextName() {
        switch name {
        case "v": version = try reader.value()
        case "id": id = try reader.identifier()
        case "revokes": revokes = try reader.identifier()
        case "timer": timer = try reader.value()
        case "kind": kind = try reader.value()
        case "start": start = try reader.instant()
        case "end": end = try reader.instant()
        case "ending": ending = try reader.value()
        case "activeMs": activeTime = try reader.value()
        case "result": record.result = try reader.value()
        case "round": record.round = try reader.count()
        case "plannedMs": record.planned = try reader.integer().bounded
        case "phase": record.phase = try reader.value()
        case "pauses": record.pauses = try reader.value()
        case "session": record.session = try reader.value()
        case "zone": record.zone = try reader.value()
        case "interruptions": record.interruptions = try reader.count()
        case "fires": record.fires = try reader.count()
        case "missed": record.missed = try reader.count()
        case "note": record.note = try reader.value()
        case "command": record.command = try reader.value()
        default: try reader.skipValue()
        }
      }
    }
  }
}

extension StretchRecord.Pause: JSONReadable {
  package init(from reader: inout JSONReader) throws(JSONReader.Invalid) {
    let values: [Int64] = try reader.value()
    guard values.count == 2 else { throw JSONReader.Invalid() }
    self.init(start: values[0].bounded, length: values[1].bounded)
  }
}

extension JSONReader {
  fileprivate mutating func count() throws(Invalid) -> Int { Int(try integer()).boundedCount }

  /// Reads the identifier of a stretch.
  mutating func identifier() throws(Invalid) -> UInt64 {
    guard let number = Self.hexadecimal(try rawString()) else { throw Invalid() }
    return number
  }

  /// Reads a time in ISO 8601, as milliseconds since 1970 UTC.
  fileprivate mutating func instant() throws(Invalid) -> Int64 {
    guard let instant = CivilDate.milliseconds(iso8601: try rawString()) else { throw Invalid() }
    return instant
  }
}
