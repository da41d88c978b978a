import CNCurses
import Platform
import TerminalCore

extension CursesTerminal {
  /// The options of a terminal.
  public struct Options: Sendable {
    /// The terminal type, as in `TERM`.
    public var terminalType: String?
    /// The name of the locale, which gives the character encoding: `LC_ALL`, otherwise `LC_CTYPE`,
    /// otherwise `LANG`.
    public var locale: String
    /// A Boolean value that indicates whether colors are used (`NO_COLOR`).
    public var usesColor = true
    /// A terminfo entry with exact colors; `nil` if the terminal has none, or its type has exact colors already.
    var exactColors: [UInt8]?
    private var environment: [String: String] = [:]
    /// A Boolean value that indicates whether the mouse is reported. If not, the terminal uses it
    /// to select text.
    public var usesMouse = true
    /// A Boolean value that indicates whether the title of the terminal's window can be set.
    public var setsTitle = false
    /// A Boolean value that indicates whether the terminal is GNU screen, which cannot restore a title.
    var isScreen = false
    public var input: Int32 = 0
    public var output: Int32 = 1
    public var error: Int32 = 2

    public init(terminalType: String?, locale: String = "C") {
      self.terminalType = terminalType
      self.locale = locale
    }

    /// Creates the options of an environment.
    public init(environment: [String: String]) {
      self.init(
        terminalType: environment.nonEmptyValue(of: "TERM"),
        locale: environment.locale("LC_CTYPE") ?? "C")
      self.environment = environment
      usesColor = environment.nonEmptyValue(of: "NO_COLOR") == nil
      isScreen = NotificationSequence(environment: environment).multiplexer == .screen
      if usesColor, let terminalType,
        ExactColors.areAvailable(in: environment, terminalType: terminalType)
      {
        exactColors = ExactColors.entry(of: terminalType, environment).flatMap(ExactColors.variant)
      }
    }

    /// The first words of the types of terminals that understand all of xterm. Their entries come with the terminals, and
    /// are missing on other machines.
    private static let xtermLikeTypes: [Substring] = [
      "alacritty", "foot", "ghostty", "kitty", "wezterm", "xterm",
    ]

    /// The options for a terminal whose type has no terminfo entry, with the type of a similar one; `nil` if there is none.
    var substitute: Options? {
      let substituteType = "xterm-256color"
      guard let type = terminalType, type != substituteType,
        Self.xtermLikeTypes.contains(type.prefix { $0 != "-" })
      else { return nil }
      var changed = environment
      changed["TERM"] = substituteType
      let similar = Options(environment: changed)
      var options = self
      options.terminalType = substituteType
      options.exactColors = usesColor ? similar.exactColors : nil
      return options
    }

    /// The first words of types that have xterm's title without saying so in terminfo.
    private static let titledTypes: [Substring] = ["rxvt", "screen", "tmux", "xterm"]

    /// A Boolean value that indicates whether the window gets a title: terminfo or the type says that the terminal
    /// has one.
    var hasTitle: Bool {
      guard setsTitle, !isScreen, let type = terminalType else { return false }
      return cn_screen_has_title() || Self.titledTypes.contains(type.prefix { $0 != "-" })
    }

    /// Returns the terminal type, or throws if there is no terminal or no type.
    func checkedTerminalType() throws(TerminalError) -> String {
      guard isatty(input) == 1 else { throw .notATerminal(stream: "standard input") }
      guard isatty(output) == 1 else { throw .notATerminal(stream: "standard output") }
      guard let terminalType, !terminalType.isEmpty else { throw .noTerminalType }
      return terminalType
    }
  }
}

/// An error of opening a terminal. Its description is one line for the user.
public enum TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The stream is a file, a pipe or closed.
  case notATerminal(stream: String)
  case noTerminalType
  case unknownTerminalType(String)
  /// The terminal type is known but cannot position the cursor.
  case incapableTerminalType(String)
  /// A system call failed with an error number.
  case system(call: String, errno: Int32)

  public var description: String {
    switch self {
    case .notATerminal(let stream): "\(stream) is not a terminal"
    case .noTerminalType: "TERM is not set (expected a terminal type, such as xterm-256color)"
    case .unknownTerminalType(let name):
      "unknown terminal type '\(name)' in TERM (expected a type such as xterm-256color)"
    case .incapableTerminalType(let name):
      "terminal type '\(name)' in TERM cannot position the cursor"
        + " (expected a type such as xterm-256color)"
    case .system(let call, let errno):
      "cannot set up the terminal: \(call) failed with error \(errno)"
    }
  }
}
