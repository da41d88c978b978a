import TimerBoard
import TimerKit

/// A JSON object on one line, with its members in the order they were added.
struct JSONObject {
  private var members = JSONWriter()

  var text: String { "{\(String(decoding: members.bytes.dropFirst(), as: UTF8.self))}" }

  private mutating func add(_ name: String) {
    members.add(",")
    members.add(string: name)
    members.add(":")
  }

  mutating func add(_ name: String, _ value: some JSONValue) {
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
