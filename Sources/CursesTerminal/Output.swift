import Dispatch
import Platform

/// Writes frames to the terminal without ever waiting for it.
///
/// What a terminal does not take at once is written as it makes room; until then ``isBusy`` holds
/// back the next frame. So a terminal that stops reading costs one frame of memory, holds up no
/// signal and no timer, and shows the newest picture when it reads again.
@MainActor
final class Output {
  private let descriptor: Int32
  private let onDrained: @MainActor () -> Void
  private let onClosed: @MainActor () -> Void
  private var pending: ArraySlice<UInt8> = []
  /// Exists while there is something to wait for.
  private var watch: TerminalWatch?

  /// Takes over a non-blocking descriptor, and closes it at the end.
  init(
    descriptor: Int32, onDrained: @escaping @MainActor () -> Void,
    onClosed: @escaping @MainActor () -> Void
  ) {
    self.descriptor = descriptor
    self.onDrained = onDrained
    self.onClosed = onClosed
  }

  var isBusy: Bool { !pending.isEmpty }

  func write(_ bytes: [UInt8]) {
    let wasBusy = isBusy
    pending += bytes
    if !wasBusy { writePending() }
  }

  /// Forgets what is not written yet.
  func discard() {
    pending = []
    watch?.cancel()
    watch = nil
  }

  func close() {
    discard()
    systemClose(descriptor)
  }

  private func writePending() {
    while !pending.isEmpty {
      let count = pending.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        pending.removeFirst(count)
      } else if errno == EAGAIN {
        return waitForRoom()
      } else if errno != EINTR {
        discard()
        return onClosed()
      }
    }
    discard()
  }

  private func waitForRoom() {
    guard watch == nil else { return }
    // A source lets go of its descriptor only after a while, and must have one until then.
    let watched = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard watched >= 0 else { return discard() }
    watch = TerminalWatch(watched, for: .writing) { [weak self] in self?.roomMade() }
    if watch == nil { discard() }
  }

  private func roomMade() {
    writePending()
    if !isBusy { onDrained() }
  }
}
