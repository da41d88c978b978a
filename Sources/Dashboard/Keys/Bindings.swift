import TerminalCore
import TimerBoard

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
      bindings.reduce(into: [:]) { actions, binding in
        for key in binding.keys { actions[key] = binding.action }
      }
    }
  }

  func action(for key: Key, in scope: Binding.Scope) -> Action? {
    actions[scope]?[key]
  }

  /// Returns the name of an action's first key; empty if it has none.
  func keyName(of action: Action, in scope: Binding.Scope, _ symbols: Symbols) -> String {
    firstKey(of: action, in: scope)?.name(symbols) ?? ""
  }

  func firstKey(of action: Action, in scope: Binding.Scope) -> Key? {
    Self.firstKey(of: action, in: scope, all)
  }

  private static func firstKey(
    of action: Action, in scope: Binding.Scope, _ bindings: [Binding]
  ) -> Key? {
    bindings.first { $0.scope == scope && $0.action == action }?.keys.first
  }

  /// The default bindings.
  package static let standard = Bindings(
    Binding.Scope.allCases.compactMap(\.view).flatMap { $0.bindings.of($0.scope) }
      + prompt.of(.prompt) + help.of(.help) + overlays
      + DashboardView.all.map { Binding([$0.key], $0.action, "show \($0.name)") } + global)

  /// The keys of the board, which also apply in the views of its timers.
  static let board = timers + keyless + list

  private static let timers = [
    Binding([.up, "k"], .up, "move up"),
    Binding([.down, "j"], .down, "move down"),
    Binding([.left, "h"], .left, "previous timer"),
    Binding([.right, "l"], .right, "next timer"),
    Binding(["g", .home], .top, "go to first timer"),
    Binding(["G", .end], .bottom, "go to last timer"),
    Binding([.pageUp], .pageUp, "page up"),
    Binding([.pageDown], .pageDown, "page down"),
    Binding([.control("u")], .halfPageUp, "move half a page up"),
    Binding([.control("d")], .halfPageDown, "move half a page down"),

    Binding([.space, "p"], .startOrPause, footer: "pause", rank: 3),
    Binding(["P"], .pauseAll, "pause all / resume them"),
    Binding(["r"], .restart, footer: "restart", rank: 4),
    Binding(["R"], .reset),
    Binding(["f"], .fire, footer: "fire", rank: 5),
    Binding(["F"], .fireAndPause, "fire now and pause"),
    Binding(["+", "="], .moreTime, footer: "time", rank: 6),
    Binding(["-", "_"], .lessTime, footer: "time", rank: 6),
    Binding(["<"], .shorterInterval, "shorten interval", footer: "interval", rank: 7),
    Binding([">"], .longerInterval, "lengthen interval", footer: "interval", rank: 7),
    Binding(["["], .fewerIterations, "remove an iteration", footer: "count", rank: 8),
    Binding(["]"], .moreIterations, "add an iteration", footer: "count", rank: 8),

    Binding(["s"], .skipPhase, footer: "skip", rank: 5),
    Binding(["c"], .lap, footer: "lap", rank: 5),
  ]

  /// The controls without a key, in the scope of the board.
  private static let keyless = ControlVerb.allCases.compactMap { Action(rawValue: $0.rawValue) }
    .filter { action in !(timers + list + global).contains { $0.action == action } }
    .map { Binding([], $0) }

  private static let list = [
    Binding(["a"], .add, footer: "add", rank: 2),
    Binding(["e"], .edit, "edit timer", footer: "edit", rank: 5),
    Binding(["y"], .duplicate, "duplicate timer"),
    Binding(["d", .delete], .delete, footer: "delete", rank: 6),
    Binding(["u"], .undo, footer: "undo", rank: 6),
    Binding(["U"], .redo),
    Binding(["J"], .moveRowDown, "move row down"),
    Binding(["K"], .moveRowUp, "move row up"),
    Binding(["/"], .filter, "filter", footer: "filter", rank: 7),
    Binding(["n"], .nextMatch, "next match"),
    Binding(["N"], .previousMatch, "previous match"),
    Binding(["o"], .sort, "cycle sort column"),
    Binding(["O"], .reverse, "reverse sort"),
    Binding(["v"], .mark, "mark / unmark timer"),
    Binding(["V"], .markAll, "mark all / none"),
    Binding(["w"], .wall, "wall of cards / rows", footer: "wall", rank: 8),
    Binding(["b"], .mute),
    Binding([.escape], .dismiss, "clear filter / clear marks"),
    Binding([.enter], .showFocus, "focus selected timer", footer: "focus", rank: 7),
  ]

  private static let prompt = [
    Binding([.enter], .accept, "accept", footer: "accept", rank: 1),
    Binding([.escape, .control("c")], .cancel, "cancel", footer: "cancel", rank: 1),
    Binding([.tab], .complete, "complete the word or match", footer: "complete", rank: 2),
    Binding(
      [.up, .control("p")], .previousEntry, "previous entry or match", footer: "history", rank: 2),
    Binding([.down, .control("n")], .nextEntry, "next entry or match", footer: "history", rank: 2),
    Binding([.left, .control("b")], .cursorLeft, "move left"),
    Binding([.right, .control("f")], .cursorRight, "move right"),
    Binding([Key(.character("b"), .alt)], .cursorWordLeft, "move a word left"),
    Binding([Key(.character("f"), .alt)], .cursorWordRight, "move a word right"),
    Binding([.home, .control("a")], .cursorStart, "move to start"),
    Binding([.end, .control("e")], .cursorEnd, "move to end"),
    Binding([.backspace, .control("h")], .eraseLeft, "erase left"),
    Binding([.delete, .control("d")], .eraseRight, "erase at cursor"),
    Binding(
      [.control("w"), Key(.backspace, .alt)], .eraseWordLeft, "erase word left",
      footer: "erase word", rank: 3),
    Binding([Key(.character("d"), .alt)], .eraseWordRight, "erase word right"),
    Binding([.control("u")], .eraseToStart, "erase to start", footer: "erase to start", rank: 4),
    Binding([.control("k")], .eraseToEnd, "erase to end"),
  ]

  private static let help = [
    Binding([.up, "k"], .up, "scroll up", footer: "scroll", rank: 2),
    Binding([.down, "j", .enter], .down, "scroll down", footer: "scroll", rank: 2),
    Binding(["g", .home], .top, "go to top"),
    Binding(["G", .end], .bottom, "go to bottom"),
    Binding([.pageUp, "b", .control("u")], .pageUp, "page up"),
    Binding([.pageDown, .space, .control("d")], .pageDown, "page down"),
    Binding([.escape, "q", "?", Key(.function(1))], .dismiss, "back", footer: "back", rank: 1),
  ]

  private static let overlays = [
    Binding(["?", Key(.function(1))], .help, "show help", footer: "help", rank: 1),
    Binding([":"], .commandPalette, "command palette", footer: "commands", rank: 4),
  ]

  private static let global = [
    Binding([], .scene, "open scene of the lab"),
    Binding([], .acknowledge),
    Binding([.tab], .nextView, "next view"),
    Binding([.backtab], .previousView, "previous view"),
    Binding(["T"], .tour, "begin the guided tour", footer: "tour", rank: 2),
    Binding(["t"], .theme, "next theme"),
    Binding(["."], .tenths, "show / hide tenths"),
    Binding([","], .lateness, "show / hide short lateness"),
    Binding([.control("l")], .redraw, "redraw screen"),
    Binding([.control("z")], .suspend, "suspend (fg resumes)"),
    Binding(["D"], .detach, "continue in the background", footer: "background", rank: 5),
    Binding(["q", Key(.function(10))], .quit, "quit", footer: "quit", rank: 1),
    Binding(["Q"], .quitFully, "quit without background process"),
    Binding([.control("c")], .interrupt, "quit with status 130"),
  ]
}

