/// A parser for one line of the history: a flat JSON object. Members that it does not know are skipped.
///
/// It reads bytes without intermediate values, because a year has tens of thousands of lines and `carillon stats` is
/// expected to answer at once.
struct HistoryLineParser {
  /// The version of the format. A line of a newer version is not read.
  static let version: Int64 = 1
  /// The maximum depth of arrays and objects in members that are skipped.
  static let depthLimit = 16

  /// The longest active time that is believed: a hundred years, in milliseconds.
  private static let longest: Int64 = 3_155_760_000_000

  let bytes: ArraySlice<UInt8>
  var position: Int

  /// A line that cannot be read, for whatever reason.
  struct Invalid: Error {}

  private init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  /// Parses a line without its end.
  /// - Returns: `nil` if it is not a complete line of the history.
  static func line(_ bytes: ArraySlice<UInt8>) -> HistoryLine? {
    var parser = HistoryLineParser(bytes)
    return try? parser.object()
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
    guard position == bytes.endIndex, members.version == Self.version else { throw Invalid() }
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
    _ name: ArraySlice<UInt8>, _ members: inout Members
  ) throws(Invalid) {
    switch name.first {
    case UInt8(ascii: "v") where name.count == 1: members.version = try integer()
    case UInt8(ascii: "i") where name.isEqual("id"): members.id = try identifier()
    case UInt8(ascii: "r") where name.isEqual("revokes"): members.revokes = try identifier()
    case UInt8(ascii: "r") where name.isEqual("result"): members.record.result = try string()
    case UInt8(ascii: "r") where name.isEqual("round"): members.record.round = try count()
    case UInt8(ascii: "t") where name.isEqual("timer"): members.timer = try string()
    case UInt8(ascii: "k") where name.isEqual("kind"):
      members.kind = StretchRecord.Kind(rawValue: try string())
    case UInt8(ascii: "e") where name.isEqual("ending"):
      members.ending = StretchRecord.Ending(rawValue: try string())
    case UInt8(ascii: "s") where name.isEqual("start"): members.start = try instant()
    case UInt8(ascii: "e") where name.isEqual("end"): members.end = try instant()
    case UInt8(ascii: "a") where name.isEqual("activeMs"): members.active = try integer()
    case UInt8(ascii: "p") where name.isEqual("plannedMs"):
      members.record.planned = try integer().bounded
    case UInt8(ascii: "p") where name.isEqual("phase"): members.record.phase = try string()
    case UInt8(ascii: "p") where name.isEqual("pauses"): members.record.pauses = try pauses()
    case UInt8(ascii: "s") where name.isEqual("session"): members.record.session = try string()
    case UInt8(ascii: "z") where name.isEqual("zone"): members.record.zone = try string()
    case UInt8(ascii: "i") where name.isEqual("interruptions"):
      members.record.interruptions = try count()
    case UInt8(ascii: "f") where name.isEqual("fires"): members.record.fires = try count()
    case UInt8(ascii: "m") where name.isEqual("missed"): members.record.missed = try count()
    case UInt8(ascii: "n") where name.isEqual("note"): members.record.note = try string()
    case UInt8(ascii: "c") where name.isEqual("command"): members.record.command = try string()
    default: try skipValue(depth: 0)
    }
  }
}

extension ArraySlice<UInt8> {
  fileprivate func isEqual(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount
      && text.withUTF8Buffer { elementsEqual($0) }
  }
}
