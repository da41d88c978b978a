import Platform
import TerminalCore
import Testing

@testable import CursesTerminal

// Apple's MacTypes.h has types of these names too.
typealias Point = TerminalCore.Point
typealias Size = TerminalCore.Size
typealias Style = TerminalCore.Style

/// A pseudoterminal: the program uses the slave, and the test reads and writes the master.
@MainActor
final class Pty {
  let slave: Int32
  private var master: Int32
  private(set) var output: [UInt8] = []

  init(_ size: Size = Size(width: 80, height: 24)) throws {
    var master: Int32 = -1
    var slave: Int32 = -1
    var window = Self.window(size)
    try #require(openpty(&master, &slave, nil, nil, &window) == 0)
    self.master = master
    self.slave = slave
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
  }

  deinit {
    if master >= 0 { close(master) }
    close(slave)
  }

  /// Returns the options of a common terminal, with this one in place of the standard streams.
  func options(
    _ type: String? = "xterm-256color", locale: String = "C.UTF-8"
  ) -> CursesTerminal.Options {
    var options = CursesTerminal.Options(terminalType: type, locale: locale)
    options.input = slave
    options.output = slave
    options.error = -1
    return options
  }

  /// The path that opens the slave in another process.
  var path: String { String(cString: ttyname(slave)) }

  func type(_ text: String) {
    let bytes = Array(text.utf8)
    #expect(write(master, bytes, bytes.count) == bytes.count)
  }

  func resize(_ size: Size) {
    var window = Self.window(size)
    #expect(ioctl(master, UInt(TIOCSWINSZ), &window) == 0)
  }

  /// Fills the buffer between the two ends, so that no more can be written.
  func fillBuffer() {
    let descriptor = open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK)
    defer { close(descriptor) }
    let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 1000)
    var writable = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    repeat {
      while write(descriptor, bytes, bytes.count) > 0 || write(descriptor, bytes, 1) > 0 {}
    } while poll(&writable, 1, 50) > 0
  }

  /// Closes the master, as closing a terminal's window does.
  func hangUp() {
    if master >= 0 { close(master) }
    master = -1
  }

  /// Reads the bytes that have arrived.
  func read() {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Platform.read(master, &buffer, buffer.count)
      guard count > 0 else { return }
      output += buffer[..<count]
    }
  }

  /// Drops the bytes that have been read.
  func clear() {
    output = []
  }

  var text: String { String(decoding: output, as: UTF8.self) }

  /// The terminal's modes as numbers, which can be compared.
  var modes: [UInt] {
    var modes = termios()
    #expect(tcgetattr(slave, &modes) == 0)
    let characters = withUnsafeBytes(of: modes.c_cc) { $0.map { UInt($0) } }
    return [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag].map { UInt($0) }
      + characters
  }

  private static func window(_ size: Size) -> winsize {
    winsize(
      ws_row: UInt16(size.height), ws_col: UInt16(size.width), ws_xpixel: 0, ws_ypixel: 0)
  }
}

/// Waits until a condition holds, without blocking the main queue. A condition that never holds ends with the
/// time limit of the suite: a bound here would only measure how busy the machine is.
@MainActor
func eventually(_ holds: @MainActor () -> Bool) async throws {
  while !holds() { try await Task.sleep(for: .milliseconds(1)) }
}
