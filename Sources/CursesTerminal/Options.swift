import Platform
import TerminalCore

/// How a terminal is opened. The environment comes as a value: nothing here reads it.
extension CursesTerminal {
  public struct Options: Sendable {
    /// The terminal's type, as `TERM` says it.
    public var terminalType: String?
    /// The locale's name, which says the character encoding: `LC_ALL`, else `LC_CTYPE`, else `LANG`.
    public var locale: String
    /// False shows everything in the terminal's own colours (`NO_COLOR`).
    public var usesColor = true
    /// False leaves the mouse to the terminal, for selecting text.
    public var usesMouse = true
    public var input: Int32 = 0
    public var output: Int32 = 1
    public var error: Int32 = 2

    public init(terminalType: String?, locale: String = "C") {
      self.terminalType = terminalType
      self.locale = locale
    }

    /// The options that a process's environment asks for.
    public init(environment: [String: String]) {
      self.init(
        terminalType: environment.setting("TERM"), locale: environment.locale("LC_CTYPE") ?? "C")
      usesColor = environment.setting("NO_COLOR") == nil
    }

    /// The terminal's type, where there is a terminal and a type.
    func checkedTerminalType() throws(TerminalError) -> String {
      guard isatty(input) == 1 else { throw .notATerminal(stream: "standard input") }
      guard isatty(output) == 1 else { throw .notATerminal(stream: "standard output") }
      guard let terminalType, !terminalType.isEmpty else { throw .noTerminalType }
      return terminalType
    }

    /// What a terminal, timers and a command take at the same time.
    static let neededDescriptors = 24

    /// Finds out whether there are descriptors enough: Dispatch ends the process where it gets none
    /// for what it is to wait for.
    func checkDescriptors() throws(TerminalError) {
      var opened: [Int32] = []
      defer { for descriptor in opened { systemClose(descriptor) } }
      for _ in 0..<Self.neededDescriptors {
        let descriptor = fcntl(output, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { throw .tooFewDescriptors(needed: Self.neededDescriptors) }
        opened.append(descriptor)
      }
    }
  }

  /// What the terminal can show.
  public struct Capabilities: Hashable, Sendable {
    /// 0, 8, 16 or 256. Styles may name any colour: they are shown in the nearest there is.
    public let colors: Int
    /// Where false, only ASCII is sent; box-drawing and its like show as their nearest ASCII forms.
    public let isUTF8: Bool
    /// Whether the mouse is reported.
    public let hasMouse: Bool
  }
}

/// Why a terminal could not be opened; its description is one line for people.
public enum TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The stream is a file, a pipe or closed.
  case notATerminal(stream: String)
  case noTerminalType
  case unknownTerminalType(String)
  /// The type is known, and too simple to draw on.
  case incapableTerminalType(String)
  /// The process may open too few more files.
  case tooFewDescriptors(needed: Int)
  /// The system refused; the call and its error number.
  case system(call: String, errno: Int32)

  public var description: String {
    switch self {
    case .notATerminal(let stream):
      "\(stream) is not a terminal"
    case .noTerminalType:
      "TERM is not set: it names the terminal's type, such as xterm-256color"
    case .unknownTerminalType(let name):
      "the terminal type '\(name)' (TERM) is unknown on this system; try TERM=xterm-256color"
    case .incapableTerminalType(let name):
      "the terminal type '\(name)' (TERM) cannot place the cursor, which a screen needs"
    case .tooFewDescriptors(let needed):
      "the terminal takes \(needed) open files, and fewer are allowed here (ulimit -n)"
    case .system(let call, let errno):
      "the terminal cannot be set up: \(call) failed with error \(errno)"
    }
  }
}
