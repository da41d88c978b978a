/// The events of a board, the newest last.
package struct EventLog: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    /// The number of the entry since the program started.
    package var number: Int
    /// Milliseconds since local midnight.
    package var milliseconds: Int
    /// The timer's label at that time; empty for an event of the board.
    package var label: String
    package var event: Event
    /// The text that a filter searches: all of the entry, in lower case.
    package let searchText: String
  }

  package enum Event: Hashable, Sendable {
    /// A fire, with its number and, if the run has an end, the number of all fires.
    case fired(Int, of: Int?, Fire)
    /// Another phase of a cycle began, or stands ready.
    case phaseBegan(String, isReady: Bool, Fire)
    /// The last fire of a run.
    case finished(Fire)
    /// The command has ended, with the new interval if the result changes it.
    case commandEnded(CommandResult, interval: Duration?)
    /// An action of the user, as the text of its report, or a change by the board, such as a removed successor.
    case action(String)
    /// An event without a time, or one of another process or outside the board, as text.
    case message(String)
    /// A successor that does not exist, as text.
    case problem(String)
  }

  private var list = BoundedList<Entry>(limit: 1_000)
  package private(set) var lastNumber = 0

  package var entries: ArraySlice<Entry> { list.elements }

  mutating func add(_ event: Event, label: String = "", at now: ClockReading) {
    let time = LocalTime(now)
    add(event, label: label, milliseconds: time.secondOfDay * 1000 + time.millisecond)
  }

  /// Adds an event of another process, as text.
  mutating func add(_ saved: SavedLogEntry) {
    let event: Event = saved.isAction ? .action(saved.text) : .message(saved.text)
    add(event, label: saved.label, milliseconds: saved.milliseconds)
  }

  private mutating func add(_ event: Event, label: String, milliseconds: Int) {
    lastNumber += 1
    list.append(
      Entry(
        number: lastNumber, milliseconds: milliseconds, label: label, event: event,
        searchText: "\(label) \(event.text) \(event.lateText())".searchable))
  }
}

extension EventLog.Event {
  package var text: String {
    switch self {
    case .fired(_, of: 1, _): "fired"
    case .fired(let number, let count, _):
      "fired, \(ordinal(number))" + (count.map { " of \($0)" } ?? "")
    case .phaseBegan(let phase, let isReady, _): "\(phase) \(isReady ? "is ready" : "begins")"
    case .finished: "finished"
    case .commandEnded(let result, let interval): result.text(next: interval)
    case .action(let text), .message(let text), .problem(let text): text
    }
  }

  /// A Boolean value that indicates whether the event is an ``action(_:)``.
  package var isAction: Bool { if case .action = self { true } else { false } }

  /// Returns the lateness and the missed fires; empty for an event without a time.
  /// - Parameter hidesShort: True to leave out a lateness below a second.
  package func lateText(hidesShort: Bool = false) -> String {
    switch self {
    case .fired(_, _, let fire), .phaseBegan(_, _, let fire), .finished(let fire):
      // A triggered fire is not manual, but has no scheduled time either.
      let late =
        fire.lateness.map {
          hidesShort && $0 < .seconds(1) ? "" : "late \(TimeText.lateness($0))"
        }
        ?? (fire.iteration == nil ? "" : "manual")
      let missed = fire.missed > 0 ? "\(fire.missed) missed" : ""
      return [missed, late].filter { !$0.isEmpty }.joined(separator: ", ")
    case .commandEnded, .action, .message, .problem: return ""
    }
  }
}
