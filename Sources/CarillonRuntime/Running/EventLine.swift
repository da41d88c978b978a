import TimerBoard
import TimerKit

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
