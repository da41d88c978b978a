import Foundation
import Synchronization
import Testing

/// A bare pseudo terminal with a program in it: what the program writes byte by byte, what it makes
/// of the terminal's modes, and how it ends. There is no screen here; ``TmuxTerminal`` has one.
final class PseudoTerminal {
  let child: ChildProcess
  /// The terminal's modes before the program had it.
  let modesBefore: [UInt8]
  /// Everything the program has written so far.
  private(set) var bytes: [UInt8] = []
  private let master: Int32
  /// Held open, so that modes outlive the program.
  private let slave: Int32
  private var isOpen = true

  struct SystemError: Error {
    var call: String
    var reason = String(cString: strerror(errno))
  }

  /// Starts a program with the terminal as its standard streams, but for those that are given.
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

  /// The terminal goes away under the program, as when a window is closed or a line drops.
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

  /// True if nothing more can be written until something is read.
  var isFull: Bool {
    var writable = pollfd(fd: slave, events: Int16(POLLOUT), revents: 0)
    return poll(&writable, 1, 0) == 0
  }

  var modes: [UInt8] { terminalModes(of: slave) }

  /// The output of the program so far, as text.
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
    let came = try await eventually { isThere(output()) }
    try #require(
      came, "\(what) did not come, but at last \(String(output().suffix(300)).debugDescription)",
      sourceLocation: sourceLocation)
    return output()
  }

  /// Waits for the program's end, reading all the while, so that it never waits for us.
  func ending(within limit: Duration = patience) async throws -> ChildProcess.Ending? {
    var ending: ChildProcess.Ending?
    _ = try await eventually(within: limit) {
      drain()
      ending = child.endingIfAny()
      return ending != nil
    }
    drain()
    return ending
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

/// A terminal's modes in the form they have in memory, to be compared.
private func terminalModes(of descriptor: Int32) -> [UInt8] {
  var modes = termios()
  tcgetattr(descriptor, &modes)
  return withUnsafeBytes(of: &modes) { Array($0) }
}

/// Runs a test with a command in a bare terminal, and sees to it that neither outlives the test.
func withPseudoTerminal(
  command: [String], environment changes: [String: String?] = [:],
  input: String? = nil, separatesError: Bool = false,
  _ test: (PseudoTerminal, TemporaryFolder) async throws -> Void
) async throws {
  try await Turnstile.terminals.pass {
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

/// Runs a test with the dashboard in a bare terminal.
func withPseudoTerminal(
  _ arguments: [String], environment: [String: String?] = [:], input: String? = nil,
  separatesError: Bool = false, _ test: (PseudoTerminal, TemporaryFolder) async throws -> Void
) async throws {
  try await withPseudoTerminal(
    command: [Program.path()] + arguments, environment: environment, input: input,
    separatesError: separatesError, test)
}
