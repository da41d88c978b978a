import Dispatch
import Platform
import TerminalCore

/// A reader of the bytes of a terminal, which parses them into inputs.
///
/// What has arrived is read whole, and handled in steps that other events come between: however much is pasted, and
/// however long it takes to handle it, the main queue is never occupied for long.
@MainActor
final class Input {
  /// The longest time for which inputs are handled without a break.
  private static let longestStep = Duration.milliseconds(8)
  /// The bytes that only a paste without brackets, or a program, sends at a time. The rest of them is waited for.
  private static let burstSize = 1024
  /// The pause after which a burst has ended.
  private static let burstPause = Duration.milliseconds(25)
  /// The longest time for which the rest of a burst is waited for.
  private static let longestBurst = Duration.milliseconds(250)
  /// The number of inputs that wait at most, and the number of bytes that are read at a time.
  private static let capacity = 65_536

  private let descriptor: Int32
  private var watch: (any DispatchSourceProtocol)?
  private let onInput: @MainActor (ArraySlice<TerminalInput>) -> Int?
  private let onClosed: @MainActor () -> Void
  private var parser = KeyParser()
  /// The inputs that have arrived and were not handled.
  private var waiting: ArraySlice<TerminalInput> = []
  /// The bytes of the current burst, and the instant at which it began.
  private var burst = 0
  private var burstStart = ContinuousClock.now
  /// A Boolean value that indicates whether the rest of the burst is dropped.
  private var isDiscarding = false
  /// A Boolean value that indicates whether ``handleWaiting()`` is about to be called again.
  private var isStepPending = false
  /// The generations of the waits for the end of a sequence and of a burst: an older wait does nothing.
  private var (sequenceWait, burstWait) = (0, 0)
  private var isPaused = false
  private var isSuspended = false
  private var buffer = [UInt8](repeating: 0, count: 4096)

  /// Reads from a descriptor, which it owns and closes.
  /// - Parameter onInput: Called with the inputs that have arrived. It returns the number of those that it has handled, at
  ///   least one, or `nil` to drop them and all that belong to the same burst.
  /// - Returns: `nil` if the process has no descriptors left.
  init?(
    descriptor: Int32, onInput: @escaping @MainActor (ArraySlice<TerminalInput>) -> Int?,
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
    isPaused = true
    suspendIfNeeded()
  }

  func resume() {
    isPaused = false
    suspendIfNeeded()
    handleSoon()
  }

  func close() {
    watch?.cancel()
    waiting = []
    isPaused = false
    // Releasing a suspended source traps.
    suspendIfNeeded()
    sequenceWait += 1
    burstWait += 1
  }

  /// Stops or continues the watch of the descriptor, which would otherwise report again what is not read.
  private func suspendIfNeeded() {
    let suspends = isPaused || waiting.count >= Self.capacity
    guard suspends != isSuspended else { return }
    isSuspended = suspends
    if suspends { watch?.suspend() } else { watch?.resume() }
  }

  private func read() {
    var arrived = 0
    while arrived < Self.capacity, isReadable {
      let count = buffer.withUnsafeMutableBytes {
        Platform.read(descriptor, $0.baseAddress, $0.count)
      }
      if count > 0 {
        arrived += count
        waiting += parser.feed(buffer[..<count])
      } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
        handleWaiting()
        waiting = []
        watch?.cancel()
        onClosed()
        return
      } else {
        break
      }
    }
    guard arrived > 0 else { return }
    if burst == 0 { burstStart = .now }
    burst += arrived
    waitForSequence()
    if isDiscarding {
      waiting = []
      waitForBurst()
    } else if isInBurst {
      waitForBurst()
    } else {
      handleWaiting()
    }
  }

  /// A Boolean value that indicates whether more characters of a paste are about to follow.
  private var isInBurst: Bool {
    guard burst >= Self.burstSize, waiting.count < Self.capacity, waiting.last?.typedText != nil
    else { return false }
    return ContinuousClock.now - burstStart < Self.longestBurst
  }

  private var isReadable: Bool {
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&ready, 1, 0) > 0
  }

  /// Waits for the end of a sequence that has begun.
  private func waitForSequence() {
    sequenceWait += 1
    guard let timeout = parser.pendingTimeout else { return }
    let generation = sequenceWait
    callOnMain(after: timeout) { [weak self] in
      guard let self, self.sequenceWait == generation else { return }
      // The rest of the sequence can have arrived while the main queue was occupied.
      guard !self.isReadable else {
        if self.isSuspended { self.waitForSequence() } else { self.read() }
        return
      }
      self.waiting += self.parser.timeout()
      self.handleWaiting()
    }
  }

  /// Waits for the end of a burst.
  private func waitForBurst() {
    burstWait += 1
    let generation = burstWait
    callOnMain(after: Self.burstPause) { [weak self] in
      guard let self, self.burstWait == generation else { return }
      self.isDiscarding = false
      self.burst = 0
      self.handleWaiting()
    }
  }

  /// Handles the inputs that wait, as many as one step allows.
  private func handleWaiting() {
    let start = ContinuousClock.now
    while !waiting.isEmpty, !isPaused {
      if ContinuousClock.now - start >= Self.longestStep {
        handleSoon()
        break
      }
      guard let count = onInput(waiting) else {
        waiting = []
        isDiscarding = true
        waitForBurst()
        break
      }
      waiting = waiting.dropFirst(max(1, count))
    }
    if waiting.isEmpty, !isDiscarding { burst = 0 }
    suspendIfNeeded()
  }

  /// Handles the inputs that wait after the events that have happened meanwhile.
  private func handleSoon() {
    guard !isStepPending, !waiting.isEmpty else { return }
    isStepPending = true
    callOnMain(after: .zero) { [weak self] in
      self?.isStepPending = false
      self?.handleWaiting()
    }
  }
}
