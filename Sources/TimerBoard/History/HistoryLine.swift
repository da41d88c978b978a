/// A line of the history: a JSON object.
package enum HistoryLine: Hashable, Sendable {
  case record(StretchRecord)
  /// The stretch was continued by undo, and does not count.
  case revocation(of: UInt64)
  /// The result of a command that ended after the stretch that it belongs to.
  case result(String, of: UInt64)

  /// The version of the format. A line of a newer version is not read.
  fileprivate static let version = 1

  /// Reads a line of a file of the history. Members that it does not know are skipped.
  /// - Parameter range: The position of the line in the bytes, without its line break.
  /// - Returns: `nil` if it is not a complete line.
  init?(_ bytes: [UInt8], in range: Range<Int>) {
    if let record = try? StretchRecord(json: bytes, in: range) {
      guard record.version == Self.version else { return nil }
      self = .record(record)
    } else if let note = try? HistoryNote(json: bytes, in: range), note.version == Self.version {
      switch (note.revokes, note.id, note.result) {
      case (let id?, _, _): self = .revocation(of: id)
      case (_, let id?, let result?): self = .result(result, of: id)
      default: return nil
      }
    } else {
      return nil
    }
  }

  /// The line, with its end.
  package var bytes: [UInt8] {
    switch self {
    case .record(let record): record.jsonLine
    case .revocation(let id): HistoryNote(revokes: id).jsonLine
    case .result(let text, let id): HistoryNote(id: id, result: text).jsonLine
    }
  }
}

/// A line about the stretch of another line.
private struct HistoryNote: JSONFields {
  var version = HistoryLine.version
  var revokes: UInt64?
  var id: UInt64?
  var result: String?

  mutating func fields<F: JSONMembers>(_ field: inout F) throws(F.Failure) {
    try field("v", &version)
    try field("revokes", &revokes)
    try field("id", &id)
    try field("result", &result)
  }
}

extension StretchRecord: JSONFields {
  package init() {
    self.init(id: 0, timer: "", kind: .once, start: 0, end: 0, ending: .finished, activeTime: 0)
  }

  /// Visits the members. Times are in UTC; those in milliseconds are integers, so that sums are exact. Numbers of a
  /// file are clamped to ranges in which sums do not overflow.
  package mutating func fields<F: JSONMembers>(_ field: inout F) throws(F.Failure) {
    var (begin, last) = (UTCInstant(milliseconds: start), UTCInstant(milliseconds: end))
    try field("v", &version)
    try field("id", &id)
    try field("timer", &timer)
    try field("kind", &kind)
    try field("phase", &phase)
    try field("round", &round)
    try field("session", &session)
    try field("start", &begin)
    try field("end", &last)
    try field("zone", &zone)
    try field("ending", &ending)
    try field("plannedMs", &planned)
    try field("activeMs", &activeTime)
    try field("interruptions", &interruptions)
    try field("pauses", &pauses, default: [])
    try field("fires", &fires)
    try field("missed", &missed)
    try field("result", &result)
    try field("note", &note)
    try field("command", &command)
    (start, end) = (begin.milliseconds, max(begin.milliseconds, last.milliseconds))
    activeTime = min(max(0, activeTime), Self.longest)
    (round, planned) = (round?.boundedCount, planned?.bounded)
    (interruptions, fires) = (interruptions.boundedCount, fires.boundedCount)
    missed = missed.boundedCount
  }
}

/// A pause is a list of its start and its length.
extension StretchRecord.Pause: JSONValue {
  package init(from reader: inout JSONReader) throws(JSONReader.Invalid) {
    let values: [Int64] = try reader.value()
    guard values.count == 2 else { throw JSONReader.Invalid() }
    self.init(start: values[0].bounded, length: values[1].bounded)
  }

  package func write(to writer: inout JSONWriter) { [start, length].write(to: &writer) }
}

/// Milliseconds since 1970 UTC, which are written in ISO 8601.
private struct UTCInstant {
  var milliseconds: Int64
}

extension UTCInstant: JSONValue {
  init(from reader: inout JSONReader) throws(JSONReader.Invalid) {
    guard let milliseconds = CivilDate.milliseconds(iso8601: try reader.rawString()) else {
      throw JSONReader.Invalid()
    }
    self.milliseconds = milliseconds
  }

  func write(to writer: inout JSONWriter) { writer.add(string: CivilDate.iso8601(milliseconds)) }
}
