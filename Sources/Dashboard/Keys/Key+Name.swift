package import TerminalCore

extension Key: ExpressibleByExtendedGraphemeClusterLiteral {
  /// Creates the key that types a character, for tables of bindings.
  package init(extendedGraphemeClusterLiteral character: Character) {
    self = .character(character)
  }
}

extension Key {
  /// Returns the name of the key: `Space`, `Ctrl-L`, `↑`, `R`.
  func name(_ symbols: Symbols) -> String {
    var name = ""
    if modifiers.contains(.control) { name += "Ctrl-" }
    if modifiers.contains(.alt) { name += "Alt-" }
    if modifiers.contains(.shift) { name += "Shift-" }
    switch code {
    case .character(" "): return name + "Space"
    case .character(let character):
      return name + (modifiers.contains(.control) ? character.uppercased() : String(character))
    case .up, .down, .left, .right:
      let index = [Code.up, .down, .left, .right].firstIndex(of: code) ?? 0
      return name + symbols.arrows[index]
    case .backtab: return name + "Shift-Tab"
    case .function(let number): return name + "F\(number)"
    default: return name + (Self.named.first { $0.key.code == code }?.name ?? "")
    }
  }

  private static let named: [(name: String, key: Key)] = [
    ("Space", .space), ("Enter", .enter), ("Tab", .tab), ("Backspace", .backspace),
    ("Esc", .escape), ("Up", .up), ("Down", .down), ("Left", .left), ("Right", .right),
    ("Home", .home), ("End", .end), ("PgUp", .pageUp), ("PgDn", .pageDown),
    ("Ins", Key(.insert)), ("Del", .delete),
  ]

  /// The names of keys, for suggestions.
  static let names = named.map(\.name) + (1...12).map { "F\($0)" }

  /// Creates a key from its name: `Ctrl-L`, `Shift-Tab`, `F5`, `Up`, `R`.
  init?(named text: String) {
    var rest = text[...]
    var modifiers: Modifiers = []
    for (prefix, modifier) in [("ctrl-", Modifiers.control), ("alt-", .alt), ("shift-", .shift)]
    where rest.lowercased().hasPrefix(prefix) && rest.count > prefix.count {
      rest = rest.dropFirst(prefix.count)
      modifiers.insert(modifier)
    }
    let name = rest.lowercased()
    if let character = rest.first, rest.count == 1 {
      let hasControl = modifiers.contains(.control)
      self.init(.character(hasControl ? Character(character.lowercased()) : character), modifiers)
    } else if name == "tab", modifiers == .shift {
      self = .backtab
    } else if let key = Self.named.first(where: { $0.name.lowercased() == name })?.key {
      self.init(key.code, modifiers)
    } else if name.first == "f", let number = Int(name.dropFirst()), (1...24).contains(number) {
      self.init(.function(number), modifiers)
    } else {
      return nil
    }
  }
}
