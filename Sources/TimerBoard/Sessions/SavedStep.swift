import TimerKit

/// A step that can be undone or redone, in a form that another process can take over.
///
/// Timers are numbered: those of the board by their positions, then the deleted ones.
package struct SavedStep: Hashable, Sendable {
  package struct Part: Hashable, Sendable {
    package var number: Int
    /// The timer before the step.
    package var timer: SavedTimer
    package var position: Int
    package var change: Change
    /// The timers that started it, if the step deleted it.
    package var predecessors: [Predecessor]
    /// A Boolean value that indicates whether "pause all" had paused it.
    package var isPausedTogether: Bool

    package init(
      number: Int, timer: SavedTimer, position: Int, change: Change,
      predecessors: [Predecessor],
      isPausedTogether: Bool
    ) {
      self.number = number
      self.timer = timer
      self.position = position
      self.change = change
      self.predecessors = predecessors
      self.isPausedTogether = isPausedTogether
    }
  }

  /// A timer that starts another one, and the number of rounds.
  package struct Predecessor: Hashable, Sendable {
    package var number: Int
    package var count: Int?

    package init(number: Int, count: Int?) {
      self.number = number
      self.count = count.map { min(max(1, $0), TimerParser.largestCount) }
    }
  }

  /// The effect of the step on the time of a timer.
  package enum Change: Hashable, Sendable {
    case none
    /// The timer had the state that is saved.
    case state
    /// The timer had the state that is saved, and continues from there if the step is undone.
    case continues
    case timeAdded(Duration)
    case alertEnded, alertReturned
  }

  package var name: String
  /// A Boolean value that indicates whether the step can be redone, and not undone.
  package var isUndone: Bool
  package var parts: [Part]
  /// The timers that the step added.
  package var added: [Int]

  package init(name: String, isUndone: Bool, parts: [Part], added: [Int]) {
    self.name = name
    self.isUndone = isUndone
    self.parts = parts
    self.added = added
  }
}

extension SavedStep {
  /// The maximum number of timers in the saved steps to undo, and in those to redo, so that a file stays small.
  private static let partLimit = 1000

  /// Returns the newest steps of a board: those to undo, then those to redo, each with the newest last.
  static func steps(of board: Board, at now: ClockReading) -> [SavedStep] {
    var numbers = Dictionary(
      board.timers.all.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    func number(_ id: TimerID) -> Int {
      if let number = numbers[id] { return number }
      defer { numbers[id] = numbers.count }
      return numbers.count
    }
    var steps: [SavedStep] = []
    for isUndone in [false, true] {
      var room = partLimit
      let newest = board.undoHistory.steps(isUndone: isUndone).reversed().prefix { step in
        room -= step.parts.count + step.added.count
        return room >= 0
      }
      for step in newest.reversed() {
        let parts = step.parts.map { part in
          var (change, checkpoint) = (Change.none, part.timer.checkpoint(at: now))
          switch part.change {
          case .none: break
          case .state(let before, nil): (change, checkpoint) = (.state, before)
          case .state(let before, let since?):
            (change, checkpoint) = (.continues, before)
            checkpoint.content.elapse(since.duration(to: now[part.timer.status.clock]))
          case .timeAdded(let amount): change = .timeAdded(amount)
          case .alert(let isEnded): change = isEnded ? .alertEnded : .alertReturned
          }
          var timer = SavedTimer(part.timer.spec, checkpoint, part.timer.counts)
          timer.stretch = part.stretch
          timer.chain = part.timer.chain.mapHead { number($0) }
          timer.hasAlert = part.timer.alert != nil
          timer.overtime = part.timer.alert?.since.duration(to: now.continuous)
          return Part(
            number: number(part.timer.id), timer: timer, position: part.position, change: change,
            predecessors: part.predecessors.map {
              Predecessor(number: number($0.timer), count: $0.count)
            },
            isPausedTogether: part.isPausedTogether)
        }
        steps.append(
          SavedStep(
            name: step.name, isUndone: isUndone, parts: parts, added: step.added.map { number($0) })
        )
      }
    }
    return steps
  }
}

extension Board {
  /// Continues the steps of another process, after its timers were added.
  mutating func takeOver(_ steps: [SavedStep], after gap: Duration, at now: ClockReading) {
    let ids = timers.all.map(\.id)
    var deleted: [Int: TimerID] = [:]
    func id(_ number: Int) -> TimerID {
      if ids.indices.contains(number) { return ids[number] }
      if let id = deleted[number] { return id }
      let id = makeID()
      deleted[number] = id
      return id
    }
    for step in steps {
      let parts = step.parts.map { part in
        let change: UndoHistory.Change =
          switch part.change {
          case .none: .none
          case .state: .state(part.timer.checkpoint, since: nil)
          case .continues:
            .state(
              part.timer.checkpoint,
              since: now[part.timer.spec.clock].advanced(by: .zero - gap))
          case .timeAdded(let amount): .timeAdded(amount)
          case .alertEnded: .alert(isEnded: true)
          case .alertReturned: .alert(isEnded: false)
          }
        var timer = BoardTimer(id: id(part.number), part.timer, at: now)
        timer.setChain(part.timer.chain.mapHead { id($0) })
        return UndoHistory.Part(
          timer: timer, position: part.position,
          change: change, stretch: part.timer.stretch,
          predecessors: part.predecessors.map {
            UndoHistory.Predecessor(timer: id($0.number), count: $0.count)
          }, isPausedTogether: part.isPausedTogether)
      }
      undoHistory.add(
        UndoHistory.Step(name: step.name, parts: parts, added: step.added.map { id($0) }),
        isUndone: step.isUndone)
    }
  }
}
