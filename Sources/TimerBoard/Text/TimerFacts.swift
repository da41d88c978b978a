package import TimerKit

// What a row, a line of progress and a list say about a timer, beside its label and its time.

extension TimerStatus {
  /// Returns the part of the interval or of the phase that has passed, from 0 to 1: 0 without one.
  /// - Parameters:
  ///   - period: The whole time from the previous fire to the next one.
  ///   - left: The time until the next fire, also of a paused timer.
  package func progress(in period: Duration?, left: Duration?) -> Double {
    // An alarm has no period once it is over.
    if state == .finished { return 1 }
    guard let period, period > .zero, let left, state != .idle else { return 0 }
    return min(1, max(0, (period - left) / period))
  }

  /// The phases of a cycle; empty for other timers.
  package var phases: [Cycle.Phase] {
    if case .cycle(let cycle) = self { cycle.configuration.phases } else { [] }
  }

  /// The phase of a cycle after the current one; `nil` if the current one is the last.
  package var nextPhase: Cycle.Phase? {
    guard case .cycle(let cycle) = self, let position = cycle.position else { return nil }
    // `phaseIndex` and `phaseCount` count through all rounds.
    guard cycle.phaseIndex + 1 < cycle.configuration.phaseCount ?? .max else { return nil }
    return phases[(position.index + 1) % phases.count]
  }

  /// The round of a cycle, such as `2 of 4`; `nil` for a cycle that has finished and for other timers.
  package var roundText: String? {
    guard case .cycle(let cycle) = self else { return nil }
    return cycle.position.map {
      "\($0.round)" + (cycle.configuration.rounds.map { " of \($0)" } ?? "")
    }
  }
}

extension Cycle.Phase {
  /// The name with the duration: `rest 5m`.
  package var text: String { "\(name) \(DurationText.text(duration))" }
}
