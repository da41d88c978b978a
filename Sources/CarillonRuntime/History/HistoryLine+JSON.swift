import TimerBoard

extension HistoryLine {
  /// The line as a JSON object, without the end of the line.
  var json: String {
    var object = JSONObject()
    object.add("v", 1)
    switch self {
    case .revocation(let id): object.add("revokes", id.hexadecimal)
    case .result(let text, let id):
      object.add("id", id.hexadecimal)
      object.add("result", text)
    case .record(let record): record.add(to: &object)
    }
    return object.text
  }
}

extension StretchRecord {
  /// Adds the members of a record. Times are in UTC; those in milliseconds are integers, so that sums are exact.
  func add(to object: inout JSONObject) {
    object.add("id", id.hexadecimal)
    object.add("timer", timer)
    object.add("kind", kind.rawValue)
    if let phase { object.add("phase", phase) }
    if let round { object.add("round", round) }
    if let session { object.add("session", session) }
    object.add("start", CivilDate.iso8601(start))
    object.add("end", CivilDate.iso8601(end))
    object.add("zone", zone)
    object.add("ending", ending.rawValue)
    if let planned { object.add("plannedMs", Int(planned)) }
    object.add("activeMs", Int(activeTime))
    object.add("interruptions", interruptions)
    if !pauses.isEmpty {
      let list = pauses.map { "[\($0.start),\($0.length)]" }.joined(separator: ",")
      object.add("pauses", json: "[\(list)]")
    }
    object.add("fires", fires)
    object.add("missed", missed)
    if let result { object.add("result", result) }
    if let note { object.add("note", note) }
    if let command { object.add("command", command) }
  }
}

extension UInt64 {
  var hexadecimal: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}
