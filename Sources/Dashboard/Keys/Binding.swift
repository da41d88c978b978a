import TerminalCore

/// Keys, what they do, and how that is told: dispatch, footer, help overlay and documents all read
/// the one table of these.
struct Binding: Hashable, Sendable {
  /// Where a binding holds. The inner scope wins over the global one.
  enum Scope: String, CaseIterable, Hashable, Sendable {
    case board, focus, timeline, log, lab, prompt, help, global

    /// Where a key goes that means nothing here.
    var outer: Scope? {
      switch self {
      case .focus, .timeline: .board
      case .board, .log, .lab, .prompt, .help: .global
      case .global: nil
      }
    }
  }

  /// What the footer says of it, and how soon it gives way where space is short.
  struct Footer: Hashable, Sendable {
    var label: String
    /// 1 goes last.
    var rank: Int
  }

  var scope: Scope
  var keys: [Key]
  var action: Action
  /// What it does, in a few words: for help and documents.
  var help: String
  /// Neighbours with the same label share one entry.
  var footer: Footer?

  init(
    _ scope: Scope, _ keys: [Key], _ action: Action, _ help: String, footer: String? = nil,
    rank: Int = 9
  ) {
    self.scope = scope
    self.keys = keys
    self.action = action
    self.help = help
    self.footer = footer.map { Footer(label: $0, rank: rank) }
  }

  /// Its keys as a person reads them: `↑ k`.
  func keyNames(_ symbols: Symbols) -> String {
    keys.map { $0.name(symbols) }.joined(separator: " ")
  }
}
