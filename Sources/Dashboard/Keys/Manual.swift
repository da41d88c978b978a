import TimerBoard

/// The reference of keys and timer syntax, generated from the bindings and the grammar. Help, README and man
/// page are generated from it.
package struct Manual: Sendable {
  /// A heading with entries, each a term and its meaning.
  package struct Section: Sendable {
    package var heading: String
    package var entries: [(term: String, meaning: String)]
  }

  /// The scopes in the order of their sections: what is needed most comes first.
  private static let scopes =
    [.board, .global] + Binding.Scope.allCases.filter { $0 != .board && $0 != .global }

  /// Returns the heading of the keys of a scope.
  static func heading(of scope: Binding.Scope) -> String {
    scope == .global
      ? "Everywhere" : scope.rawValue.prefix(1).uppercased() + scope.rawValue.dropFirst()
  }

  /// The keys of each scope.
  package let keys: [Section]
  /// The timer syntax, by examples.
  package let grammar = Section(
    heading: "Timer syntax",
    entries: TimerSpec.examples.map { ($0.0, $0.1) })

  /// The keys of prompts.
  let prompt: Section

  package init(_ bindings: Bindings = .standard) {
    self.init(bindings, .unicode)
  }

  init(_ bindings: Bindings, _ symbols: Symbols) {
    func section(_ scope: Binding.Scope) -> Section {
      Section(
        heading: Self.heading(of: scope),
        entries: bindings.all.filter { $0.scope == scope && !$0.keys.isEmpty }
          .map { ($0.keyNames(symbols), $0.help) })
    }
    keys = Self.scopes.map(section)
    prompt = section(.prompt)
  }
}
