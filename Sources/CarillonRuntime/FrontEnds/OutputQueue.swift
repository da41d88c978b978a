import Dispatch
import Synchronization

/// A standard stream that is written on its own queue, so that a slow reader does not block the main queue and
/// its signal handlers.
final class OutputQueue: Sendable {
  private struct State {
    /// The number of bytes not yet written.
    var pending = 0
    /// A Boolean value that indicates whether a write has timed out. Later writes are then not waited for.
    var isBlocked = false
  }

  /// The maximum number of bytes not yet written. A single text can be longer.
  private static let limit = 1 << 20
  /// The maximum time to wait for a write, so that the output of a command follows the line about its fire.
  private static let writeTimeout = DispatchTimeInterval.milliseconds(20)

  private let descriptor: Int32
  private let queue = DispatchQueue(label: "carillon.output")
  private let state = Mutex(State())
  private let onFailure: @MainActor @Sendable (StreamError) -> Void

  /// - Parameter onFailure: Called on the main queue.
  init(_ descriptor: Int32, onFailure: @escaping @MainActor @Sendable (StreamError) -> Void) {
    self.descriptor = descriptor
    self.onFailure = onFailure
  }

  /// Queues a text for writing.
  /// - Returns: False if the text is dropped because it would exceed the limit.
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
        try StandardStreams.write(bytes, to: descriptor)
      } catch {
        DispatchQueue.main.async { [onFailure] in onFailure(error) }
      }
      state.withLock { state in
        state.pending -= bytes.count
        if state.pending == 0 { state.isBlocked = false }
      }
      isWritten.signal()
    }
    if !isBlocked, isWritten.wait(timeout: .now() + Self.writeTimeout) == .timedOut {
      state.withLock { $0.isBlocked = $0.pending > 0 }
    }
    return true
  }

  /// Calls a closure on the main queue after everything is written, without a time limit.
  func finish(_ then: @escaping @MainActor @Sendable () -> Void) {
    queue.async { DispatchQueue.main.async { then() } }
  }
}
