import TerminalCore

/// The control sequence by which a terminal is asked to show a message of its own, beside the screen:
/// it reaches whoever sits at the terminal, over SSH too.
///
/// A terminal that does not know it ignores it. Inside of tmux it is wrapped as tmux passes it on to
/// the terminal around it, which `set -g allow-passthrough on` allows; where that is off, tmux drops
/// it.
public struct NotificationSequence: Hashable, Sendable {
  public enum Form: Hashable, Sendable {
    /// One text: iTerm2, WezTerm, Ghostty, kitty, Windows Terminal.
    case osc9
    /// A title and a text: urxvt, foot, VTE as some distributions have it.
    case osc777
  }

  /// What stands between the program and the terminal.
  public enum Carrier: Hashable, Sendable {
    case none, tmux, screen
  }

  public var form: Form
  public var carrier: Carrier

  public init(_ form: Form, through carrier: Carrier = .none) {
    self.form = form
    self.carrier = carrier
  }

  /// The one that the terminal probably knows, as far as a process's environment tells.
  public init(environment: [String: String]) {
    func isSet(_ name: String) -> Bool { environment.setting(name) != nil }
    let type = environment["TERM"] ?? ""
    let is777 = type.hasPrefix("rxvt") || type.hasPrefix("foot") || isSet("VTE_VERSION")
    form = is777 ? .osc777 : .osc9
    if isSet("TMUX") || type.hasPrefix("tmux") {
      carrier = .tmux
    } else if isSet("STY") || type.hasPrefix("screen") {
      carrier = .screen
    } else {
      carrier = .none
    }
  }

  /// The sequence, of at most 256 bytes: GNU screen shows what is longer. Whatever the texts are,
  /// there is no other control character in it than those around them.
  public func bytes(title: String, text: String) -> [UInt8] {
    // A semicolon begins the next field, and after a number a command of other kinds.
    let title = title.plainLine(maxBytes: 60).withoutSemicolons
    let text = text.plainLine(maxBytes: 160).withoutSemicolons
    let message =
      switch form {
      case .osc9: "9;\(title): \(text)"
      case .osc777: "777;notify;\(title);\(text)"
      }
    // BEL ends it: the other ending would end what it is wrapped in too.
    let sequence =
      switch carrier {
      case .none: "\u{1B}]\(message)\u{07}"
      case .tmux: "\u{1B}Ptmux;\u{1B}\u{1B}]\(message)\u{07}\u{1B}\\"
      case .screen: "\u{1B}P\u{1B}]\(message)\u{07}\u{1B}\\"
      }
    return Array(sequence.utf8)
  }
}

extension String {
  fileprivate var withoutSemicolons: String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: unicodeScalars.lazy.map { $0 == ";" ? "," : $0 })
    return String(text)
  }
}
