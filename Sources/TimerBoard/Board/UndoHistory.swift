/// The steps that can be undone, the newest last.
struct UndoHistory: Hashable, Sendable {
  struct Step: Hashable, Sendable {
    /// What was done, such as `delete`.
    var name: String
    /// Every timer it was done to, in the order of the board.
    var parts: [Part]
  }

  struct Part: Hashable, Sendable {
    /// The timer as it was before, and its position.
    var timer: BoardTimer
    var position: Int
    /// The timer's time as it was then; `nil` for a step that did not change it.
    var checkpoint: TimerCheckpoint?
  }

  /// The number of steps that are kept.
  static let depth = 200

  private(set) var steps: [Step] = []

  mutating func add(_ step: Step) {
    steps.append(step)
    if steps.count > Self.depth { steps.removeFirst() }
  }

  mutating func takeLast() -> Step? {
    steps.popLast()
  }
}
