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

extension Key {
  /// What is written on it: `Space`, `Ctrl-L`, `↑`, `R`.
  func name(_ symbols: Symbols) -> String {
    var name = ""
    if modifiers.contains(.control) { name += "Ctrl-" }
    if modifiers.contains(.alt) { name += "Alt-" }
    if modifiers.contains(.shift) { name += "Shift-" }
    switch code {
    case .character(" "): return name + "Space"
    case .character(let character):
      return name + (modifiers.contains(.control) ? character.uppercased() : String(character))
    case .up: return name + symbols.arrows[0]
    case .down: return name + symbols.arrows[1]
    case .left: return name + symbols.arrows[2]
    case .right: return name + symbols.arrows[3]
    case .home: return name + "Home"
    case .end: return name + "End"
    case .pageUp: return name + "PgUp"
    case .pageDown: return name + "PgDn"
    case .insert: return name + "Ins"
    case .delete: return name + "Del"
    case .enter: return name + "Enter"
    case .tab: return name + "Tab"
    case .backtab: return name + "Shift-Tab"
    case .backspace: return name + "Backspace"
    case .escape: return name + "Esc"
    case .function(let number): return name + "F\(number)"
    }
  }
}
