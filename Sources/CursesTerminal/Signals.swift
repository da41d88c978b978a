import CNCurses
import Dispatch
import Platform

/// A watcher of signals, which reports them on the main queue.
///
/// A signal handler writes them to a pipe. A dispatch source would suffice on Darwin; on Linux it
/// installs its handler once in a process and never removes it.
@MainActor
public final class Signals {
  private let descriptor: Int32
  private let source: any DispatchSourceRead
  private let onSignal: @MainActor (Int32) -> Void

  /// Starts to watch signals. Signals that were ignored when the program started stay ignored.
  ///
  /// No signal is lost after it returns. A process has at most one watcher at a time.
  /// - Returns: `nil` if the process has no descriptors left.
  public init?(_ watched: [Int32], onSignal: @escaping @MainActor (Int32) -> Void) {
    var ends: [Int32] = [-1, -1]
    guard cn_signals_watch(watched, watched.count, &ends) else { return nil }
    let (descriptor, writingEnd) = (ends[0], ends[1])
    self.descriptor = descriptor
    self.onSignal = onSignal
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    source.setEventHandler { [weak self] in
      MainActor.assumeIsolated { self?.read() }
    }
    // Both ends are closed only now: a pipe hangs up when its writing end is closed, and dispatch
    // must not see that on Linux (swift-corelibs-libdispatch issue 949).
    source.setCancelHandler {
      Platform.close(descriptor)
      Platform.close(writingEnd)
    }
    source.activate()
  }

  /// Ends the process by the default action of a signal, on any thread.
  public nonisolated static func exit(by number: Int32) -> Never { cn_signals_exit(number) }

  func close() {
    cn_signals_unwatch()
    source.cancel()
  }

  private func read() {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = Platform.read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return }
    for byte in bytes[..<count] { onSignal(Int32(byte)) }
  }
}
