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
    ofViews = DashboardView.allCases.compactMap { view in
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
  package static let standard = Bindings([
    Binding(.board, [.up, .character("k")], .up, "move up"),
    Binding(.board, [.down, .character("j")], .down, "move down"),
    Binding(.board, [.character("g"), .home], .top, "go to first timer"),
    Binding(.board, [.character("G"), .end], .bottom, "go to last timer"),
    Binding(.board, [.pageUp], .pageUp, "page up"),
    Binding(.board, [.pageDown], .pageDown, "page down"),
    Binding(.board, [.control("u")], .halfPageUp, "move half a page up"),
    Binding(.board, [.control("d")], .halfPageDown, "move half a page down"),

    Binding(
      .board, [.space, .character("p")], .startOrPause,
      "start / pause / resume / restart", footer: "pause", rank: 3),
    Binding(.board, [.character("P")], .pauseAll, "pause all / resume them"),
    Binding(.board, [.character("r")], .restart, "restart", footer: "restart", rank: 4),
    Binding(.board, [.character("R")], .reset, "reset and stop"),
    Binding(
      .board, [.character("f")], .fire, "fire / trigger now", footer: "fire",
      rank: 5),
    Binding(.board, [.character("F")], .fireAndPause, "fire now and pause"),
    Binding(
      .board, [.character("+"), .character("=")], .moreTime,
      "add time (1m, 10s or 1s)", footer: "time", rank: 6),
    Binding(
      .board, [.character("-"), .character("_")], .lessTime, "remove time (same steps)",
      footer: "time", rank: 6),
    Binding(
      .board, [.character("<")], .shorterInterval, "shorten interval",
      footer: "interval", rank: 7),
    Binding(
      .board, [.character(">")], .longerInterval, "lengthen interval",
      footer: "interval", rank: 7),
    Binding(
      .board, [.character("[")], .fewerIterations, "remove an iteration", footer: "count", rank: 8),
    Binding(
      .board, [.character("]")], .moreIterations, "add an iteration", footer: "count", rank: 8),

    Binding(.board, [.character("s")], .skipPhase, "skip to the next phase"),
    Binding(.board, [.character("c")], .lap, "take a lap"),

    Binding(.board, [], .start, "start / resume / restart"),
    Binding(.board, [], .pause, "pause"),
    Binding(.board, [], .resume, "resume"),
    Binding(.board, [], .interval, "set the interval"),
    Binding(.board, [], .rename, "rename timer"),
    Binding(.board, [], .note, "change the note"),

    Binding(.board, [.character("a")], .add, "add timers", footer: "add", rank: 2),
    Binding(
      .board, [.character("e")], .edit, "edit timer", footer: "edit", rank: 5),
    Binding(.board, [.character("y")], .duplicate, "duplicate timer"),
    Binding(
      .board, [.character("d"), .delete], .delete, "delete timer", footer: "delete",
      rank: 6),
    Binding(
      .board, [.character("u")], .undo,
      "undo last change", footer: "undo", rank: 6),
    Binding(.board, [.character("U")], .redo, "redo last undone change"),
    Binding(.board, [.character("J")], .moveRowDown, "move row down"),
    Binding(.board, [.character("K")], .moveRowUp, "move row up"),
    Binding(
      .board, [.character("/")], .filter, "filter",
      footer: "filter", rank: 7),
    Binding(.board, [.character("n")], .nextMatch, "next match"),
    Binding(.board, [.character("N")], .previousMatch, "previous match"),
    Binding(.board, [.character("o")], .sort, "cycle sort column"),
    Binding(.board, [.character("O")], .reverse, "reverse sort"),
    Binding(
      .board, [.character("v")], .mark, "mark / unmark timer"),
    Binding(.board, [.character("V")], .markAll, "mark all / none"),
    Binding(.board, [.character("b")], .mute, "mute / unmute"),
    Binding(.board, [.escape], .dismiss, "clear filter / clear marks"),
    Binding(
      .board, [.enter], .showFocus, "focus selected timer",
      footer: "focus", rank: 7),

    Binding(.focus, [.escape, .enter], .showBoard, "back to the board", footer: "back", rank: 1),

    Binding(
      .timeline, [.character("+")], .zoomIn, "zoom in", footer: "zoom", rank: 2),
    Binding(
      .timeline, [.character("-"), .character("_")], .zoomOut, "zoom out",
      footer: "zoom", rank: 2),
    Binding(.timeline, [.character("=")], .zoomToFit, "zoom to next ends", footer: "fit", rank: 3),
    Binding(.timeline, [.left], .cursorEarlier, "move cursor to past", footer: "cursor", rank: 2),
    Binding(.timeline, [.right], .cursorLater, "move cursor to future", footer: "cursor", rank: 2),
    Binding(
      .timeline, [.character("h")], .scrollLeft, "scroll to past",
      footer: "scroll", rank: 4),
    Binding(
      .timeline, [.character("l")], .scrollRight, "scroll to future",
      footer: "scroll", rank: 4),
    Binding(.timeline, [.character("0")], .scrollToNow, "go to now", footer: "now", rank: 3),
    Binding(
      .timeline, [.escape], .leave, "hide cursor / go to now / back", footer: "back",
      rank: 1),

    Binding(.history, [.up, .character("k")], .up, "move up (newer)", footer: "day", rank: 2),
    Binding(
      .history, [.down, .character("j")], .down, "move down (older)", footer: "day", rank: 2),
    Binding(.history, [.left], .scrollLeft, "go back a week", footer: "week", rank: 3),
    Binding(.history, [.right], .scrollRight, "go forward a week", footer: "week", rank: 3),
    Binding(.history, [.character("g"), .home], .top, "go to today"),
    Binding(.history, [.character("G"), .end], .bottom, "go to oldest day"),
    Binding(.history, [.pageUp, .character("b"), .control("u")], .pageUp, "page up"),
    Binding(.history, [.pageDown, .space, .control("d")], .pageDown, "page down"),
    Binding(.history, [.enter], .openDay, "open / close list of day", footer: "open", rank: 2),
    Binding(.history, [.character("/")], .filter, "filter", footer: "filter", rank: 2),
    Binding(
      .history, [.escape], .leave, "close list / clear filter / back", footer: "back", rank: 1),

    Binding(.log, [.up, .character("k")], .up, "scroll up (older)", footer: "scroll", rank: 3),
    Binding(
      .log, [.down, .character("j")], .down, "scroll down (newer)", footer: "scroll", rank: 3),
    Binding(.log, [.character("g"), .home], .top, "go to oldest"),
    Binding(
      .log, [.character("G"), .end], .bottom, "go to newest and follow", footer: "follow", rank: 2),
    Binding(
      .log, [.character("a")], .toggleActions, "show / hide actions", footer: "actions", rank: 3),
    Binding(.log, [.pageUp, .character("b"), .control("u")], .pageUp, "page up"),
    Binding(.log, [.pageDown, .space, .control("d")], .pageDown, "page down"),
    Binding(
      .log, [.character("/")], .filter, "filter", footer: "filter",
      rank: 2),
    Binding(
      .log, [.escape, .character("L")], .leave, "clear filter / back",
      footer: "back", rank: 1),

    Binding(
      .lab, [.enter, .character(".")], .step, "open scene / next event"),
    Binding(.lab, [.character("p"), .space], .pauseScene, "pause / resume"),
    Binding(.lab, [.character("+"), .character("=")], .faster, "speed up (to ×100)"),
    Binding(.lab, [.character("-"), .character("_")], .slower, "slow down (to 1/10)"),
    Binding(
      .lab, [.character("X")], .playToEnd, "play to end"),
    Binding(.lab, [.character("c")], .showCode, "show / hide code"),
    Binding(.lab, [.character("r"), .backspace], .restartScene, "restart scene"),
    Binding(.lab, [.up, .character("k")], .up, "move up"),
    Binding(.lab, [.down, .character("j")], .down, "move down"),
    Binding(.lab, [.right], .nextScene, "next scene"),
    Binding(.lab, [.left], .previousScene, "previous scene"),
    Binding(.lab, [.escape], .leave, "back"),

    Binding(.prompt, [.enter], .accept, "accept", footer: "accept", rank: 1),
    Binding(.prompt, [.escape, .control("c")], .cancel, "cancel", footer: "cancel", rank: 1),
    Binding(.prompt, [.tab], .complete, "complete to the match", footer: "complete", rank: 2),
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

    Binding(
      .global, [.character("?"), Key(.function(1))], .help, "show help", footer: "help", rank: 1),
    Binding(
      .global, [.character(":")], .commandPalette, "command palette", footer: "commands", rank: 4),
    Binding(.global, [.character("1")], .showBoard, "show board"),
    Binding(.global, [.character("2")], .showFocus, "show focus"),
    Binding(.global, [.character("3")], .showTimeline, "show timeline"),
    Binding(
      .global, [.character("4")], .showLab, "show lab"),
    Binding(.global, [.character("5")], .showHistory, "show history"),
    Binding(.global, [.character("L")], .showLog, "show log"),
    Binding(.global, [], .scene, "open scene of the lab"),
    Binding(.global, [], .acknowledge, "acknowledge alerts"),
    Binding(.global, [.tab], .nextView, "next view"),
    Binding(.global, [.backtab], .previousView, "previous view"),
    Binding(.global, [.character("t")], .theme, "next theme"),
    Binding(.global, [.character(".")], .tenths, "show / hide tenths"),
    Binding(.global, [.character(",")], .digits, "change digit style"),
    Binding(.global, [.control("l")], .redraw, "redraw screen"),
    Binding(.global, [.control("z")], .suspend, "suspend (fg resumes)"),
    Binding(
      .global, [.character("D")], .detach, "continue in the background",
      footer: "background", rank: 5),
    Binding(
      .global, [.character("q"), Key(.function(10))], .quit, "quit", footer: "quit", rank: 1),
    Binding(.global, [.character("Q")], .quitFully, "quit without background process"),
    Binding(.global, [.control("c")], .interrupt, "quit with status 130"),
  ])
}
