import Dispatch
import TimerBoard

/// A reader of the history for the dashboard. It reads the files once and passes on the lines that are recorded later.
@MainActor
final class HistoryReader {
  /// The history, and the error if not all of it could be read.
  typealias Outcome = (index: HistoryIndex, error: String?)

  /// The days of the current time zone.
  var calendar = LocalCalendar.current
  private var state = State.initial

  private enum State {
    case initial
    /// The files are being read; the lines were recorded meanwhile.
    case reading([HistoryLine])
    case read
  }

  /// Reads the history of the last year on another queue. Only the first call has an effect.
  /// - Parameter done: Called with the history on the main queue.
  func read(then done: @escaping @MainActor (Outcome) -> Void) {
    guard case .initial = state else { return }
    state = .reading([])
    let today = ClockReading.now().day
    DispatchQueue.global(qos: .userInitiated).async {
      let outcome = Self.outcome(today: today)
      DispatchQueue.main.async { self.ended(outcome, done) }
    }
  }

  private func ended(_ outcome: Outcome, _ done: @MainActor (Outcome) -> Void) {
    var outcome = outcome
    if case .reading(let lines) = state {
      // Lines that were read from the file as well are not added again.
      outcome.index.apply(lines, calendar: &calendar)
    }
    state = .read
    done(outcome)
  }

  /// Receives lines that were recorded.
  /// - Returns: The lines to add to the history now; `nil` if ``read(then:)`` includes them.
  func receive(_ lines: [HistoryLine]) -> [HistoryLine]? {
    switch state {
    case .initial: return nil
    case .reading(let earlier):
      state = .reading(earlier + lines)
      return nil
    case .read: return lines
    }
  }

  private nonisolated static func outcome(today: CivilDate) -> Outcome {
    var outcome: Outcome = (HistoryIndex(today: today), nil)
    guard let folder = HistoryFolder(environment: Program.environment) else { return outcome }
    var calendar = LocalCalendar.current
    do throws(FileError) {
      let first = outcome.index.firstDay.advanced(by: -1).monthText
      let omissions = try folder.read(since: first) { outcome.index.add($0, calendar: &calendar) }
      outcome.error = omissions.text.map { "history: \($0)" }
    } catch {
      outcome.error = "the history cannot be read: \(error)"
    }
    return outcome
  }
}