/// An action with its keys and texts. Key dispatch, footer, help and documentation all use the same table of
/// bindings.
struct Binding: Hashable, Sendable {
  /// The scope: that of the table that has the binding.
  var scope = Scope.global
  var keys: [Key]
  var action: Action
  /// The text in help and documentation, in at most five words.
  var help: String
  /// The label in the footer; `nil` without an entry there. Adjacent bindings with the same label share one entry.
  var footer: String?
  /// The priority in the footer if space is short: entries of rank 1 are left out last.
  var rank: Int

  /// - Parameter help: The text in help and documentation; `nil` for that of the control with the action's name.
  init(
    _ keys: [Key], _ action: Action, _ help: String? = nil, footer: String? = nil, rank: Int = 9
  ) {
    self.keys = keys
    self.action = action
    self.help = help ?? action.verb?.form.brief ?? ""
    self.footer = footer
    self.rank = rank
  }

  /// Returns the names of the keys: `↑ k`.
  func keyNames(_ symbols: Symbols) -> String {
    keys.map { $0.name(symbols) }.joined(separator: " ")
  }
}

extension [Binding] {
  /// Returns a table with its scope.
  func of(_ scope: Binding.Scope) -> [Binding] {
    map { binding in
      var binding = binding
      binding.scope = scope
      return binding
    }
  }
}
