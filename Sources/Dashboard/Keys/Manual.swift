import TimerBoard

/// What there is to know about keys and timers, section by section: the help overlay, the README and
/// the man page are made of it, and it is made of the bindings and the grammar.
package struct Manual: Sendable {
  /// A heading, and under it what to type and what that does.
  package struct Section: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
      package var term: String
      package var meaning: String
    }

    package var heading: String
    package var entries: [Entry]
  }

  private static let headings: [(Binding.Scope, String)] = [
    (.board, "On the board"), (.global, "Everywhere"), (.focus, "In big digits"),
    (.timeline, "On the timeline"), (.log, "In the log"), (.lab, "In the lab"),
    (.prompt, "While typing"),
    (.help, "In the help"),
  ]

  /// The keys, by where they hold.
  package let keys: [Section]
  /// What to type for a timer.
  package let grammar = Section(
    heading: "What to type for a timer",
    entries: TimerSpec.examples.map { Section.Entry(term: $0.0, meaning: $0.1) })

  /// The keys of a prompt.
  let prompt: Section

  package init(_ bindings: Bindings = .standard) {
    self.init(bindings, .unicode)
  }

  init(_ bindings: Bindings, _ symbols: Symbols) {
    func section(_ scope: Binding.Scope, _ heading: String) -> Section {
      Section(
        heading: heading,
        entries: bindings.all.filter { $0.scope == scope }
          .map { Section.Entry(term: $0.keyNames(symbols), meaning: $0.help) })
    }
    keys = Self.headings.map(section)
    prompt = section(.prompt, "While typing")
  }
}
