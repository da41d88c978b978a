import TerminalCore
import TimerBoard

/// One key to mean something else in one place.
package struct KeyOverride: Hashable, Sendable {
  /// Where: `board`, `focus`, `timeline`, `log`, `prompt`, `help` or `global`.
  package var scope: String
  /// Which: `x`, `Ctrl-X`, `F5`, `PgUp`.
  package var key: String
  /// What it does, such as `pause-all`; `none` for nothing.
  package var action: String

  package init(scope: String, key: String, action: String) {
    self.scope = scope
    self.key = key
    self.action = action
  }
}

/// Why a key cannot be rebound.
package struct BindingError: Error, Hashable, CustomStringConvertible {
  package let override: KeyOverride
  package let description: String
}

extension Bindings {
  /// The same table with some keys meaning something else; what a key meant before loses it.
  package func rebound(_ overrides: [KeyOverride]) throws(BindingError) -> Bindings {
    var bindings = all
    var seen: Set<Place> = []
    for override in overrides {
      let (place, action) = try override.understood()
      guard seen.insert(place).inserted else {
        throw BindingError(
          override: override, description: "“\(override.key)” is bound twice in \(place.scope)")
      }
      for index in bindings.indices where bindings[index].scope == place.scope {
        bindings[index].keys.removeAll { $0 == place.key }
      }
      guard let action else { continue }
      if let index = bindings.firstIndex(where: {
        $0.scope == place.scope && $0.action == action
      }) {
        bindings[index].keys.insert(place.key, at: 0)
      } else if let known = bindings.first(where: {
        $0.scope == place.scope.owner(of: action) && $0.action == action
      }) {
        var binding = known
        binding.scope = place.scope
        binding.keys = [place.key]
        let end = bindings.lastIndex { $0.scope == place.scope } ?? bindings.count - 1
        bindings.insert(binding, at: end + 1)
      }
    }
    return Bindings(bindings.filter { !$0.keys.isEmpty })
  }
}

private struct Place: Hashable {
  var scope: Binding.Scope
  var key: Key
}

extension KeyOverride {
  fileprivate func understood() throws(BindingError) -> (Place, Action?) {
    guard let scope = Binding.Scope(rawValue: scope) else {
      throw unknown(
        scope, "no place where keys are bound", of: Binding.Scope.allCases.map(\.rawValue))
    }
    guard let key = Key(named: key) else {
      throw unknown(self.key, "no key", of: Key.names)
    }
    guard scope != .prompt || key.text == nil else {
      throw BindingError(
        override: self, description: "“\(self.key)” is typed in a prompt, and cannot be bound there"
      )
    }
    let place = Place(scope: scope, key: key)
    if action == "none" { return (place, nil) }
    guard let action = Action(rawValue: action) else {
      throw unknown(
        action, "nothing that a key can do", of: Action.allCases.map(\.rawValue) + ["none"])
    }
    guard scope.chain.contains(where: { $0.actions.contains(action) }) else {
      let homes = Binding.Scope.allCases.filter { $0.actions.contains(action) }
      throw BindingError(
        override: self,
        description: "“\(action.rawValue)” means nothing in \(scope.rawValue), but in "
          + homes.map(\.rawValue).joined(separator: ", "))
    }
    return (place, action)
  }

  private func unknown(_ word: String, _ kind: String, of known: [String]) -> BindingError {
    let nearest = Suggestion.nearest(to: word, of: known).map { ": did you mean “\($0)”?" } ?? ""
    return BindingError(override: self, description: "“\(word)” is \(kind)\(nearest)")
  }
}

extension Binding.Scope {
  /// This scope and those where a key goes that means nothing here.
  var chain: [Binding.Scope] { Array(sequence(first: self) { $0.outer }) }

  /// What can be done here, whatever the keys for it are.
  var actions: Set<Action> { Self.allActions[self] ?? [] }

  private static let allActions = Dictionary(grouping: Bindings.standard.all, by: \.scope)
    .mapValues { Set($0.map(\.action)) }

  /// The scope that knows what an action means for one that starts here.
  func owner(of action: Action) -> Binding.Scope {
    chain.first { $0.actions.contains(action) } ?? self
  }
}
