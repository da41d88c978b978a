import TerminalCore

extension Bindings {
  /// The keys of the board, which also apply in the views of its timers.
  static let board = [
    Binding(.board, [.up, .character("k")], .up, "move up"),
    Binding(.board, [.down, .character("j")], .down, "move down"),
    Binding(.board, [.left], .left, "previous timer"),
    Binding(.board, [.right], .right, "next timer"),
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
    Binding(.board, [.character("w")], .wall, "wall of cards / rows", footer: "wall", rank: 8),
    Binding(.board, [.character("b")], .mute, "mute / unmute"),
    Binding(.board, [.escape], .dismiss, "clear filter / clear marks"),
    Binding(
      .board, [.enter], .showFocus, "focus selected timer",
      footer: "focus", rank: 7),
  ]
}
