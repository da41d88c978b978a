import TimerKit

/// A step that can be undone or redone, as it is handed over to another process.
struct SavedStep: JSONFields, Hashable, Sendable {
  enum Change: String, JSONReadable, JSONWritable {
    case none
    /// The timer had the state that is saved.
    case state
    /// The timer had the state that is saved, and continues from there if the step is undone.
    case continues
    case timeAdded, alertEnded, alertReturned
  }

  struct Part: JSONFields, Hashable, Sendable {
    /// The timer before the step.
    var timer = SavedFields()
    var position = 0
    var change = Change.none
    /// The nanoseconds that were added.
    var added: Int64 = 0
    var predecessors: [UndoHistory.Predecessor] = []

    init() {}

    mutating func fields<F: JSONMembers>(_ field: inout F) throws(F.Failure) {
      try field("timer", &timer)
      try field("position", &position)
      try field("change", &change)
      try field("added", &added, default: 0)
      try field("predecessors", &predecessors, default: [])
    }
  }

  var name = ""
  /// A Boolean value that indicates whether the step can be redone, and not undone.
  var isUndone = false
  var parts: [Part] = []
  /// The timers that the step added.
  var added: [TimerID] = []

  init() {}

  mutating func fields<F: JSONMembers>(_ field: inout F) throws(F.Failure) {
    try field("name", &name)
    try field("undone", &isUndone, default: false)
    try field("parts", &parts)
    try field("added", &added, default: [])
  }
}

extension UndoHistory.Predecessor: JSONFields {
  init() {
    self.init(timer: TimerID(0))
  }

  mutating func fields<F: JSONMembers>(_ field: inout F) throws(F.Failure) {
    try field("timer", &timer)
    try field("count", &count)
    count = count.map { min(max(1, $0), TimerParser.largestCount) }
  }
}

extension SavedStep {
  /// The maximum number of timers in the saved steps to undo, and in those to redo, so that a file stays small.
  private static let partLimit = 1000

  /// Returns the newest steps of a board: those to undo, then those to redo, each with the newest last.
  static func steps(of board: Board, at now: ClockReading) -> [SavedStep] {
    [false, true].flatMap { isUndone in
      var room = partLimit
      let newest = board.undoHistory.steps(isUndone: isUndone).reversed().prefix { step in
        room -= step.parts.count + step.added.count
        return room >= 0
      }
      return newest.reversed().map { step in
        var saved = SavedStep()
        (saved.name, saved.isUndone, saved.added) = (step.name, isUndone, step.added)
        saved.parts = step.parts.map { Part($0, at: now) }
        return saved
      }
    }
  }
}

extension SavedStep.Part {
  /// The maximum number of nanoseconds that a step adds, so that no sum overflows.
  private static let largestTime: Int64 = 1 << 60

  fileprivate init(_ part: UndoHistory.Part, at now: ClockReading) {
    position = part.position
    predecessors = part.predecessors
    var checkpoint = part.timer.checkpoint(at: now)
    switch part.change {
    case .none: break
    case .state(let before, nil): (change, checkpoint) = (.state, before)
    case .state(let before, let since?):
      (change, checkpoint) = (.continues, before)
      checkpoint.content.elapse(since.duration(to: now[part.timer.status.clock]))
    case .timeAdded(let time): (change, added) = (.timeAdded, time.clampedNanoseconds)
    case .alert(let isEnded): change = isEnded ? .alertEnded : .alertReturned
    }
    var saved = SavedTimer(part.timer, as: checkpoint, at: now)
    saved.stretch = part.stretch
    saved.isPausedTogether = part.isPausedTogether
    timer = SavedFields(saved)
  }

  /// Returns the part on a board that continues after a gap.
  fileprivate func part(
    after gap: Duration, at now: ClockReading
  ) throws(SavedFieldError) -> UndoHistory.Part {
    let saved = try SavedTimer(timer, at: now)
    let change: UndoHistory.Change =
      switch change {
      case .none: .none
      case .state: .state(saved.checkpoint, since: nil)
      case .continues:
        .state(saved.checkpoint, since: now[saved.spec.clock].advanced(by: .zero - gap))
      case .timeAdded:
        .timeAdded(.nanoseconds(min(max(-Self.largestTime, added), Self.largestTime)))
      case .alertEnded: .alert(isEnded: true)
      case .alertReturned: .alert(isEnded: false)
      }
    return UndoHistory.Part(
      timer: BoardTimer(saved, at: now), position: max(0, position), change: change,
      stretch: saved.stretch, predecessors: predecessors,
      isPausedTogether: saved.isPausedTogether)
  }
}

extension Board {
  /// Continues the steps of another process, after its timers were added. A step that is not valid is left out, with
  /// those before it.
  mutating func takeOver(_ steps: [SavedStep], after gap: Duration, at now: ClockReading) {
    for isUndone in [false, true] {
      var restored: [UndoHistory.Step] = []
      for step in steps.reversed() where step.isUndone == isUndone {
        guard let parts = try? step.parts.map({ try $0.part(after: gap, at: now) }) else { break }
        restored.append(UndoHistory.Step(name: step.name, parts: parts, added: step.added))
        reserve(parts.map(\.timer.id) + step.added)
      }
      for step in restored.reversed() { undoHistory.add(step, isUndone: isUndone) }
    }
  }
}
