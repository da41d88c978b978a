import Dispatch
import Platform
import TimerBoard
import TimerKit

/// The connection of one client, on the main queue. It never waits for the client.
///
/// A client that sends an incomplete line, or that does not read its responses, is disconnected after five seconds; one
/// that neither watches nor waits for a response, after ten minutes without a request.
@MainActor
final class ControlConnection {
  private static let timeout = Duration.seconds(5)
  /// The time after which a client without a request is disconnected.
  private let idleLimit: Duration
  /// The maximum number of bytes that wait for a client when a response or an event is added.
  private static let outputLimit = 16 << 20

  /// A Boolean value that indicates whether the client receives an event for each transition.
  var isWatching = false
  private let socket: Int32
  private weak var server: ControlServer?
  private let reading: any DispatchSourceRead
  private var writing: (any DispatchSourceWrite)?
  private var input: [UInt8] = []
  private var output: ArraySlice<UInt8> = []
  /// The lines from the first response that is not complete, in order; `nil` for one that is not.
  private var held: [[UInt8]?] = []
  /// The number of the first held line.
  private var firstHeld = 0
  /// A Boolean value that indicates whether the connection is closed when all is sent. The read source is suspended then.
  private var isEnding = false
  /// A Boolean value that indicates whether the timer limits a line that is incomplete, or output that waits.
  private var isTimerShort = false
  private lazy var timer = DeadlineTimer(isolation: MainActor.shared) { [weak self] _, _ in
    self?.close()
  }
  private(set) var isOpen = true
  /// The client; `nil` if it is not known.
  var process: pid_t? { peerProcess(of: socket) }

  /// - Parameter server: Its control receives each line, and the server itself the end of the connection. A line that is
  ///   too long ends it.
  init(_ socket: Int32, of server: ControlServer, idleLimit: Duration) {
    self.socket = socket
    self.server = server
    self.idleLimit = idleLimit
    reading = DispatchSource.makeReadSource(fileDescriptor: socket, queue: .main)
    reading.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.read() } }
    // The write source is always cancelled before the read source.
    reading.setCancelHandler { Platform.close(socket) }
    reading.activate()
    updateTimer(afterProgress: true)
  }

  /// Sends a line after all earlier ones, now or when the client can take it.
  func send(_ line: [UInt8]) {
    if held.isEmpty { write(line) } else { held.append(line) }
  }

  func send(_ response: ControlResponse) { send(response.jsonLine) }

  /// Keeps the place of a response that is not complete. What is sent meanwhile follows it.
  /// - Returns: A closure that sends the response.
  func holdResponse() -> @MainActor (ControlResponse) -> Void {
    let number = firstHeld + held.count
    held.append(nil)
    return { [weak self] response in self?.complete(number, response) }
  }

  private func complete(_ number: Int, _ response: ControlResponse) {
    held[number - firstHeld] = response.jsonLine
    let lines = held.prefix { $0 != nil }
    held.removeFirst(lines.count)
    firstHeld += lines.count
    // Together, because an ending connection closes when all that was written is sent.
    write(lines.compactMap(\.self).flatMap(\.self))
    closeIfSent()
  }

  private func write(_ bytes: [UInt8]) {
    guard isOpen else { return }
    guard output.count <= Self.outputLimit else { return close() }
    guard output.isEmpty else {
      output += bytes
      return
    }
    output = bytes[...]
    write()
    guard isOpen, !output.isEmpty else { return }
    let source = DispatchSource.makeWriteSource(fileDescriptor: socket, queue: .main)
    source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.write() } }
    writing = source
    source.activate()
  }

  /// Reads no more requests, and closes the connection when the client has received all responses.
  func closeWhenSent() {
    guard isOpen, !isEnding else { return }
    isEnding = true
    reading.suspend()
    closeIfSent()
  }

  private func closeIfSent() {
    if isEnding, held.isEmpty, output.isEmpty { close() }
  }

  func close() {
    guard isOpen else { return }
    isOpen = false
    // A suspended source must not be released.
    if isEnding { reading.resume() }
    timer.unschedule()
    writing?.cancel()
    reading.cancel()
    server?.ended(self)
  }

  private func read() {
    guard isOpen, !isEnding else { return }
    var block = [UInt8](repeating: 0, count: 1 << 14)
    let count = Platform.read(socket, &block, block.count)
    guard count > 0 else {
      // A client that sends no more can still wait for responses.
      if count == 0 { closeWhenSent() } else if errno != EAGAIN && errno != EINTR { close() }
      return
    }
    input += block[..<count]
    let hasLine = takeLines()
    guard isOpen, input.count > ControlRequest.sizeLimit else {
      // More requests do not extend the time of a client that reads no responses.
      return updateTimer(afterProgress: hasLine && output.isEmpty)
    }
    send(.refused("request is too long (expected at most \(ControlRequest.sizeLimit) bytes)"))
    closeWhenSent()
  }

  /// Handles the complete lines.
  /// - Returns: True if there was any.
  private func takeLines() -> Bool {
    let received = input.count
    var rest = input[...]
    while isOpen, let end = rest.firstIndex(of: UInt8(ascii: "\n")),
      end - rest.startIndex <= ControlRequest.sizeLimit
    {
      server?.control?.receive(Array(rest[..<end]), from: self)
      rest = rest[(end + 1)...]
    }
    input = Array(rest)
    return input.count < received
  }

  private func write() {
    guard isOpen else { return }
    let waiting = output.count
    let number = sendWithoutSignal(&output, to: socket)
    guard number == 0 || number == EAGAIN else { return close() }
    if output.isEmpty {
      writing?.cancel()
      writing = nil
    }
    updateTimer(afterProgress: output.count < waiting)
    closeIfSent()
  }

  /// Starts the timer that disconnects the client: soon, if a received line is incomplete or output is waiting, or else
  /// after a long time without a request. There is none for a client that watches or waits for a response.
  /// - Parameter afterProgress: True if the client has sent a complete line or has received output. If false, a short time
  ///   that has begun continues.
  private func updateTimer(afterProgress: Bool) {
    guard isOpen, afterProgress || !isTimerShort else { return }
    isTimerShort = !input.isEmpty || !output.isEmpty
    let now = TimerClock.suspending.now
    if isTimerShort {
      timer.schedule(at: now.advanced(by: Self.timeout))
    } else if isWatching || !held.isEmpty {
      timer.unschedule()
    } else {
      timer.schedule(at: now.advanced(by: idleLimit))
    }
  }
}
