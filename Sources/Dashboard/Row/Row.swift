import TimerBoard
import TimerKit

/// All that anyone shows of a timer at an instant. A view chooses fields and widths; none computes one.
///
/// A row is built only for a timer that is visible. What orders timers and measures columns are numbers of the board.
struct Row: Sendable {
  let id: TimerID
  /// The name, or the kind if there is no name.
  let label: String
  /// The kind with the successor: `every 45s ×8 → tea`.
  let kind: String
  /// The names by which rows belong together.
  let links: Links
  let state: State
  let time: Time
  /// `nil` for a timer that has nothing to fill, such as an alarm.
  var progress: Progress?
  let iterations: TimerMachine.Iterations
  /// The plan, such as the round or the time of the end.
  let plan: Plan
  /// The result of the command, the next phase, the successor and the note, without those that the timer does not have.
  var remarks: [String] = []
  /// The name of the current phase of a cycle, and the one that follows it; `nil` without one.
  var (phase, nextPhase): (name: String?, next: String?) = (nil, nil)
  /// The round of a cycle: `2 of 4`.
  var round: String?
  /// `nil` without an alert that nobody has acknowledged.
  var alert: Alert?
  /// A Boolean value that indicates whether the last run of the timer's command failed.
  var hasFailed = false
  /// The past and future fires: its lane on the timeline.
  var events = Events()
  /// The facts that are known only of the timers of another process; `nil` for one of the own board.
  var delivery: Delivery?
  /// The instant at which the digits, the bar or the overtime next change; `nil` if they do not.
  let nextChange: TimerClock.Instant?

  /// The name of the timer, its group, and the name of what it starts.
  struct Links: Hashable, Sendable {
    var name: String?
    var group: String?
    var successor: String?
  }

  /// The plan and the instants that it is made of.
  struct Plan: Hashable, Sendable {
    /// `every 45s`, `round 2 of 4`, `rings at 14:35`, `done 12m ago`.
    var text: String
    /// The iterations that are left, in words, where no column counts them: `7 left`; `nil` if the text is no plan of a
    /// timer that repeats.
    var countText: String?
    /// The time of the end of a timer that has finished: `rang at 14:30`, `done 12m ago`.
    var endText: String?
    /// The time of the next fire with seconds, and with the day unless it is today.
    var due: String?
    /// A Boolean value that indicates whether the timer has one fire.
    var isOnce = false
    /// The instant at which the text of a timer that does not run changes; `nil` if it does not.
    var nextChange: TimerClock.Instant?
  }

  /// The lateness, the queue and the origin of a timer of another process.
  struct Delivery: Hashable, Sendable {
    /// The lateness of the most recent fire.
    var lateness: Duration?
    var (missed, stale): (Int64, Int64) = (0, 0)
    /// The label of the queue, and the place in the source where the timer was created.
    var (queue, place) = ("", "")
  }

  /// An alert that nobody has acknowledged.
  struct Alert: Hashable, Sendable {
    /// The event: `rang at 14:29`, `rest ready`.
    let text: String
    /// A Boolean value that indicates whether the time since the end counts.
    let countsOvertime: Bool
  }
}

extension Row {
  /// The state of a timer in a symbol and in a word.
  struct State: Hashable, Sendable {
    let timer: TimerState
    /// The symbol; in the last ten seconds a bold `!`.
    let symbol: String
    /// `new`, `runs`, `paused`, `done`, `rang`, or the phase of a cycle.
    let word: String
    /// The role of the state alone: `executing` while the command runs.
    let base: Role
    /// The role of the timer while it runs: for a cycle, that of its phase.
    let running: Role
    /// The role in which the state is shown: that of an alert, a failure or the last ten seconds precedes the others.
    let role: Role
  }

  /// The time that a row shows.
  struct Time: Hashable, Sendable {
    enum Meaning: Hashable, Sendable {
      case left, elapsed, overtime, none
    }

    let meaning: Meaning
    /// The time in whole units; `nil` if the row shows none.
    let units: Int64?
    /// The largest time that is shown until the next event.
    let widestUnits: Int64
    /// A Boolean value that indicates whether a unit is a tenth of a second.
    let showsTenths: Bool
    /// The role in which the time is shown.
    var role = Role.time
    var isBold = false
    /// A Boolean value that indicates whether these are the last ten seconds of a period of half a minute or more.
    var isUrgent = false
  }

  /// The contents of the bar.
  enum Progress: Hashable, Sendable {
    /// The part of the period that has passed.
    case bar(Double, Role)
    case phases(Phases)
    /// The instants of laps, in proportion to the time so far.
    case laps([Double])
    /// The triggers and fires of a timer that waits for triggers, in words.
    case counts(CallSnapshot)
  }

