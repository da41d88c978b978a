import TerminalCore

/// The table of all bindings.
package struct Bindings: Sendable {
  let all: [Binding]
  /// The bindings with an entry in the footer, in the order of the table.
  let inFooter: [Binding]
  /// The views that have a key, with their first keys.
  let ofViews: [(view: DashboardView, key: Key)]
  private let actions: [Binding.Scope: [Key: Action]]

  init(_ all: [Binding]) {
    self.all = all
    inFooter = all.filter { $0.footer != nil }
    ofViews = DashboardView.all.compactMap { view in
      Self.firstKey(of: view.action, in: .global, all).map { (view, $0) }
    }
    actions = Dictionary(grouping: all, by: \.scope).mapValues { bindings in
      var actions: [Key: Action] = [:]
      for binding in bindings {
        for key in binding.keys { actions[key] = binding.action }
      }
      return actions
    }
  }

  func action(for key: Key, in scope: Binding.Scope) -> Action? {
    actions[scope]?[key]
  }

  /// Returns the name of an action's first key; empty if it has none.
  func keyName(of action: Action, in scope: Binding.Scope, _ symbols: Symbols) -> String {
    Self.firstKey(of: action, in: scope, all)?.name(symbols) ?? ""
  }

  private static func firstKey(
    of action: Action, in scope: Binding.Scope, _ bindings: [Binding]
  ) -> Key? {
    bindings.first { $0.scope == scope && $0.action == action }?.keys.first
  }

  /// The default bindings.
  package static let standard = Bindings(
    Binding.Scope.allCases.compactMap(\.view).flatMap(\.bindings) + prompt + help + overlays
      + DashboardView.all.map { Binding(.global, [$0.key], $0.action, "show \($0.name)") } + global)

  private static let prompt = [
    Binding(.prompt, [.enter], .accept, "accept", footer: "accept", rank: 1),
    Binding(.prompt, [.escape, .control("c")], .cancel, "cancel", footer: "cancel", rank: 1),
    Binding(.prompt, [.tab], .complete, "complete the word or match", footer: "complete", rank: 2),
    Binding(
      .prompt, [.up, .control("p")], .previousEntry, "previous entry or match", footer: "history",
      rank: 2),
    Binding(
      .prompt, [.down, .control("n")], .nextEntry, "next entry or match", footer: "history", rank: 2
    ),
    Binding(.prompt, [.left, .control("b")], .cursorLeft, "move left"),
    Binding(.prompt, [.right, .control("f")], .cursorRight, "move right"),
    Binding(.prompt, [Key(.character("b"), .alt)], .cursorWordLeft, "move a word left"),
    Binding(.prompt, [Key(.character("f"), .alt)], .cursorWordRight, "move a word right"),
    Binding(.prompt, [.home, .control("a")], .cursorStart, "move to start"),
    Binding(.prompt, [.end, .control("e")], .cursorEnd, "move to end"),
    Binding(.prompt, [.backspace, .control("h")], .eraseLeft, "erase left"),
    Binding(.prompt, [.delete, .control("d")], .eraseRight, "erase at cursor"),
    Binding(
      .prompt, [.control("w"), Key(.backspace, .alt)], .eraseWordLeft, "erase word left",
      footer: "erase word", rank: 3),
    Binding(
      .prompt, [Key(.character("d"), .alt)], .eraseWordRight, "erase word right"),
    Binding(
      .prompt, [.control("u")], .eraseToStart, "erase to start", footer: "erase to start", rank: 4),
    Binding(.prompt, [.control("k")], .eraseToEnd, "erase to end"),
  ]

  private static let help = [
    Binding(.help, [.up, .character("k")], .up, "scroll up", footer: "scroll", rank: 2),
    Binding(
      .help, [.down, .character("j"), .enter], .down, "scroll down", footer: "scroll", rank: 2),
    Binding(.help, [.character("g"), .home], .top, "go to top"),
    Binding(.help, [.character("G"), .end], .bottom, "go to bottom"),
    Binding(.help, [.pageUp, .character("b"), .control("u")], .pageUp, "page up"),
    Binding(.help, [.pageDown, .space, .control("d")], .pageDown, "page down"),
    Binding(
      .help, [.escape, .character("q"), .character("?"), Key(.function(1))], .dismiss, "back",
      footer: "back", rank: 1),
  ]

  private static let overlays = [
    Binding(
      .global, [.character("?"), Key(.function(1))], .help, "show help", footer: "help", rank: 1),
    Binding(
      .global, [.character(":")], .commandPalette, "command palette", footer: "commands", rank: 4),
  ]

  private static let global = [
    Binding(.global, [], .scene, "open scene of the lab"),
    Binding(.global, [], .acknowledge, "acknowledge alerts"),
    Binding(.global, [.tab], .nextView, "next view"),
    Binding(.global, [.backtab], .previousView, "previous view"),
    Binding(.global, [.character("t")], .theme, "next theme"),
    Binding(.global, [.character(".")], .tenths, "show / hide tenths"),
    Binding(.global, [.character(",")], .lateness, "show / hide short lateness"),
    Binding(.global, [.control("l")], .redraw, "redraw screen"),
    Binding(.global, [.control("z")], .suspend, "suspend (fg resumes)"),
    Binding(
      .global, [.character("D")], .detach, "continue in the background",
      footer: "background", rank: 5),
    Binding(
      .global, [.character("q"), Key(.function(10))], .quit, "quit", footer: "quit", rank: 1),
    Binding(.global, [.character("Q")], .quitFully, "quit without background process"),
    Binding(.global, [.control("c")], .interrupt, "quit with status 130"),
  ]
}
