import TimerBoard

/// The reference of keys and timer syntax, generated from the bindings and the grammar. Help, README and man
/// page are generated from it.
package struct Manual: Sendable {
  /// A heading with entries, each a term and its meaning.
  package struct Section: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
      package var term: String
      package var meaning: String
    }

    package var heading: String
    package var entries: [Entry]
  }

  private static let headings: [(Binding.Scope, String)] = [
    (.board, "Board"), (.global, "Everywhere"), (.focus, "Focus"),
    (.timeline, "Timeline"), (.history, "History"), (.log, "Log"), (.lab, "Lab"),
    (.prompt, "Prompt"),
    (.help, "Help"),
  ]

  /// Returns the heading of the keys of a scope.
  static func heading(of scope: Binding.Scope) -> String {
    headings.first { $0.0 == scope }?.1 ?? ""
  }

  /// The keys of each scope.
  package let keys: [Section]
  /// The timer syntax, by examples.
  package let grammar = Section(
    heading: "Timer syntax",
    entries: TimerSpec.examples.map { Section.Entry(term: $0.0, meaning: $0.1) })

  /// The keys of prompts.
  let prompt: Section

  package init(_ bindings: Bindings = .standard) {
    self.init(bindings, .unicode)
  }

  init(_ bindings: Bindings, _ symbols: Symbols) {
    func section(_ scope: Binding.Scope, _ heading: String) -> Section {
      Section(
        heading: heading,
        entries: bindings.all.filter { $0.scope == scope && !$0.keys.isEmpty }
          .map { Section.Entry(term: $0.keyNames(symbols), meaning: $0.help) })
    }
    keys = Self.headings.map(section)
    prompt = section(.prompt, Self.heading(of: .prompt))
  }
}
