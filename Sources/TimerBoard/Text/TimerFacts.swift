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
}

extension Cycle.Phase {
  /// The name with the duration: `rest 5m`.
  package var text: String { "\(name) \(DurationText.text(duration))" }
}