  /// All phases of a cycle with an end.
  struct Phases: Hashable, Sendable {
    /// The durations of the phases of a round in seconds.
    let seconds: [Double]
    /// The number of the current phase, and that of all phases through all rounds.
    let current, count: Int
    /// The part of the current phase that has passed, and its role.
    let part: Double
    let role: Role
    let state: TimerState
  }
}

extension Row {
  var needsAttention: Bool { alert != nil }
  var isUrgent: Bool { time.isUrgent }
  /// A Boolean value that indicates whether the row has a bar.
  var hasBar: Bool { if case .counts = progress { false } else { progress != nil } }
  /// The counts of a timer that waits for triggers; `nil` for others.
  var calls: CallSnapshot? { if case .counts(let calls) = progress { calls } else { nil } }

  var labelRole: Role { needsAttention ? .alert : hasFailed ? .failure : .selectedName }
  /// The role of the plan and the remarks below or beside the name.
  var remarkRole: Role { hasFailed ? .failure : .faint }
  var remarkText: String { remarks.joined(separator: " · ") }
  /// The plan and the remarks in words, with the iterations that are left.
  var words: [String] {
    let plan = [plan.text, plan.countText ?? ""].filter { !$0.isEmpty }.joined(separator: ", ")
    return (plan.isEmpty ? [] : [plan]) + remarks
  }

  /// Returns the counts of triggers and fires that fit in place of the bar; `nil` if none fits, or for a timer that
  /// does not wait for triggers.
  func triggerText(in width: Int) -> String? {
    guard let calls else { return nil }
    guard calls.callCount > 0 else {
      return ["not triggered yet", "no fires"].first { $0.utf8.count <= width }
    }
    let triggered = "\(calls.callCount) triggered"
    let fired = "\(triggered), \(calls.deliveredCount) fired"
    let all = calls.droppedCount > 0 ? "\(fired), \(calls.droppedCount) dropped" : fired
    return [all, fired, triggered, "\(calls.callCount) trig."].first { $0.utf8.count <= width }
  }

  /// Returns true if this row and the one below it are of one group, or one of them starts the other.
  func isJoined(to next: Row) -> Bool {
    links.group.map { $0 == next.links.group } ?? false
      || links.successor.map { $0 == next.links.name } ?? false
      || next.links.successor.map { $0 == links.name } ?? false
  }
}

extension Row {
  /// Returns the text of the column LEFT: `5/8`, `∞`; empty for a timer with one fire or without runs.
  func leftText(_ symbols: Symbols) -> String { iterations.leftText(endless: symbols.endless) }
}

extension Row.Delivery {
  /// Returns the text of a column; `nil` for one that is not of a delivery.
  func cell(_ column: TableColumns.Column) -> (text: String, role: Role)? {
    switch column {
    case .late: (lateness.map { TimeText.lateness($0) } ?? "–", .faint)
    case .missed: ("\(missed)", missed > 0 ? .warning : .faint)
    case .stale: ("\(stale)", stale > 0 ? .warning : .faint)
    case .queue: (queue, .faint)
    case .place: (place, .faint)
    default: nil
    }
  }
}

extension TimerMachine.Iterations {
  func leftText(endless: String) -> String {
    switch self {
    case .counted(_, of: 1), .none: ""
    case .counted(let left, let count): "\(left)/\(count)"
    case .endless: endless
    }
  }
}

extension Row.Time {
  /// The time as a clock, with `+` before an overtime; `nil` if the row shows none.
  var text: String? {
    units.map { (meaning == .overtime ? "+" : "") + TimeText.clock($0, showsTenths: showsTenths) }
  }

  /// The text of the largest time that is shown until the next event, which is the widest one.
  var widestText: String { TimeText.clock(widestUnits, showsTenths: showsTenths) }

  var seconds: Int64 { (units ?? 0) / (showsTenths ? 10 : 1) }

  /// The time in at most two units, so that hours are never read as minutes: `18:24`, `13h27`, `2d03`; `-` without one.
  var shortText: String {
    guard units != nil else { return "-" }
    let sign = meaning == .overtime ? "+" : ""
    switch seconds {
    case ..<3600: return "\(sign)\(seconds / 60):\(twoDigits(seconds % 60))"
    case ..<86_400: return "\(sign)\(seconds / 3600)h\(twoDigits(seconds / 60 % 60))"
    default: return "\(sign)\(seconds / 86_400)d\(twoDigits(seconds / 3600 % 24))"
    }
  }
}
