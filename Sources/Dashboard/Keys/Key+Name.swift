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

/// The names of keys in the footer, hints and other texts.
extension Dashboard {
  /// Returns true if a key of a binding performs its action when a scope receives it. A key passes from that scope to
  /// its outer ones until one of them handles it, and this must be the scope of the binding.
  func isHandled(_ key: Key, by binding: Binding, whenPressedIn scope: Binding.Scope) -> Bool {
    var receiver: Binding.Scope? = scope
    while let scope = receiver, scope != binding.scope {
      if bindings.action(for: key, in: scope) != nil || (scope == .prompt && key.text != nil) {
        return false
      }
      receiver = scope.outer
    }
    return receiver != nil
  }

  /// Returns the name of the first key that performs an action; empty if no key does.
  /// - Parameters:
  ///   - bindingScope: The scope of the action's binding.
  ///   - scope: The scope that receives keys; `nil` for that of the view.
  func keyName(
    of action: Action, in bindingScope: Binding.Scope, from scope: Binding.Scope? = nil
  ) -> String {
    let scope = scope ?? viewScope
    return bindings.all.lazy.filter { $0.action == action && $0.scope == bindingScope }
      .flatMap { binding in binding.keys.filter { isHandled($0, by: binding, whenPressedIn: scope) }
      }
      .first?.name(symbols) ?? ""
  }

  /// Returns the first key of an action in the view with its meaning, such as `q quits`; `nil` if it has none.
  func keyHint(for action: Action, in bindingScope: Binding.Scope, _ meaning: String) -> String? {
    let key = keyName(of: action, in: bindingScope)
    return key.isEmpty ? nil : "\(key) \(meaning)"
  }
}
