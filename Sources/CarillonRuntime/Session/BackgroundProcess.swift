import Platform
import TimerKit

/// A process `carillon serve` that this one has started, which owns a session without a terminal, detached from this one
/// (`setsid`), with the null device as its standard streams.
///
/// Until it has started, its standard error is a socket, from which this process learns why it could not: it sends a null
/// character when it has the session.
struct BackgroundProcess: Sendable {
  /// The character that ends the messages of the start.
  static let startMark: UInt8 = 0
  private static let timeLimit = Duration.seconds(5)

  /// The end of the socket from which its messages are read.
  private let messages: Int32

  /// Starts the process.
  /// - Parameters:
  ///   - takesOver: True if the new process takes over the session from this process.
  ///   - configuration: The path of its configuration; `nil` for the default one.
  init(
    of name: SessionName, takesOver: Bool = false, configuration: String?
  ) throws(ProgramFailure) {
    guard let (own, others) = makeSocketPair() else { throw Self.notStarted(errno) }
    let outcome = startProcess(
      [programPath, "serve", "--background", "--session", name.description]
        + (takesOver ? ["--take-over"] : []) + (configuration.map { ["--config", $0] } ?? []),
      error: others, startsSession: true)
    Platform.close(others)
    guard outcome.error == 0 else {
      Platform.close(own)
      throw Self.notStarted(outcome.error)
    }
    messages = own
  }

  private static func notStarted(_ number: Int32) -> ProgramFailure {
    ProgramFailure(
      "the background process cannot be started: \(String(cString: strerror(number)))")
  }

  /// Waits until the process has the session. Called once.
  /// - Returns: The messages about what it could not do, such as read a part of the session.
  /// - Throws: The reason why it did not start.
  func waitUntilStarted() throws(ProgramFailure) -> [String] {
    defer { Platform.close(messages) }
    let end = TimerClock.suspending.now.advanced(by: Self.timeLimit)
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 12)
    while true {
      let left = TimerClock.suspending.now.duration(to: end) / .milliseconds(1)
      guard left >= 1 else {
        throw ProgramFailure("the background process did not start within \(Self.timeLimit)")
      }
      setTimeout(SO_RCVTIMEO, of: messages, milliseconds: Int(left))
      let count = read(messages, &block, block.count)
      if count > 0 { bytes += block[..<count] }
      if let mark = bytes.firstIndex(of: Self.startMark) { return Self.lines(bytes[..<mark]) }
      guard count == 0 else { continue }
      let reasons = Self.lines(bytes[...])
      throw ProgramFailure(
        "the background process did not start"
          + (reasons.isEmpty ? "" : ": \(reasons.joined(separator: "; "))"))
    }
  }

  /// Waits until the process, or another one, owns a session and accepts connections.
  func client(of store: SessionStore) throws(ProgramFailure) -> ControlClient {
    do throws(ProgramFailure) {
      for message in try waitUntilStarted() { Program.warn(message) }
    } catch {
      // Another process may have been faster.
      if let client = try ControlClient.connected(to: store) { return client }
      throw error
    }
    guard let client = try ControlClient.connected(to: store) else {
      throw ProgramFailure.noOwner(of: store)
    }
    return client
  }

  /// Returns the messages without the name of the program.
  private static func lines(_ bytes: ArraySlice<UInt8>) -> [String] {
    bytes.split(separator: UInt8(ascii: "\n")).map { line in
      let text = String(decoding: line, as: UTF8.self)
      return text.hasPrefix("carillon: ") ? String(text.dropFirst(10)) : text
    }
  }
}
