import TimerKit

/// The deeds that can be taken back, the newest last.
struct UndoHistory: Hashable, Sendable {
  struct Step: Hashable, Sendable {
    /// What was done, such as `delete of tea`.
    var deed: String
    /// Every timer it was done to, in the order of the board.
    var parts: [Part]
  }

  struct Part: Hashable, Sendable {
    /// The row as it was before the deed, and where it stood.
    var row: Row
    var position: Int
    /// The timer's time as it was then; `nil` where the deed did not touch it.
    var checkpoint: TimerCheckpoint?
  }

  /// Older deeds are forgotten.
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
