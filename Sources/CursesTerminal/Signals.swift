import CNCurses
import Dispatch
import Platform

/// Hands over signals as they come, on the main queue.
///
/// They come through a pipe that a handler of our own writes to. A dispatch source for signals
/// would do on Darwin; on Linux it sets its handler once in a process, and never takes it back.
@MainActor
public final class Signals {
  private let descriptor: Int32
  private let source: any DispatchSourceRead
  private let onSignal: @MainActor (Int32) -> Void

  /// Watches signals; those that the program was started to ignore stay ignored.
  ///
  /// One that comes before does what it does by default, and from here on none is lost. There is one
  /// watcher at a time in a process.
  /// - Returns: `nil` where the system has no descriptors left.
  public init?(_ watched: [Int32], onSignal: @escaping @MainActor (Int32) -> Void) {
    var ends: [Int32] = [-1, -1]
    guard cn_signals_watch(watched, watched.count, &ends) else { return nil }
    let (descriptor, writingEnd) = (ends[0], ends[1])
    self.descriptor = descriptor
    self.onSignal = onSignal
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    source.setEventHandler { [weak self] in self?.read() }
    // Both: a pipe hangs up when its writing end is closed, and dispatch must not see that on Linux
    // (swift-corelibs-libdispatch issue 949).
    source.setCancelHandler {
      systemClose(descriptor)
      systemClose(writingEnd)
    }
    source.activate()
  }

  func close() {
    cn_signals_unwatch()
    source.cancel()
  }

  private func read() {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = systemRead(descriptor, &bytes, bytes.count)
    guard count > 0 else { return }
    for byte in bytes[..<count] { onSignal(Int32(byte)) }
  }
}
