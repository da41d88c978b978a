import TerminalCore

/// Input that came faster than the timers answered. It waits, because what a key means depends on
/// what the timers are by then: `>>>` is three steps, and a second Space takes back the first.
struct TypeAhead: Sendable {
  private var answersToCome: [TimerID: Int] = [:]
  private var inputs: [TerminalInput] = []

  var isWaiting: Bool { !answersToCome.isEmpty }

  mutating func expectAnswers(to effects: [Effect]) {
    for effect in effects {
      switch effect {
      // What was asked of a timer before it was made anew is not answered any more.
      case .create(let id, _, _): answersToCome[id] = 1
      case .send(_, let id): answersToCome[id, default: 0] += 1
      case .remove, .run, .ring, .keepRinging, .notify, .redraw, .suspend, .lab, .quit: break
      }
    }
  }

  mutating func noteAnswer(of id: TimerID) {
    guard let count = answersToCome[id] else { return }
    answersToCome[id] = count > 1 ? count - 1 : nil
  }

  mutating func add(_ input: TerminalInput) {
    inputs.append(input)
  }

  /// The input whose turn it is; none before all answers are there.
  mutating func takeNext() -> TerminalInput? {
    isWaiting || inputs.isEmpty ? nil : inputs.removeFirst()
  }
}
