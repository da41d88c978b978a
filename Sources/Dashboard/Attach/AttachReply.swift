import TerminalCore
import TimerBoard
import TimerKit

/// A reply of the inspector of another process. All of it is checked, because a process can send anything.
package enum AttachReply: Sendable {
  case hello(AttachedProcess)
  case page(AttachedPage)
  case done
  case refused(String)
}

/// A process that publishes its timers.
package struct AttachedProcess: Sendable {
  package let id: Int64
  package let name: String
  package let allowsControls: Bool
}

/// The timers that one screen shows, and the totals of their process.
package struct AttachedPage: Sendable {
  /// The numbers of all timers, of those that the filter keeps, and of those that are armed.
  package let listed, matching, pending: Int64
  /// The fires and the wake-ups since the inspector began to count.
  let fired, wakeUps: Int64
  /// The lateness that 99 % of the newest fires did not exceed; `nil` without a fire.
  let late99: Int64?
  var timers: [AttachedTimer]
}

/// A timer of another process. Times are in nanoseconds.
struct AttachedTimer: Sendable {
  let id: Int64
  let kind, label: String
  let state: TimerState
  /// The state in the protocol.
  let stateName: String
  let remaining, iterations, interval, left, late: Int64?
  let fired, missed, stale: Int64
  let queue, place: String

  var name: String { label.isEmpty ? kind : label }
  var timerID: TimerID { TimerID(Int(id)) }
  /// A Boolean value that indicates whether the time left passes.
  var isRunning: Bool { state == .running }
  /// A Boolean value that indicates whether a fire waits, for its time or for the queue.
  var isPending: Bool { stateName == "pending" }
  var countsUp: Bool { kind == "stopwatch" }
  /// A Boolean value that indicates whether the timer fires again by itself.
  var repeats: Bool { ["repeater", "countdown", "cycle"].contains(kind) }
}

/// An error of a reply, as a sentence without its subject: the process.
package struct AttachError: Error, Hashable, CustomStringConvertible {
  /// The error of a process that has closed the connection.
  package static let ended = AttachError("has ended")

  package let description: String

  package init(_ description: String = "sent an invalid reply") {
    self.description = description
  }
}

extension AttachReply {
  /// The maximum length of a reply, which an empty line ends.
  package static let sizeLimit = 1 << 18

  /// - Parameter bytes: The lines of a reply, each with its end.
  package init(_ bytes: [UInt8]) throws(AttachError) {
    // Split as bytes: with a combining mark, a separator would be another character.
    let lines = bytes.split(separator: UInt8(ascii: "\n")).prefix(202).map { line in
      line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self).plainLine(maxBytes: 200) }
    }
    guard let first = lines.first else { throw AttachError() }
    switch (first[0], first.count) {
    case ("timerkit", 2...) where first[1] != "1":
      throw AttachError("speaks version '\(first[1])' of the protocol (expected 1)")
    case ("timerkit", 5):
      guard let id = Int64(first[2]) else { throw AttachError() }
      self = .hello(AttachedProcess(id: id, name: first[3], allowsControls: first[4] == "1"))
    case ("totals", 7) where lines.count <= 201:
      let numbers = try Self.numbers(first.dropFirst())
      let counts = numbers.map { max(0, $0 ?? 0) }
      var timers: [AttachedTimer] = []
      for line in lines.dropFirst() { timers.append(try AttachedTimer(line)) }
      self = .page(
        AttachedPage(
          listed: counts[0], matching: counts[1], pending: counts[2], fired: counts[3],
          wakeUps: counts[5], late99: numbers[4], timers: timers))
    case ("ok", 1): self = .done
    case ("refused", 2), ("error", 2): self = .refused(first[1])
    default: throw AttachError()
    }
  }

  fileprivate static func numbers(_ fields: ArraySlice<String>) throws(AttachError) -> [Int64?] {
    var numbers: [Int64?] = []
    for field in fields {
      numbers.append(Int64(field))
      if numbers.last == .some(nil), !field.isEmpty { throw AttachError() }
    }
    return numbers
  }
}

extension AttachedTimer {
  private static let states: [String: TimerState] = [
    "idle": .idle, "running": .running, "paused": .paused, "finished": .finished,
    "cancelled": .cancelled, "pending": .running,
  ]

  fileprivate init(_ fields: [String]) throws(AttachError) {
    guard fields.count == 15, fields[0] == "timer", let id = Int64(fields[1]),
      let state = Self.states[fields[4]]
    else { throw AttachError() }
    let numbers = try AttachReply.numbers(fields[5...12])
    let counts = numbers.map { max(0, $0 ?? 0) }
    (self.id, kind, label, self.state, stateName) = (id, fields[2], fields[3], state, fields[4])
    (remaining, iterations, interval) = (numbers[0], numbers[1], numbers[2])
    (left, late, fired, missed, stale) = (numbers[3], numbers[4], counts[5], counts[6], counts[7])
    (queue, place) = (fields[13], fields[14])
  }
}
