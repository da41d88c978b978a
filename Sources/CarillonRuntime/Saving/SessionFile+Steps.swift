import TimerBoard
import TimerKit

extension SessionFile {
  /// A step that can be undone or redone. It is in the file of a hand-over only.
  struct Step: Encodable, Hashable, Sendable {
    struct Part: Encodable, Hashable, Sendable {
      /// The timer before the step; its `id` is its number in the steps: see ``SavedStep``.
      var timer: Entry
      var position: Int
      var change: String
      /// The seconds that were added.
      var seconds: Double?
      /// The numbers of the timers that started the timer, if the step deleted it.
      var predecessors: [Int]?
      /// For each predecessor, the number of rounds after its `then`; 0 without such a count.
      var predecessorRounds: [Int]?
      /// True if "pause all" had paused the timer.
      var pausedTogether: Bool?
    }

    var name: String
    var undone: Bool?
    var parts: [Part]
    var added: [Int]?
  }
}

extension SessionFile.Step {
  init(_ step: SavedStep) {
    name = step.name
    undone = step.isUndone ? true : nil
    parts = step.parts.map { Part($0) }
    added = step.added.isEmpty ? nil : step.added
  }

  /// Returns the step after checking each of its timers.
  func savedStep(
    _ check: (SessionFile.Entry) throws(SessionFile.Fault) -> SavedTimer
  ) throws(SessionFile.Fault) -> SavedStep {
    var saved: [SavedStep.Part] = []
    for part in parts { saved.append(try part.savedPart(try check(part.timer))) }
    return SavedStep(name: name, isUndone: undone ?? false, parts: saved, added: added ?? [])
  }
}

extension SessionFile.Step.Part {
  fileprivate init(_ part: SavedStep.Part) {
    timer = SessionFile.Entry(part.timer)
    timer.id = part.number
    position = part.position
    switch part.change {
    case .none: change = "none"
    case .state: change = "state"
    case .continues: change = "continues"
    case .alertEnded: change = "alertEnded"
    case .alertReturned: change = "alertReturned"
    case .timeAdded(let amount):
      change = "time"
      seconds = Double(amount.clampedNanoseconds) / 1e9
    }
    predecessors = part.predecessors.isEmpty ? nil : part.predecessors.map(\.number)
    if part.predecessors.contains(where: { $0.count != nil }) {
      predecessorRounds = part.predecessors.map { $0.count ?? 0 }
    }
    pausedTogether = part.isPausedTogether ? true : nil
  }

  fileprivate func savedPart(_ saved: SavedTimer) throws(SessionFile.Fault) -> SavedStep.Part {
    let change: SavedStep.Change
    switch (self.change, seconds) {
    case ("none", _): change = .none
    case ("state", _): change = .state
    case ("continues", _): change = .continues
    case ("alertEnded", _): change = .alertEnded
    case ("alertReturned", _): change = .alertReturned
    case ("time", let seconds?) where seconds.magnitude < 1e9:
      change = .timeAdded(.nanoseconds(Int64(seconds * 1e9)))
    default: throw SessionFile.Fault(description: "invalid step")
    }
    guard let number = timer.id, number >= 0, position >= 0 else {
      throw SessionFile.Fault(description: "invalid step")
    }
    let predecessors = (predecessors ?? []).enumerated().map { index, number in
      let count = predecessorRounds.flatMap { $0.indices.contains(index) ? $0[index] : nil } ?? 0
      return SavedStep.Predecessor(number: number, count: count > 0 ? count : nil)
    }
    return SavedStep.Part(
      number: number, timer: saved, position: position, change: change,
      predecessors: predecessors, isPausedTogether: pausedTogether ?? false)
  }
}
