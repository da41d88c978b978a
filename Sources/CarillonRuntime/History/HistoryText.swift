import TerminalCore
import TimerBoard

/// The output of `carillon history`.
struct HistoryText {
  var uses24Hours: Bool

  /// Returns the stretches by day, one on each line.
  func list(_ records: [StretchRecord], _ calendar: inout LocalCalendar) -> String {
    let width = records.map { min(24, $0.title.printable().cellWidth) }.max() ?? 0
    var text = ""
    var last: CivilDate?
    for record in records {
      let segment = calendar.segment(at: record.start)
      if segment.day != last {
        text += "\(last == nil ? "" : "\n")\(segment.day.weekdayName) \(segment.day.text)\n"
        last = segment.day
      }
      text += line(record, at: segment, width: width) + "\n"
    }
    return text
  }

  private func line(_ record: StretchRecord, at segment: LocalCalendar.Segment, width: Int)
    -> String
  {
    let second = (record.start + segment.offset - Int64(segment.day.day) * 86_400_000) / 1000
    let time = TimeText.timeOfDay(Int(second), showsSeconds: true, uses24Hours: uses24Hours)
    let name = record.title.printable()
    let activeTime = TimeText.clock(record.activeTime / 1000, showsTenths: false)
    var words = [
      "  \(time)", name.padded(to: width), activeTime.padded(to: 8, alignedRight: true),
    ]
    words.append(record.ending.rawValue)
    if let planned = record.planned, record.ending != .finished {
      words.append("of \(TimeText.clock(planned / 1000, showsTenths: false))")
    }
    if record.interruptions > 0 { words.append(counted(record.interruptions, "pause")) }
    if record.kind == .every { words.append(counted(record.fires, "fire")) }
    if record.missed > 0 { words.append("\(record.missed) missed") }
    if let result = record.result { words.append(result.printable()) }
    if let note = record.note { words.append("'\(note.printable())'") }
    return words.joined(separator: "  ")
  }

  /// Returns the stretches as in the files, one JSON object on each line.
  func json(_ records: [StretchRecord]) -> String {
    records.map { String(decoding: $0.jsonLine, as: UTF8.self) }.joined()
  }

  /// Returns the stretches as comma-separated values with a line of names (RFC 4180).
  func csv(_ records: [StretchRecord]) -> String {
    var text =
      "id,timer,kind,phase,round,session,start,end,zone,ending,plannedMs,activeMs,interruptions,"
      + "fires,missed,result,note,command\r\n"
    for record in records {
      let fields: [String] = [
        record.id.hexadecimal, record.timer, record.kind.rawValue, record.phase ?? "",
        record.round.map(String.init) ?? "", record.session ?? "", CivilDate.iso8601(record.start),
        CivilDate.iso8601(record.end), record.zone, record.ending.rawValue,
        record.planned.map(String.init) ?? "", String(record.activeTime),
        String(record.interruptions), String(record.fires), String(record.missed),
        record.result ?? "", record.note ?? "", record.command ?? "",
      ]
      text += fields.map(Self.csvField).joined(separator: ",") + "\r\n"
    }
    return text
  }

  static func csvField(_ text: String) -> String {
    let needsQuotes = text.utf8.contains { byte in
      byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte < 0x20
    }
    guard needsQuotes else { return text.printable() }
    let quoted = text.replacing("\"", with: "\"\"")
    return "\"\(quoted.printable(keepingLines: true))\""
  }
}
