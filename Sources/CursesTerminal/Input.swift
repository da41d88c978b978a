import Dispatch
import Platform
import TerminalCore

/// A reader of the bytes of a terminal, which parses them into inputs.
@MainActor
final class Input {
  private let descriptor: Int32
  private var watch: (any DispatchSourceProtocol)?
  private let onInput: @MainActor (TerminalInput) -> Void
  private let onClosed: @MainActor () -> Void
  private var parser = KeyParser()
  /// The generation of the wait for the end of a sequence: an older wait does nothing.
  private var waitGeneration = 0
  private var isPaused = false
  private var buffer = [UInt8](repeating: 0, count: 4096)

  /// Reads from a descriptor, which it owns and closes.
  /// - Returns: `nil` if the process has no descriptors left.
  init?(
    descriptor: Int32, onInput: @escaping @MainActor (TerminalInput) -> Void,
    onClosed: @escaping @MainActor () -> Void
  ) {
    self.descriptor = descriptor
    self.onInput = onInput
    self.onClosed = onClosed
    watch = watchTerminal(descriptor) { [weak self] in self?.read() }
    if watch == nil { return nil }
  }

  /// Stops reading while another job has the terminal.
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
    // Releasing a suspended source traps.
    resume()
    waitGeneration += 1
  }

  private func read() {
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, 0) > 0 else { return }
    let count = buffer.withUnsafeMutableBytes {
      Platform.read(descriptor, $0.baseAddress, $0.count)
    }
    if count > 0 {
      deliver(parser.feed(buffer[..<count]))
      waitIfNeeded()
    } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
      watch?.cancel()
      onClosed()
    }
  }

  private func waitIfNeeded() {
    waitGeneration += 1
    guard let timeout = parser.pendingTimeout else { return }
    let generation = waitGeneration
    callOnMain(after: timeout) { [weak self] in
      guard let self, self.waitGeneration == generation else { return }
      self.deliver(self.parser.timeout())
    }
  }

  private func deliver(_ inputs: [TerminalInput]) {
    for input in inputs { onInput(input) }
  }
}
