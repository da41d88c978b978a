import CNCurses
import Dispatch
import Platform
import TerminalCore

/// Reads a terminal's bytes as they come, and parses them into keys and their like.
@MainActor
final class Input {
  private let descriptor: Int32
  private var watch: TerminalWatch?
  private let onInput: @MainActor (TerminalInput) -> Void
  private let onClosed: @MainActor () -> Void
  private var parser = KeyParser()
  /// Counts the waits for a sequence's end: a deadline that is not the newest does nothing.
  private var waits = 0
  private var isPaused = false
  private var buffer = [UInt8](repeating: 0, count: 4096)

  /// Takes over a descriptor, and closes it at the end.
  /// - Returns: nil where the system has no descriptor left.
  init?(
    descriptor: Int32, onInput: @escaping @MainActor (TerminalInput) -> Void,
    onClosed: @escaping @MainActor () -> Void
  ) {
    self.descriptor = descriptor
    self.onInput = onInput
    self.onClosed = onClosed
    guard
      let watch = TerminalWatch(descriptor, for: .reading, handler: { [weak self] in self?.read() })
    else { return nil }
    self.watch = watch
  }

  /// Leaves the bytes to another job that has the terminal.
  func pause() {
    guard !isPaused else { return }
    isPaused = true
    watch?.suspend()
  }

  func resume() {
    guard isPaused else { return }
    isPaused = false
    watch?.resume()
  }

  func close() {
    watch?.cancel()
    // A source that is released while it is suspended traps.
    resume()
    waits += 1
  }

  private func read() {
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, 0) > 0 else { return }
    let count = buffer.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
    if count > 0 {
      deliver(parser.feed(buffer[..<count]))
      waitIfNeeded()
    } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
      watch?.cancel()
      onClosed()
    }
  }

  private func waitIfNeeded() {
    waits += 1
    guard let patience = parser.pendingTimeout else { return }
    let wait = waits
    let milliseconds = Int(patience / .milliseconds(1))
    DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
      MainActor.assumeIsolated {
        guard let self, self.waits == wait else { return }
        self.deliver(self.parser.timeout())
      }
    }
  }

  private func deliver(_ inputs: [TerminalInput]) {
    for input in inputs { onInput(input) }
  }
}
