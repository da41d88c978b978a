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
  private var members: [String] = []

  var text: String { "{" + members.joined(separator: ",") + "}" }

  mutating func add(_ name: String, _ value: String) {
    members.append("\(Self.quoted(name)):\(Self.quoted(value))")
  }

  mutating func add(_ name: String, _ value: Int?) {
    members.append("\(Self.quoted(name)):\(value.map { String($0) } ?? "null")")
  }

  /// Adds a member whose value is already JSON.
  mutating func add(_ name: String, json value: String) {
    members.append("\(Self.quoted(name)):\(value)")
  }

  mutating func add(_ name: String, _ value: Double) {
    members.append("\(Self.quoted(name)):\(value)")
  }

  /// Adds a duration in seconds, with milliseconds as decimals.
  mutating func add(_ name: String, seconds duration: Duration) {
    add(name, Double(duration.clampedNanoseconds / 1_000_000) / 1000)
  }

  /// Returns a JSON string. Characters that a terminal might interpret as a command are escaped.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case _ where scalar.isTerminalControl:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
