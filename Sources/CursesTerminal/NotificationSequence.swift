import TerminalCore

/// The control sequence that makes a terminal show a notification, over SSH too.
///
/// A terminal that does not support it ignores it. Inside of tmux it is wrapped so that tmux passes
/// it on to the outer terminal, which requires `set -g allow-passthrough on`; otherwise tmux drops
/// it.
public struct NotificationSequence: Hashable, Sendable {
  /// The syntax of the sequence.
  public enum Form: Hashable, Sendable {
    /// A single text: iTerm2, WezTerm, Ghostty, kitty, Windows Terminal.
    case osc9
    /// A title and a text: urxvt, foot, and VTE in some distributions.
    case osc777
  }

  /// The terminal multiplexer between the program and the terminal.
  public enum Multiplexer: Hashable, Sendable {
    case none, tmux, screen
  }

  public var form: Form
  public var multiplexer: Multiplexer

  public init(_ form: Form, through multiplexer: Multiplexer = .none) {
    self.form = form
    self.multiplexer = multiplexer
  }

  /// Creates the sequence that the terminal most likely supports, judged by the environment.
  public init(environment: [String: String]) {
    func isSet(_ name: String) -> Bool { environment.nonEmptyValue(of: name) != nil }
    let type = environment["TERM"] ?? ""
    let is777 = type.hasPrefix("rxvt") || type.hasPrefix("foot") || isSet("VTE_VERSION")
    form = is777 ? .osc777 : .osc9
    let isTmux = isSet("TMUX") || type.hasPrefix("tmux")
    let isScreen = isSet("STY") || type.hasPrefix("screen")
    multiplexer = isTmux ? .tmux : isScreen ? .screen : .none
  }

  /// Returns the sequence, at most 256 bytes long, because GNU screen shows longer ones as text. The
  /// title and the text add no control characters to it.
  public func bytes(title: String, text: String) -> [UInt8] {
    // A semicolon starts the next field, and after a number another command.
    let title = title.plainLine(maxBytes: 60).withoutSemicolons
    let text = text.plainLine(maxBytes: 160).withoutSemicolons
    let message = form == .osc9 ? "9;\(title): \(text)" : "777;notify;\(title);\(text)"
    // It ends with BEL, because `ESC \` would end the wrapping sequence too.
    let sequence =
      switch multiplexer {
      case .none: "\u{1B}]\(message)\u{07}"
      case .tmux: "\u{1B}Ptmux;\u{1B}\u{1B}]\(message)\u{07}\u{1B}\\"
      case .screen: "\u{1B}P\u{1B}]\(message)\u{07}\u{1B}\\"
      }
    return Array(sequence.utf8)
  }
}

extension String {
  fileprivate var withoutSemicolons: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0 == ";" ? "," : $0 }))
  }
}
