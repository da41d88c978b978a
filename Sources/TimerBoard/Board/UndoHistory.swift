/// The steps that can be undone, the newest last.
struct UndoHistory: Hashable, Sendable {
  struct Step: Hashable, Sendable {
    /// The name of the action, such as `delete`.
    var name: String
    /// The changed timers, in the order of the board.
    var parts: [Part]
  }

  struct Part: Hashable, Sendable {
    /// The timer before the step, and its position.
    var timer: BoardTimer
    var position: Int
    /// The checkpoint of the timer before the step; `nil` for a step that did not change its time.
    var checkpoint: TimerCheckpoint?
    /// The stretch of the timer before the step.
    var stretch: SavedStretch?
    /// The timers that started it, if the step deleted it.
    var predecessors: [TimerID] = []
  }

  /// The maximum number of steps.
  static let limit = 200

  private(set) var steps: [Step] = []

  mutating func add(_ step: Step) {
    steps.append(step)
    if steps.count > Self.limit { steps.removeFirst() }
  }

  mutating func takeLast() -> Step? {
    steps.popLast()
  }
}
