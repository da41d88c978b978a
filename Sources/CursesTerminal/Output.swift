import Dispatch
import Platform

/// A writer of frames to the terminal, which does not block.
///
/// Bytes that the terminal does not accept at once are written when it has room; until then
/// ``isBusy`` is true and no frame is sent. A terminal that stops reading costs the memory of one
/// frame, delays no signal or timer, and gets the newest frame when it reads again.
@MainActor
final class Output {
  private let descriptor: Int32
  private let onDrained: @MainActor () -> Void
  private let onClosed: @MainActor () -> Void
  private var pending: ArraySlice<UInt8> = []
  /// A Boolean value that indicates whether the pending bytes end with a bell. The last byte alone does not show it,
  /// because a notification ends with the same byte.
  private var endsWithBell = false
  /// The watch for room; `nil` while no bytes are pending.
  private var watch: (any DispatchSourceProtocol)?

  /// Creates a writer to a non-blocking descriptor, which the writer owns and closes.
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
    endsWithBell = false
    if !wasBusy { writePending() }
  }

  /// Writes a bell. A bell that directly follows a pending one is merged with it, so that a terminal that has stopped
  /// reading does not ring many times when it reads again.
  func ring() {
    guard !endsWithBell else { return }
    write([0x07])
    endsWithBell = isBusy
  }

  /// Drops the bytes that are not written yet.
  func discard() {
    pending = []
    endsWithBell = false
    watch?.cancel()
    watch = nil
  }

  func close() {
    discard()
    Platform.close(descriptor)
  }

  private func writePending() {
    let number = writeAvailable(&pending, to: descriptor)
    guard number != EAGAIN else { return waitForRoom() }
    discard()
    if number != 0 { onClosed() }
  }

  private func waitForRoom() {
    guard watch == nil else { return }
    // A cancelled source keeps its descriptor for a while, so it gets a duplicate.
    let watched = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard watched >= 0 else { return discard() }
    watch = watchTerminal(watched, forWriting: true) { [weak self] in self?.roomMade() }
    if watch == nil { discard() }
  }

  private func roomMade() {
    writePending()
    if !isBusy { onDrained() }
  }
}
