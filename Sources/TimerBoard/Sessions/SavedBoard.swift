/// The state of a board, from which another process can continue it.
package struct SavedBoard: Hashable, Sendable {
  /// The use of a saved board, which determines what it contains.
  package enum Purpose: Hashable, Sendable {
    /// The timers alone.
    case list
    /// The log too, as in a session that is opened again.
    case session
    /// The steps that can be undone or redone too, for another process that continues the board.
    case handOver
  }

  /// The maximum number of entries of the log that are saved.
  static let logLimit = 200

  package var timers: [SavedTimer]
  /// For each timer, whether "pause all" has paused it.
  package var pausedTogether: [Bool]
  package var log: [SavedLogEntry]
  /// A Boolean value that indicates whether bell and notifications are off.
  package var isMuted: Bool
  /// The steps to undo, then those to redo, each with the newest last.
  package var steps: [SavedStep]

  package init(
    timers: [SavedTimer], pausedTogether: [Bool], log: [SavedLogEntry],
    isMuted: Bool, steps: [SavedStep]
  ) {
    self.pausedTogether = pausedTogether
    self.steps = steps
    self.isMuted = isMuted
    self.timers = timers
    self.log = log
  }
}

/// An entry of a log as text.
package struct SavedLogEntry: Encodable, JSONReadable, Hashable, Sendable {
  /// Milliseconds since local midnight.
  var milliseconds: Int
  var label: String
  var text: String
  /// A Boolean value that indicates whether it is an action of the user.
  var isAction: Bool

  private enum CodingKeys: String, CodingKey {
    case milliseconds = "time"
    case label = "timer"
    case text
    case isAction = "action"
  }

  init(_ entry: EventLog.Entry) {
    milliseconds = entry.milliseconds
    label = entry.label
    isAction = entry.event.isAction
    let late = entry.event.lateText
    text = entry.event.text + (late.isEmpty ? "" : ", \(late)")
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(milliseconds, forKey: .milliseconds)
    try container.encode(label, forKey: .label)
    try container.encode(text, forKey: .text)
    if isAction { try container.encode(true, forKey: .isAction) }
  }

  /// Reads an entry, and clamps its time to a day.
  package init(from reader: inout JSONReader) throws(JSONReader.Invalid) {
    let day = 24 * 3_600_000
    var (milliseconds, label, text): (Int?, String?, String?)
    isAction = false
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "time": milliseconds = min(max(0, try reader.value()), day - 1)
      case "timer": label = try reader.value()
      case "text": text = try reader.value()
      case "action": isAction = try reader.value()
      default: try reader.skipValue()
      }
    }
    guard let milliseconds, let label, let text else { throw JSONReader.Invalid() }
    (self.milliseconds, self.label, self.text) = (milliseconds, label, text)
  }
}
