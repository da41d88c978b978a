import TimerBoard
import TimerKit

/// The lines of events, as `carillon run` prints them.
struct EventLine {
  var isJSON: Bool
  var uses24Hours: Bool

  func text(_ report: EventReport, secondsFromUTC: Int) -> String {
    if isJSON {
      var object = JSONObject()
      object.add("time", report.time.iso8601)
      object.add("timer", report.timer)
      object.add("event", report.event.rawValue)
      if let phase = report.phase { object.add("phase", phase) }
      report.addFire(to: &object)
      return object.text
    }
    let time = report.time.timeOfDay(secondsFromUTC: secondsFromUTC, uses24Hours: uses24Hours)
    var words = [time, " " + report.timer.printable(), " " + event(report)]
    if report.missed > 0 { words.append("(\(report.missed) missed)") }
    return words.joined(separator: " ")
  }

  private func event(_ report: EventReport) -> String {
    switch report.event {
    case .phase: return "\((report.phase ?? "").printable()) begins"
    case .fired:
      let count = report.remaining.map { " of \(report.iteration + $0)" } ?? ""
      return "fired, \(report.iteration)\(count)"
    default: return report.event.rawValue
    }
  }

  func text(_ result: CommandResult, of timer: String, at time: WallInstant) -> String {
    var object = JSONObject()
    object.add("time", time.iso8601)
    object.add("timer", timer)
    object.add("event", "command")
    if case .exited(let status) = result.ending { object.add("status", Int(status)) }
    object.add("result", result.ending.text)
    return object.text
  }
}

/// A JSON object on one line, with its members in the order they were added.
struct JSONObject {
  private var members = JSONWriter()

  var text: String { "{\(String(decoding: members.bytes.dropFirst(), as: UTF8.self))}" }

  private mutating func add(_ name: String) {
    members.add(",")
    members.add(string: name)
    members.add(":")
  }

  mutating func add(_ name: String, _ value: some JSONWritable) {
    add(name)
    value.write(to: &members)
  }

  /// Adds a number, or `null`.
  mutating func add(_ name: String, _ value: Int?) {
    if let value { add(name, value) } else { add(name, json: "null") }
  }

  /// Adds a member whose value is already JSON.
  mutating func add(_ name: String, json value: String) {
    add(name)
    members.add(json: Array(value.utf8))
  }

  /// Adds a duration in seconds, with milliseconds as decimals.
  mutating func add(_ name: String, seconds duration: Duration) {
    add(name, Double(duration.clampedNanoseconds / 1_000_000) / 1000)
  }

  /// Returns a JSON string.
  static func quoted(_ text: String) -> String {
    var writer = JSONWriter()
    writer.add(string: text)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
