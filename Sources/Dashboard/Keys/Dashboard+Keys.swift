import TerminalCore

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
