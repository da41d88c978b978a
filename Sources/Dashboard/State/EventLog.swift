import TimerKit

/// What happened, the newest last.
struct EventLog: Hashable, Sendable {
  struct Entry: Hashable, Sendable {
    /// Counts on for as long as the program runs.
    var number: Int
    /// Since local midnight.
    var milliseconds: Int
    /// The timer's name, as it was then; empty for what a command did.
    var label: String
    var event: Event
    /// What a filter looks in: all of it, in lower case.
    let sought: String

    init(number: Int, milliseconds: Int, label: String, event: Event) {
      self.number = number
      self.milliseconds = milliseconds
      self.label = label
      self.event = event
      sought = "\(label) \(event.text) \(event.lateText)".searchable
    }
  }

  enum Event: Hashable, Sendable {
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
    /// A person's command, in the words of its message.
    case deed(String)
  }

  private var list = BoundedList<Entry>(limit: 1_000)
  private(set) var lastNumber = 0

  var entries: ArraySlice<Entry> { list.elements }

  mutating func add(_ event: Event, label: String = "", at now: Moment) {
    lastNumber += 1
    let time = LocalTime(now)
    list.append(
      Entry(
        number: lastNumber, milliseconds: time.second * 1000 + time.millisecond, label: label,
        event: event))
  }
}

extension EventLog.Event {
  var text: String {
    switch self {
    case .fired(_, of: 1, _): "fired"
    case .fired(let number, let count, _):
      "fired, \(Self.ordinal(number))" + (count.map { " of \($0)" } ?? "")
    case .began(let phase, _): "\(phase) begins"
    case .finished: "finished"
    case .stale: "a fire came after its time was taken, and was refused"
    case .startedBy(let name): "started by \(name)"
    case .noSuccessor(let name): "no timer is called “\(name)” that could start"
    case .commandEnded(let result, let interval): result.text(next: interval)
    case .deed(let text): text
    }
  }

  /// How late it was, and what it missed; empty where there is nothing to say.
  var lateText: String {
    switch self {
    case .fired(_, _, let fire), .began(_, let fire), .finished(let fire):
      // What was triggered comes by itself, but has no time at which it was due from the beginning.
      let late =
        fire.lateness.map { "late \(TimeText.lateness($0))" }
        ?? (fire.iteration == nil ? "" : "by hand")
      return fire.missed > 0 ? "\(fire.missed) missed, \(late)" : late
    case .stale, .startedBy, .noSuccessor, .commandEnded, .deed: return ""
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
