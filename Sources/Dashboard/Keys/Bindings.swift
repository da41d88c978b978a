import TerminalCore

/// The table of all keys.
package struct Bindings: Sendable {
  let all: [Binding]
  private let actions: [Binding.Scope: [Key: Action]]

  init(_ all: [Binding]) {
    self.all = all
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

  /// The first key of an action; empty where it has none.
  func keyName(of action: Action, in scope: Binding.Scope, _ symbols: Symbols) -> String {
    all.first { $0.scope == scope && $0.action == action }?.keys.first?.name(symbols) ?? ""
  }

  /// Those that hold unless they are rebound.
  package static let standard = Bindings([
    Binding(.board, [.up, .character("k")], .up, "move up"),
    Binding(.board, [.down, .character("j")], .down, "move down"),
    Binding(.board, [.character("g"), .home], .top, "move to the first timer"),
    Binding(.board, [.character("G"), .end], .bottom, "move to the last timer"),
    Binding(.board, [.pageUp], .pageUp, "move a page up"),
    Binding(.board, [.pageDown], .pageDown, "move a page down"),
    Binding(.board, [.control("u")], .halfPageUp, "move half a page up"),
    Binding(.board, [.control("d")], .halfPageDown, "move half a page down"),

    Binding(
      .board, [.space, .character("p")], .startOrPause,
      "start, pause, go on; start anew when finished", footer: "pause", rank: 3),
    Binding(.board, [.character("P")], .pauseAll, "pause all; again: go on with exactly those"),
    Binding(.board, [.character("r")], .reset, "reset and run", footer: "reset", rank: 4),
    Binding(.board, [.character("R")], .resetAndStop, "reset and stay stopped"),
    Binding(
      .board, [.character("f")], .fire, "fire now, without moving the next fire", footer: "fire",
      rank: 5),
    Binding(.board, [.character("F")], .fireAndPause, "fire now and pause"),
    Binding(
      .board, [.character("+"), .character("=")], .moreTime,
      "more time: 1m, under 5m 10s, under 30s 1s", footer: "time", rank: 6),
    Binding(
      .board, [.character("-"), .character("_")], .lessTime, "less time, in the same steps",
      footer: "time", rank: 6),
    Binding(
      .board, [.character("<")], .shorterInterval, "shorter interval, counted from the last fire",
      footer: "interval", rank: 7),
    Binding(
      .board, [.character(">")], .longerInterval, "longer interval, counted from the last fire",
      footer: "interval", rank: 7),
    Binding(
      .board, [.character("[")], .fewerIterations, "one iteration fewer", footer: "count", rank: 8),
    Binding(
      .board, [.character("]")], .moreIterations, "one iteration more", footer: "count", rank: 8),

    Binding(.board, [.character("s")], .skipPhase, "skip to the next phase of a cycle"),
    Binding(.board, [.character("c")], .lap, "take a lap of a stopwatch"),

    Binding(.board, [.character("a")], .add, "add timers", footer: "add", rank: 2),
    Binding(
      .board, [.character("e")], .edit, "edit the timer in its place", footer: "edit", rank: 5),
    Binding(.board, [.character("y")], .duplicate, "add a copy of the timer"),
    Binding(
      .board, [.character("d"), .delete], .delete, "delete the timer at once", footer: "delete",
      rank: 6),
    Binding(
      .board, [.character("u")], .undo,
      "undo: deleted, reset and changed timers come back with their time", footer: "undo", rank: 6),
    Binding(.board, [.character("J")], .moveRowDown, "move the row down, in the board's own order"),
    Binding(.board, [.character("K")], .moveRowUp, "move the row up"),
    Binding(
      .board, [.character("/")], .filter, "show only what has words in name, kind, note or state",
      footer: "filter", rank: 7),
    Binding(.board, [.character("n")], .nextMatch, "the next that has what was looked for"),
    Binding(.board, [.character("N")], .previousMatch, "the one before that has it"),
    Binding(.board, [.character("o")], .order, "order by the next column; at last as it was"),
    Binding(.board, [.character("O")], .reverse, "the same order the other way round"),
    Binding(
      .board, [.character("v")], .mark, "mark, unmark: keys are then about the marked timers"),
    Binding(.board, [.character("V")], .markAll, "mark all that are seen, or none"),
    Binding(.board, [.character("b")], .mute, "bell and notifications off, on"),
    Binding(.board, [.escape], .dismiss, "show all again; then drop the marks"),
    Binding(
      .board, [.enter], .showFocus, "the timer in big digits; all of these keys work there too",
      footer: "focus", rank: 7),

    Binding(.focus, [.escape, .enter], .showBoard, "back to the board", footer: "back", rank: 1),

    Binding(
      .timeline, [.character("+"), .character("=")], .zoomIn, "look closer", footer: "zoom", rank: 2
    ),
    Binding(
      .timeline, [.character("-"), .character("_")], .zoomOut, "look from farther",
      footer: "zoom", rank: 2),
    Binding(.timeline, [.left], .scrollLeft, "toward what was", footer: "scroll", rank: 2),
    Binding(.timeline, [.right], .scrollRight, "toward what will be", footer: "scroll", rank: 2),
    Binding(.timeline, [.character("0")], .scrollToNow, "back to now", footer: "now", rank: 3),
    Binding(
      .timeline, [.escape], .leave, "back to now, and from there to the board", footer: "back",
      rank: 1),

    Binding(.log, [.up, .character("k")], .up, "toward the newest", footer: "scroll", rank: 2),
    Binding(.log, [.down, .character("j")], .down, "toward the oldest", footer: "scroll", rank: 2),
    Binding(.log, [.character("g"), .home], .top, "to the newest, and follow what happens"),
    Binding(.log, [.character("G"), .end], .bottom, "to the oldest"),
    Binding(.log, [.pageUp, .character("b"), .control("u")], .pageUp, "a page toward the newest"),
    Binding(.log, [.pageDown, .space, .control("d")], .pageDown, "a page toward the oldest"),
    Binding(
      .log, [.character("/")], .filter, "show only what has a text in it", footer: "filter",
      rank: 2),
    Binding(
      .log, [.escape, .character("L")], .leave, "show all again, or back to the board",
      footer: "back", rank: 1),

    Binding(
      .lab, [.enter, .character(".")], .step, "open the scene; to the next thing that happens"),
    Binding(.lab, [.character("p"), .space], .pauseScene, "pause, go on"),
    Binding(.lab, [.character("+"), .character("=")], .faster, "faster, up to a hundred times"),
    Binding(.lab, [.character("-"), .character("_")], .slower, "slower, down to a tenth"),
    Binding(
      .lab, [.character("X")], .hundred, "to the end of the script; a race a hundred times"),
    Binding(.lab, [.character("c")], .showCode, "the code of the scene, or the scene again"),
    Binding(.lab, [.character("r"), .backspace], .playAgain, "from the start"),
    Binding(.lab, [.up, .character("k")], .up, "up, in the menu, the patterns and the code"),
    Binding(.lab, [.down, .character("j")], .down, "down"),
    Binding(.lab, [.right], .nextScene, "the next scene"),
    Binding(.lab, [.left], .previousScene, "the scene before"),
    Binding(.lab, [.escape], .leave, "out of the code, of the scene, of the lab"),

    Binding(.prompt, [.enter], .accept, "take what was understood", footer: "done", rank: 1),
    Binding(.prompt, [.escape, .control("c")], .cancel, "drop the text", footer: "drop", rank: 1),
    Binding(.prompt, [.tab], .complete, "complete a command; again: the next that it can be"),
    Binding(
      .prompt, [.up, .control("p")], .older, "an earlier line; in a filter, the timer above"),
    Binding(.prompt, [.down, .control("n")], .newer, "a later line; in a filter, the timer below"),
    Binding(.prompt, [.left, .control("b")], .cursorLeft, "one character left"),
    Binding(.prompt, [.right, .control("f")], .cursorRight, "one character right"),
    Binding(.prompt, [Key(.character("b"), .alt)], .cursorWordLeft, "one word left"),
    Binding(.prompt, [Key(.character("f"), .alt)], .cursorWordRight, "one word right"),
    Binding(.prompt, [.home, .control("a")], .cursorStart, "to the start"),
    Binding(.prompt, [.end, .control("e")], .cursorEnd, "to the end"),
    Binding(.prompt, [.backspace, .control("h")], .eraseLeft, "erase the character to the left"),
    Binding(.prompt, [.delete, .control("d")], .eraseRight, "erase the character at the cursor"),
    Binding(
      .prompt, [.control("w"), Key(.backspace, .alt)], .eraseWordLeft, "erase the word to the left",
      footer: "word", rank: 3),
    Binding(
      .prompt, [Key(.character("d"), .alt)], .eraseWordRight, "erase the word to the right"),
    Binding(.prompt, [.control("u")], .eraseToStart, "erase to the start", footer: "line", rank: 4),
    Binding(.prompt, [.control("k")], .eraseToEnd, "erase to the end"),

    Binding(.help, [.up, .character("k")], .up, "scroll up", footer: "scroll", rank: 2),
    Binding(
      .help, [.down, .character("j"), .enter], .down, "scroll down", footer: "scroll", rank: 2),
    Binding(.help, [.character("g"), .home], .top, "to the top"),
    Binding(.help, [.character("G"), .end], .bottom, "to the bottom"),
    Binding(.help, [.pageUp, .character("b"), .control("u")], .pageUp, "a page up"),
    Binding(.help, [.pageDown, .space, .control("d")], .pageDown, "a page down"),
    Binding(
      .help, [.escape, .character("q"), .character("?"), Key(.function(1))], .dismiss, "back",
      footer: "back", rank: 1),

    Binding(
      .global, [.character("?"), Key(.function(1))], .help, "these keys", footer: "help", rank: 1),
    Binding(.global, [.character(":")], .command, "do anything by its name"),
    Binding(.global, [.character("1")], .showBoard, "the board"),
    Binding(.global, [.character("2")], .showFocus, "the selected timer in big digits"),
    Binding(.global, [.character("3")], .showTimeline, "the timeline: what was and what will be"),
    Binding(
      .global, [.character("4")], .showLab, "the lab: how timers behave, and how they go wrong"),
    Binding(.global, [.character("L")], .showLog, "the log"),
    Binding(.global, [.tab], .nextView, "the next view"),
    Binding(.global, [.backtab], .previousView, "the view before"),
    Binding(.global, [.character("t")], .theme, "the next theme"),
    Binding(.global, [.character(".")], .tenths, "tenths of a second on, off"),
    Binding(.global, [.character(",")], .digits, "the other big digits"),
    Binding(.global, [.control("l")], .redraw, "draw the screen anew"),
    Binding(.global, [.control("z")], .suspend, "suspend; fg brings it back"),
    Binding(
      .global, [.character("q"), Key(.function(10))], .quit, "quit", footer: "quit", rank: 1),
    Binding(.global, [.control("c")], .interrupt, "quit at once, with exit status 130"),
  ])
}
