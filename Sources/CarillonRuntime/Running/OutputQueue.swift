import Dispatch
import Synchronization

/// A standard stream that is written in a thread of its own: whoever reads it may be slow, or never
/// read at all, and the main queue must stay free to take signals meanwhile.
final class OutputQueue: Sendable {
  private struct State {
    /// Bytes that are not written yet.
    var pending = 0
    /// A write took so long that nothing waits for one any more.
    var isBlocked = false
  }

  /// The most bytes that are kept for a reader.
  private static let limit = 1 << 20
  /// How long a write is waited for, so that a command's own output comes after the line about it.
  private static let patience = DispatchTimeInterval.milliseconds(20)

  private let descriptor: Int32
  private let queue = DispatchQueue(label: "carillon.output")
  private let state = Mutex(State())
  private let onFailure: @MainActor @Sendable (StreamError) -> Void

  /// - Parameter onFailure: called on the main queue.
  init(_ descriptor: Int32, onFailure: @escaping @MainActor @Sendable (StreamError) -> Void) {
    self.descriptor = descriptor
    self.onFailure = onFailure
  }

  /// Writes a text, soon.
  /// - Returns: false where so much is waiting to be read that it is dropped.
  func write(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    let isBlocked: Bool? = state.withLock { state in
      guard state.pending == 0 || state.pending + bytes.count <= Self.limit else { return nil }
      state.pending += bytes.count
      return state.isBlocked
    }
    guard let isBlocked else { return false }
    let isWritten = DispatchSemaphore(value: 0)
    queue.async { [self] in
      do throws(StreamError) {
        try StandardOutput.write(bytes, to: descriptor)
      } catch {
        DispatchQueue.main.async { [onFailure] in MainActor.assumeIsolated { onFailure(error) } }
      }
      state.withLock { state in
        state.pending -= bytes.count
        if state.pending == 0 { state.isBlocked = false }
      }
      isWritten.signal()
    }
    if !isBlocked, isWritten.wait(timeout: .now() + Self.patience) == .timedOut {
      state.withLock { $0.isBlocked = $0.pending > 0 }
    }
    return true
  }

  /// Calls back on the main queue when all is written, however long that takes.
  func finish(_ then: @escaping @MainActor @Sendable () -> Void) {
    queue.async { DispatchQueue.main.async { MainActor.assumeIsolated { then() } } }
  }
}
