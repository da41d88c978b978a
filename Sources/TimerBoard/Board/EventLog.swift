import TimerKit

/// The events of a board, the newest last.
package struct EventLog: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    /// The number of the entry since the program started.
    package var number: Int
    /// Milliseconds since local midnight.
    package var milliseconds: Int
    /// The timer's label at that time; empty for what concerns the board.
    package var label: String
    package var event: Event
    /// The text that a filter searches: all of the entry, in lower case.
    package let searchText: String

    init(number: Int, milliseconds: Int, label: String, event: Event) {
      self.number = number
      self.milliseconds = milliseconds
      self.label = label
      self.event = event
      searchText = "\(label) \(event.text) \(event.lateText)".searchable
    }
  }

  package enum Event: Hashable, Sendable {
    /// A fire: which one, of how many if there is an end.
    case fired(Int, of: Int?, Fire)
    /// Another phase of a cycle began.
    case began(String, Fire)
    /// The last fire there was to come.
    case finished(Fire)
    case stale
    /// It starts because another timer has finished.
    case startedBy(String)
    /// It was to start a timer that is not there.
    case noSuccessor(String)
    /// Its command has ended, and it has another interval because of that.
    case commandEnded(CommandResult, interval: Duration?)
    /// A command, in the words of its report.
    case action(String)
  }

  private var list = BoundedList<Entry>(limit: 1_000)
  package private(set) var lastNumber = 0

  package var entries: ArraySlice<Entry> { list.elements }

  mutating func add(_ event: Event, label: String = "", at now: ClockReading) {
    lastNumber += 1
    let time = LocalTime(now)
    list.append(
      Entry(
        number: lastNumber, milliseconds: time.second * 1000 + time.millisecond, label: label,
        event: event))
  }
}

extension EventLog.Event {
  package var text: String {
    switch self {
    case .fired(_, of: 1, _): "fired"
    case .fired(let number, let count, _):
      "fired, \(Self.ordinal(number))" + (count.map { " of \($0)" } ?? "")
    case .began(let phase, _): "\(phase) begins"
    case .finished: "finished"
    case .stale: "late fire rejected"
    case .startedBy(let name): "started by \(name)"
    case .noSuccessor(let name): "no timer '\(name)' to start"
    case .commandEnded(let result, let interval): result.text(next: interval)
    case .action(let text): text
    }
  }

  /// How late it was and what it missed; empty for an event without a time.
  package var lateText: String {
    switch self {
    case .fired(_, _, let fire), .began(_, let fire), .finished(let fire):
      // What was triggered comes by itself, but has no time at which it was due from the beginning.
      let late =
        fire.lateness.map { "late \(TimeText.lateness($0))" }
        ?? (fire.iteration == nil ? "" : "by hand")
      return fire.missed > 0 ? "\(fire.missed) missed, \(late)" : late
    case .stale, .startedBy, .noSuccessor, .commandEnded, .action: return ""
    }
  }

  /// `1st`, `2nd`, `3rd`, `11th`.
  private static func ordinal(_ number: Int) -> String {
    let ending =
      switch (number % 100, number % 10) {
      case (11...13, _): "th"
      case (_, 1): "st"
      case (_, 2): "nd"
      case (_, 3): "rd"
      default: "th"
      }
    return "\(number)\(ending)"
  }
}
