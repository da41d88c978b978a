import TerminalCore
import TimerBoard

/// A key that is bound to another action in one scope.
package struct KeyOverride: Hashable, Sendable {
  /// The scope: `board`, `focus`, `timeline`, `history`, `log`, `lab`, `prompt`, `help` or `global`.
  package var scope: String
  /// The key: `x`, `Ctrl-X`, `F5`, `PgUp`.
  package var key: String
  /// The action, such as `pause-all`. `none` removes the key from this scope; a binding in an outer scope then applies.
  package var action: String

  package init(scope: String, key: String, action: String) {
    self.scope = scope
    self.key = key
    self.action = action
  }
}

/// An error in a key binding of the configuration.
package struct BindingError: Error, Hashable, CustomStringConvertible {
  package let override: KeyOverride
  package let description: String
}

extension Bindings {
  /// Returns the table with some keys bound to other actions and removed from their previous ones.
  package func rebound(_ overrides: [KeyOverride]) throws(BindingError) -> Bindings {
    var bindings = all
    var seen: [Binding.Scope: Set<Key>] = [:]
    for override in overrides {
      let (scope, key, action) = try override.parsed()
      guard seen[scope, default: []].insert(key).inserted else {
        throw override.error("'\(override.key)' is bound twice in '\(scope)'")
      }
      for index in bindings.indices where bindings[index].scope == scope {
        bindings[index].keys.removeAll { $0 == key }
      }
      guard let action else { continue }
      if let index = bindings.firstIndex(where: { $0.scope == scope && $0.action == action }) {
        bindings[index].keys.insert(key, at: 0)
      } else if let known = bindings.first(where: {
        $0.scope == scope.selfOrOuter(performing: action) && $0.action == action
      }) {
        var binding = known
        binding.scope = scope
        binding.keys = [key]
        let end = bindings.lastIndex { $0.scope == scope } ?? bindings.count - 1
        bindings.insert(binding, at: end + 1)
      }
    }
    // Removes the bindings that have lost all their keys, but not those of actions without a key by default.
    let keyless = Set(all.filter(\.keys.isEmpty).map(\.action))
    return Bindings(bindings.filter { !$0.keys.isEmpty || keyless.contains($0.action) })
  }
}

extension KeyOverride {
  fileprivate func parsed() throws(BindingError) -> (Binding.Scope, Key, Action?) {
    guard let scope = Binding.Scope(rawValue: scope) else {
      throw unknown(scope, "scope", of: Binding.Scope.allCases.map(\.rawValue))
    }
    guard let key = Key(named: key) else {
      throw unknown(self.key, "key", of: Key.names)
    }
    guard scope != .prompt || key.text == nil else {
      throw error("'\(self.key)' types a character and cannot be bound in 'prompt'")
    }
    if action == "none" { return (scope, key, nil) }
    guard let action = Action(rawValue: action) else {
      throw unknown(action, "action", of: Action.allCases.map(\.rawValue) + ["none"])
    }
    guard scope.selfAndOuterScopes.contains(where: { $0.actions.contains(action) }) else {
      let scopes = Binding.Scope.allCases.filter { $0.actions.contains(action) }
      throw error(
        "'\(action.rawValue)' is not available in '\(scope.rawValue)' (expected in "
          + scopes.map(\.rawValue).joined(separator: ", ") + ")")
    }
    return (scope, key, action)
  }

  private func unknown(_ word: String, _ kind: String, of known: [String]) -> BindingError {
    let nearest = Suggestion.nearest(to: word, of: known).map { " (did you mean '\($0)'?)" } ?? ""
    return error("unknown \(kind) '\(word)'\(nearest)")
  }

  fileprivate func error(_ description: String) -> BindingError {
    BindingError(override: self, description: description)
  }
}

extension Binding.Scope {
  /// The scope and the outer ones.
  var selfAndOuterScopes: [Binding.Scope] { Array(sequence(first: self) { $0.outer }) }

  /// The actions of the scope itself, without those of the outer ones. They do not depend on the keys.
  var actions: Set<Action> { Self.allActions[self] ?? [] }

  private static let allActions = Dictionary(grouping: Bindings.standard.all, by: \.scope)
    .mapValues { Set($0.map(\.action)) }

  /// Returns the scope that performs an action: this one or an outer one.
  func selfOrOuter(performing action: Action) -> Binding.Scope {
    selfAndOuterScopes.first { $0.actions.contains(action) } ?? self
  }
}
