import Synchronization
import TimerBoard

/// A writer of the history, which keeps the lines that it could not write. It is used on the queue of its
/// ``HistoryRecorder`` alone.
final class HistoryWriter: Sendable {
  /// The outcome of an attempt to write.
  struct Outcome: Sendable {
    /// The lines that were written.
    var lines: [HistoryLine] = []
    var error: String?
  }

  private struct State {
    /// The lines that could not be written.
    var pending: [HistoryLine] = []
    /// The months whose files have lines that may not be on the disk yet.
    var unsynchronizedMonths: Set<String> = []
  }

  /// The maximum number of lines that are kept for another attempt after an error.
  private static let pendingLimit = 10_000

  private let folder: HistoryFolder
  private let environment: [String: String]
  private let state = Mutex(State())

  init(_ folder: HistoryFolder, environment: [String: String]) {
    self.folder = folder
    self.environment = environment
  }

  /// Appends lines after those that could not be written before.
  func append(_ new: [HistoryLine]) -> Outcome {
    let lines = state.withLock { state in
      defer { state.pending = [] }
      return state.pending + new
    }
    guard !lines.isEmpty else { return Outcome() }
    let month = Self.currentMonth
    do throws(FileError) {
      try folder.append(bytes(of: lines), month: month)
    } catch {
      state.withLock { $0.pending = lines.suffix(Self.pendingLimit) }
      return Outcome(error: error.description)
    }
    state.withLock { _ = $0.unsynchronizedMonths.insert(month) }
    return Outcome(lines: lines)
  }

  /// Appends the lines that could not be written before, and waits until all lines are on the disk.
  func flush() -> Outcome {
    var outcome = append([])
    let error = synchronize()
    outcome.error = outcome.error ?? error
    return outcome
  }

  private func synchronize() -> String? {
    for month in state.withLock({ $0.unsynchronizedMonths }) {
      do throws(FileError) {
        try folder.synchronize(month)
      } catch {
        return error.description
      }
      state.withLock { _ = $0.unsynchronizedMonths.remove(month) }
    }
    return nil
  }

  private func bytes(of lines: [HistoryLine]) -> [UInt8] {
    let zone = TimeZoneName.current(environment: environment)
    var bytes: [UInt8] = []
    for line in lines {
      var line = line
      if case .record(var record) = line {
        record.zone = zone
        line = .record(record)
      }
      bytes += Array(line.json.utf8)
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
  }

  private static var currentMonth: String {
    let milliseconds = ClockReading.now().wall.milliseconds
    return CivilDate(day: Int(milliseconds / 86_400_000)).monthText
  }
}
