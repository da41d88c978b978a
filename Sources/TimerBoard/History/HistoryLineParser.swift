/// A parser for the lines of a file of the history, each of which is a JSON object. Members that it does not know are
/// skipped.
///
/// It reads bytes without intermediate values, because a year has tens of thousands of lines and `carillon stats` is
/// expected to answer at once.
struct HistoryLineParser {
  /// The version of the format. A line of a newer version is not read.
  static let version: Int64 = 1
  /// The maximum depth of arrays and objects in members that are skipped.
  static let depthLimit = 16

  /// The longest valid active time: a hundred years, in milliseconds.
  private static let longest: Int64 = 3_155_760_000_000

  let bytes: [UInt8]
  var position = 0
  /// The end of the line.
  var end = 0

  /// A line that cannot be read, for whatever reason.
  struct Invalid: Error {}

  /// - Parameter bytes: The contents of a file.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Parses a line without its line break.
  /// - Parameter range: The position of the line in the file.
  /// - Returns: `nil` if it is not a complete line of the history.
  mutating func line(_ range: Range<Int>) -> HistoryLine? {
    position = range.lowerBound
    end = range.upperBound
    return try? object()
  }

  private struct Members {
    var version: Int64?
    var id: UInt64?
    var revokes: UInt64?
    var timer: String?
    var kind: StretchRecord.Kind?
    var start: Int64?
    var end: Int64?
    var ending: StretchRecord.Ending?
    var active: Int64?
    var record = StretchRecord(
      id: 0, timer: "", kind: .once, start: 0, end: 0, ending: .finished, active: 0)
  }

  private mutating func object() throws(Invalid) -> HistoryLine {
    var members = Members()
    try expect(UInt8(ascii: "{"))
    while true {
      let name = try key()
      try expect(UInt8(ascii: ":"))
      try member(name, &members)
      skipBlanks()
      let separator = try next()
      if separator == UInt8(ascii: "}") { break }
      guard separator == UInt8(ascii: ",") else { throw Invalid() }
    }
    skipBlanks()
    guard position == end, members.version == Self.version else { throw Invalid() }
    return try Self.line(members)
  }

  private static func line(_ members: Members) throws(Invalid) -> HistoryLine {
    if let revoked = members.revokes { return .revocation(of: revoked) }
    guard let id = members.id else { throw Invalid() }
    var record = members.record
    guard let timer = members.timer else {
      guard let result = record.result else { throw Invalid() }
      return .result(result, of: id)
    }
    guard let kind = members.kind, let ending = members.ending, let start = members.start,
      let end = members.end, let active = members.active, (0...longest).contains(active)
    else { throw Invalid() }
    (record.id, record.timer, record.kind, record.ending) = (id, timer, kind, ending)
    (record.start, record.end, record.active) = (start, max(start, end), active)
    return .record(record)
  }

  private mutating func member(
    _ name: Range<Int>, _ members: inout Members
  ) throws(Invalid) {
    guard let first = name.first.map({ bytes[$0] }) else { return try skipValue(depth: 0) }
    switch first {
    case UInt8(ascii: "v") where name.count == 1: members.version = try integer()
    case UInt8(ascii: "i") where isEqual(name, "id"): members.id = try identifier()
    case UInt8(ascii: "r") where isEqual(name, "revokes"): members.revokes = try identifier()
    case UInt8(ascii: "r") where isEqual(name, "result"): members.record.result = try string()
    case UInt8(ascii: "r") where isEqual(name, "round"): members.record.round = try count()
    case UInt8(ascii: "t") where isEqual(name, "timer"): members.timer = try string()
    case UInt8(ascii: "k") where isEqual(name, "kind"):
      members.kind = StretchRecord.Kind(rawValue: try string())
    case UInt8(ascii: "e") where isEqual(name, "ending"):
      members.ending = StretchRecord.Ending(rawValue: try string())
    case UInt8(ascii: "s") where isEqual(name, "start"): members.start = try instant()
    case UInt8(ascii: "e") where isEqual(name, "end"): members.end = try instant()
    case UInt8(ascii: "a") where isEqual(name, "activeMs"): members.active = try integer()
    case UInt8(ascii: "p") where isEqual(name, "plannedMs"):
      members.record.planned = try integer().bounded
    case UInt8(ascii: "p") where isEqual(name, "phase"): members.record.phase = try string()
    case UInt8(ascii: "p") where isEqual(name, "pauses"): members.record.pauses = try pauses()
    case UInt8(ascii: "s") where isEqual(name, "session"): members.record.session = try string()
    case UInt8(ascii: "z") where isEqual(name, "zone"): members.record.zone = try string()
    case UInt8(ascii: "i") where isEqual(name, "interruptions"):
      members.record.interruptions = try count()
    case UInt8(ascii: "f") where isEqual(name, "fires"): members.record.fires = try count()
    case UInt8(ascii: "m") where isEqual(name, "missed"): members.record.missed = try count()
    case UInt8(ascii: "n") where isEqual(name, "note"): members.record.note = try string()
    case UInt8(ascii: "c") where isEqual(name, "command"): members.record.command = try string()
    default: try skipValue(depth: 0)
    }
  }
}
