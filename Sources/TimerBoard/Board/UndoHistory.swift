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
    /// The timer had another state before.
    case state(TimerCheckpoint)
    /// Time was added, or removed if it is negative.
    case timeAdded(Duration)
  }

  /// The maximum number of steps.
  static let limit = 200

  /// The newest last.
  private var done: [Step] = []
  private var undone: [Step] = []

  /// The number of steps that can be undone or redone.
  var count: Int { done.count + undone.count }

  /// The steps to undo or to redo, the newest last.
  func steps(isUndone: Bool) -> [Step] { isUndone ? undone : done }

  /// Adds the inverse of a step that was undone or redone, or a step of another process.
  mutating func add(_ step: Step, isUndone: Bool) {
    if isUndone { undone.append(step) } else { append(step) }
  }

  /// Adds a new step, after which no earlier one can be redone.
  mutating func add(_ step: Step) {
    undone = []
    append(step)
  }

  private mutating func append(_ step: Step) {
    done.append(step)
    if done.count > Self.limit { done.removeFirst() }
  }

  /// Takes the newest step to undo or to redo.
  mutating func takeLast(isRedo: Bool) -> Step? { isRedo ? undone.popLast() : done.popLast() }

  /// Returns true if there is a step to undo or to redo.
  func hasStep(isRedo: Bool) -> Bool { !(isRedo ? undone : done).isEmpty }
}
