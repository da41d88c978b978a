import Dispatch
import Synchronization
import TimerBoard

/// A recorder that appends the lines of the history on its own queue, in order, so that no fire and no frame waits for
/// the disk. Lines that cannot be written are kept.
@MainActor
final class HistoryRecorder {
  /// The outcome of an attempt to write.
  private struct Outcome: Sendable {
    /// The lines that were written.
    var lines: [HistoryLine] = []
    var error: String?
  }

  /// The state that only the queue uses.
  private struct State {
    /// The lines that could not be written.
    var pending: [HistoryLine] = []
    /// The months whose files have lines that may not be on the disk yet.
    var unsynchronizedMonths: Set<String> = []
  }

  /// The maximum number of lines that are kept for another attempt after an error.
  private nonisolated static let pendingLimit = 10_000

  private let folder: HistoryFolder
  private let environment: [String: String]
  private let state = Mutex(State())
  private let session: SessionName?
  private let options: HistoryOptions
  private let onError: @MainActor (String) -> Void
  private let queue = DispatchQueue(label: "carillon.history", qos: .utility)
  private var hasFailed = false
  /// Called with lines after they were written.
  var onLines: (@MainActor ([HistoryLine]) -> Void)?

  /// - Parameter onError: Called once when writing begins to fail, on the main queue.
  /// - Returns: `nil` if the environment names no folder for the history.
  init?(
    session: SessionName?, options: HistoryOptions, environment: [String: String],
    onError: @escaping @MainActor (String) -> Void
  ) {
    guard let folder = HistoryFolder(environment: environment) else { return nil }
    self.folder = folder
    self.environment = environment
    self.session = session
    self.options = options
    self.onError = onError
    if let days = options.days {
      let first = ClockReading.now().day.advanced(by: -days)
      queue.async { try? folder.removeMonths(before: first) }
    }
  }

  /// Appends lines. Those that cannot be written are tried again by the next call and before each save
  /// of the session.
  /// - Parameter done: Called on the main queue after these and all earlier lines were written or could not be written.
  func record(_ lines: [HistoryLine], then done: (@MainActor () -> Void)? = nil) {
    guard !lines.isEmpty || done != nil else { return }
    let zone = lines.isEmpty ? "" : environment.timeZoneName
    let lines = lines.map { prepared($0, zone: zone) }
    queue.async {
      let outcome = self.append(lines)
      DispatchQueue.main.async {
        self.ended(outcome)
        done?()
      }
    }
  }

  /// A closure that waits until all lines are on the disk, unless writing fails, which is reported. It can be called on
  /// any queue but the main one.
  var barrier: @Sendable () -> Void {
    {
      let outcome = self.queue.sync { self.flush() }
      DispatchQueue.main.async { self.ended(outcome) }
    }
  }

  /// Writes all lines and waits until they are on the disk.
  /// - Returns: The error; `nil` on success.
  func finish() -> String? { queue.sync { flush().error } }

  /// Returns a line with the session and the time zone, and without the texts that are not to be recorded.
  private func prepared(_ line: HistoryLine, zone: String) -> HistoryLine {
    guard case .record(var record) = line else { return line }
    record.session = session?.description
    record.zone = zone
    if !options.recordsNotes { record.note = nil }
    if !options.recordsCommands { record.command = nil }
    return .record(record)
  }

  private func ended(_ outcome: Outcome) {
    if !outcome.lines.isEmpty {
      hasFailed = false
      onLines?(outcome.lines)
    }
    guard let error = outcome.error else { return }
    if !hasFailed { onError("the history cannot be written: \(error)") }
    hasFailed = true
  }

  // MARK: - On the queue

  /// Appends lines after those that could not be written before.
  private nonisolated func append(_ new: [HistoryLine]) -> Outcome {
    let lines = state.withLock { state in
      defer { state.pending = [] }
      return state.pending + new
    }
    guard !lines.isEmpty else { return Outcome() }
    let milliseconds = ClockReading.now().wall.milliseconds
    let month = CivilDate(day: Int(milliseconds / 86_400_000)).monthText
    do throws(FileError) {
      try folder.append(lines.flatMap(\.bytes), month: month)
    } catch {
      state.withLock { $0.pending = lines.suffix(Self.pendingLimit) }
      return Outcome(error: error.description)
    }
    state.withLock { _ = $0.unsynchronizedMonths.insert(month) }
    return Outcome(lines: lines)
  }

  /// Appends the lines that could not be written before, and waits until all lines are on the disk.
  private nonisolated func flush() -> Outcome {
    var outcome = append([])
    do throws(FileError) {
      for month in state.withLock({ $0.unsynchronizedMonths }) {
        try folder.synchronize(month)
        state.withLock { _ = $0.unsynchronizedMonths.remove(month) }
      }
    } catch {
      outcome.error = outcome.error ?? error.description
    }
    return outcome
  }
}
