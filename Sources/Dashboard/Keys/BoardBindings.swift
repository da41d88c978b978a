import TerminalCore

extension Bindings {
  /// The keys of the board, which also apply in the views of its timers.
  static let board = [
    Binding([.up, "k"], .up, "move up"),
    Binding([.down, "j"], .down, "move down"),
    Binding([.left], .left, "previous timer"),
    Binding([.right], .right, "next timer"),
    Binding(["g", .home], .top, "go to first timer"),
    Binding(["G", .end], .bottom, "go to last timer"),
    Binding([.pageUp], .pageUp, "page up"),
    Binding([.pageDown], .pageDown, "page down"),
    Binding([.control("u")], .halfPageUp, "move half a page up"),
    Binding([.control("d")], .halfPageDown, "move half a page down"),

    Binding(
      [.space, "p"], .startOrPause, "start / pause / resume / restart", footer: "pause", rank: 3),
    Binding(["P"], .pauseAll, "pause all / resume them"),
    Binding(["r"], .restart, "restart", footer: "restart", rank: 4),
    Binding(["R"], .reset, "reset and stop"),
    Binding(["f"], .fire, "fire / trigger now", footer: "fire", rank: 5),
    Binding(["F"], .fireAndPause, "fire now and pause"),
    Binding(["+", "="], .moreTime, "add time (1m, 10s or 1s)", footer: "time", rank: 6),
    Binding(["-", "_"], .lessTime, "remove time (same steps)", footer: "time", rank: 6),
    Binding(["<"], .shorterInterval, "shorten interval", footer: "interval", rank: 7),
    Binding([">"], .longerInterval, "lengthen interval", footer: "interval", rank: 7),
    Binding(["["], .fewerIterations, "remove an iteration", footer: "count", rank: 8),
    Binding(["]"], .moreIterations, "add an iteration", footer: "count", rank: 8),

    Binding(["s"], .skipPhase, "skip to the next phase"),
    Binding(["c"], .lap, "take a lap"),

    Binding([], .start, "start / resume / restart"),
    Binding([], .pause, "pause"),
    Binding([], .resume, "resume"),
    Binding([], .interval, "set the interval"),
    Binding([], .rename, "rename timer"),
    Binding([], .note, "change the note"),

    Binding(["a"], .add, "add timers", footer: "add", rank: 2),
    Binding(["e"], .edit, "edit timer", footer: "edit", rank: 5),
    Binding(["y"], .duplicate, "duplicate timer"),
    Binding(["d", .delete], .delete, "delete timer", footer: "delete", rank: 6),
    Binding(["u"], .undo, "undo last change", footer: "undo", rank: 6),
    Binding(["U"], .redo, "redo last undone change"),
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
    Binding(["b"], .mute, "mute / unmute"),
    Binding([.escape], .dismiss, "clear filter / clear marks"),
    Binding([.enter], .showFocus, "focus selected timer", footer: "focus", rank: 7),
  ]
}
