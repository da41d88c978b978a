import TimerKit

/// The steps that can be undone or redone.
struct UndoHistory: Hashable, Sendable {
  struct Step: Hashable, Sendable {
    /// The name of the action, such as `delete`.
    var name: String
    /// The changed or deleted timers.
    var parts: [Part]
    /// The timers that the step added.
    var added: [TimerID] = []
  }

  struct Part: Hashable, Sendable {
    /// The timer before the step, and its position.
    var timer: BoardTimer
    var position: Int
    var change: Change
    /// The stretch of the timer before the step.
    var stretch: SavedStretch?
    /// The timers that started it, if the step deleted it.
    var predecessors: [Predecessor] = []
    /// A Boolean value that indicates whether "pause all" had paused it.
    var isPausedTogether = false

    var addsTime: Bool { if case .timeAdded = change { true } else { false } }
    var isRestored: Bool { if case .state = change { true } else { false } }
  }

  /// A timer that starts another one, and the number of rounds.
  struct Predecessor: Hashable, Sendable {
    var timer: TimerID
    var count: Int?
  }

  /// The effect of a step on the time of a timer.
  enum Change: Hashable, Sendable {
    /// None: the step changed only what belongs to the board, such as the name.
    case none
    /// The timer had another state before. If `since` is an instant, the undone timer has continued from there, as if
    /// the step had not been; otherwise it has the time that it had then.
    case state(TimerCheckpoint, since: TimerClock.Instant?)
    /// Time was added, or removed if it is negative.
    case timeAdded(Duration)
    /// The alert was acknowledged, or came back.
    case alert(isEnded: Bool)
  }

  /// The maximum number of steps.
  static let limit = 200
  /// The maximum number of timers in the steps to undo, except that the newest step can have any number.
  private static let partLimit = 50_000
  /// The maximum number of timers in the steps to undo, and in those to redo, with their recent activity: an undo of their
  /// deletion brings back their past on the timeline. With the others, the activity would take up to 20 KiB each.
  static let activityLimit = 256

  /// The newest last.
  private var done: [Step] = []
  private var undone: [Step] = []

  /// The number of steps that can be undone or redone.
  var count: Int { done.count + undone.count }

  /// Adds the inverse of a step that was undone or redone, or a step of another process.
  mutating func add(_ step: Step, isUndone: Bool) {
    guard isUndone else { return append(step) }
    undone.append(step)
    Self.forgetOldActivity(in: &undone)
  }

  /// Adds a new step, after which no earlier one can be redone.
  mutating func add(_ step: Step) {
    undone = []
    append(step)
  }

  private mutating func append(_ step: Step) {
    done.append(step)
    var room = Self.partLimit
    let kept = done.reversed().prefix { step in
      defer { room -= step.parts.count }
      return room > 0
    }
    done.removeFirst(done.count - min(kept.count, Self.limit))
    Self.forgetOldActivity(in: &done)
  }

  /// Forgets the recent activity of all timers but those in the newest steps.
  private static func forgetOldActivity(in steps: inout [Step]) {
    var room = activityLimit
    for index in steps.indices.reversed() {
      let count = steps[index].parts.count
      for part in min(room, count)..<count
      where !steps[index].parts[part].timer.recentActivity.isEmpty {
        steps[index].parts[part].timer.forgetRecentActivity()
      }
      room = max(0, room - count)
    }
  }

  /// The size of the memory of the recent activity in all steps in bytes, if none of it is shared.
  var activityByteCount: Int {
    (done + undone).reduce(0) { sum, step in
      step.parts.reduce(sum) { $0 + $1.timer.recentActivity.byteCount }
    }
  }

  /// Adds timers to the newest step if it has changed a timer.
  mutating func addToNewestStep(_ parts: [Part], ifItChanged id: TimerID) {
    guard let last = done.indices.last, done[last].parts.contains(where: { $0.timer.id == id })
    else { return }
    let known = Set(done[last].parts.map(\.timer.id))
    done[last].parts += parts.filter { !known.contains($0.timer.id) }
  }

  /// Takes the newest step to undo or to redo.
  mutating func takeLast(isRedo: Bool) -> Step? { isRedo ? undone.popLast() : done.popLast() }

  /// Returns true if there is a step to undo or to redo.
  func hasStep(isRedo: Bool) -> Bool { !(isRedo ? undone : done).isEmpty }
}
