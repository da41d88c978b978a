import Foundation
import Synchronization
import Testing

/// A pseudo terminal with a program: its output byte by byte, its changes to the terminal's modes, and
/// its ending. It has no screen; ``TmuxTerminal`` has one.
final class PseudoTerminal {
  let child: ChildProcess
  /// The terminal's modes before the program started.
  let modesBefore: [UInt8]
  /// The program's output so far.
  private(set) var bytes: [UInt8] = []
  private let master: Int32
  /// Held open, so that the modes outlive the program.
  private let slave: Int32
  private var isOpen = true

  struct SystemError: Error {
    var call: String
    var reason = String(cString: strerror(errno))
  }

  /// Starts a program with the terminal as its standard streams, except for the given ones.
  init(
    _ arguments: [String], environment: [String: String], columns: Int = 80, rows: Int = 24,
    input: String? = nil, error: String? = nil
  ) throws {
    var size = winsize(columns: columns, rows: rows)
    var ends: (master: Int32, slave: Int32) = (-1, -1)
    let path = ChildProcess.inheritance.withLock { _ -> String? in
      guard openpty(&ends.master, &ends.slave, nil, nil, &size) == 0 else { return nil }
      _ = fcntl(ends.master, F_SETFD, FD_CLOEXEC)
      _ = fcntl(ends.slave, F_SETFD, FD_CLOEXEC)
      return ttyname(ends.slave).map { String(cString: $0) }
    }
    (master, slave) = ends
    guard let path else { throw SystemError(call: "openpty") }
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
    modesBefore = terminalModes(of: slave)
    child = try ChildProcess(
      arguments, environment: environment,
      streams: .init(input: input ?? path, output: path, error: error ?? path))
  }

  deinit {
    close()
  }

  /// Closes the terminal, as closing a window or losing a connection does.
  func close() {
    guard isOpen else { return }
    isOpen = false
    _ = Foundation.close(slave)
    _ = Foundation.close(master)
  }

  func type(_ keys: String) {
    let bytes = Array(keys.utf8)
    _ = write(master, bytes, bytes.count)
  }

  func resize(columns: Int, rows: Int) {
    var size = winsize(columns: columns, rows: rows)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  /// Writes to the terminal, as another program could, until nothing more can be written before output is read.
  func fill() {
    let flags = fcntl(slave, F_GETFL)
    _ = fcntl(slave, F_SETFL, flags | O_NONBLOCK)
    defer { _ = fcntl(slave, F_SETFL, flags) }
    let blanks = [UInt8](repeating: UInt8(ascii: " "), count: 1024)
    for count in [1024, 1] { while write(slave, blanks, count) > 0 {} }
  }

  var modes: [UInt8] { terminalModes(of: slave) }

  /// Returns the output of the program so far, as text.
  func output() -> String {
    drain()
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Waits until the output of the program meets a condition.
  @discardableResult
  func output(
    _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation,
    _ isThere: (String) -> Bool
  ) async throws -> String {
    let isMet = try await eventually { isThere(output()) }
    try #require(
      isMet,
      "\(what) did not appear; the last output is \(String(output().suffix(300)).debugDescription)",
      sourceLocation: sourceLocation)
    return output()
  }

  /// Waits for the program to end, and reads its output meanwhile, so that it never blocks.
  func ending(within limit: Duration = waitLimit) async throws -> ChildProcess.Ending? {
    var ending: ChildProcess.Ending?
    _ = try await eventually(within: limit) {
      drain()
      ending = child.endingIfAny()
      return ending != nil
    }
    if ending != nil { try await drainToEnd() }
    return ending
  }

  /// Reads everything that was written before: the system transfers it in order, but not at once.
  private func drainToEnd() async throws {
    guard isOpen else { return }
    let marker = Array("\u{1}end of output\u{1}".utf8)
    _ = write(slave, marker, marker.count)
    _ = try await eventually {
      drain()
      guard let range = bytes.firstRange(of: marker) else { return false }
      bytes.removeSubrange(range)
      return true
    }
  }

  private func drain() {
    guard isOpen else { return }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(master, &buffer, buffer.count)
      guard count > 0 else { return }
      bytes += buffer[..<count]
    }
  }
}

extension winsize {
  fileprivate init(columns: Int, rows: Int) {
    self.init(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
  }
}

/// Returns a terminal's modes as bytes, for comparison.
private func terminalModes(of descriptor: Int32) -> [UInt8] {
  var modes = termios()
  tcgetattr(descriptor, &modes)
  return withUnsafeBytes(of: &modes) { Array($0) }
}

/// Runs a test with a command in a pseudo terminal, and ends both afterwards.
func withPseudoTerminal(
  command: [String], environment changes: [String: String?] = [:],
  input: String? = nil, separatesError: Bool = false,
  _ test: (PseudoTerminal, TemporaryFolder) async throws -> Void
) async throws {
  try await ConcurrencyLimit.terminals.run {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let environment = Program.environment(in: folder, with: changes)
    let terminal = try PseudoTerminal(
      command, environment: environment, input: input,
      error: separatesError ? folder.path("error") : nil)
    defer {
      terminal.child.end()
      terminal.close()
    }
    try await test(terminal, folder)
  }
}

/// Runs a test with the dashboard in a pseudo terminal.
func withPseudoTerminal(
  _ arguments: [String], environment: [String: String?] = [:], input: String? = nil,
  separatesError: Bool = false, _ test: (PseudoTerminal, TemporaryFolder) async throws -> Void
) async throws {
  try await withPseudoTerminal(
    command: [Program.path()] + arguments, environment: environment, input: input,
    separatesError: separatesError, test)
}
