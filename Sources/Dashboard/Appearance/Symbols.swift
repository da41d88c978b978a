import TerminalCore
import TimerBoard
import TimerKit

/// The symbols of the display: one set for UTF-8 terminals and one in ASCII. All take one cell, except
/// ``endless`` and ``arrows``.
struct Symbols: Sendable {
  var isASCII: Bool
  var selection: String
  /// The symbols of a marked row, and of a row that is both marked and selected.
  var mark: String
  var markedAndSelected: String
  /// The symbols of the sort direction. The first one also points at an error.
  var ascending: String
  var descending: String
  var prompt: String
  var endless: String
  /// The cells of the progress bar: full, and its track.
  var bar: Bar
  /// The scroll bar of a list: its visible part, and the rest.
  var scrollBar: (thumb: String, track: String)
  /// The blocks of big digits: a whole cell, and its halves; `nil` if only whole cells are available.
  var fullBlock: Unicode.Scalar
  var halfBlocks: (upper: Unicode.Scalar, lower: Unicode.Scalar)?
  /// The symbol of a timer with an alert that nobody has acknowledged.
  var ringing: String
  /// The symbol of a timer that stands ready.
  var standsReady: String
  /// The symbol of a row with an alert.
  var alert = "!"
  /// The symbols of past and future iterations.
  var fired: String
  var future: String
  /// The bracket around rows that belong together: its first, middle and last part, and its side between the lines.
  var bracket: [String]
  var timeline: Timeline
  /// The character of horizontal rules.
  var rule: String
  /// The bars of a sparkline, the lowest first; `nil` if it is drawn in Braille.
  var sparks: [String]?
  /// The levels of the heat map, from no time to the most.
  var heat: [String]
  /// The arrow keys: up, down, left, right.
  var arrows: [String]
  struct Timeline: Sendable {
    var line: Unicode.Scalar
    var now: Unicode.Scalar
    /// The phases of a cycle, alternating.
    var evenPhase: Unicode.Scalar
    var oddPhase: Unicode.Scalar
    var fired: Unicode.Scalar
    var late: Unicode.Scalar
    var missed: Unicode.Scalar
    var future: Unicode.Scalar
    /// Fires that are too close to be distinguished.
    var dense: Unicode.Scalar
  }

  struct Bar: Sendable {
    var full: Unicode.Scalar
    var track: Unicode.Scalar
    var monoTrack: Unicode.Scalar
    /// The line of a stopwatch and a lap on it.
    var dots: Unicode.Scalar
    var tick: String
  }

  private var states: [Role: String]

  subscript(state: Role) -> String { states[state, default: " "] }

  func symbol(of row: BoardTimer, in state: Role) -> String {
    if state == .executing || !row.needsAttention { return self[state] }
    return row.standsReady ? standsReady : ringing
  }

  static let unicode = Symbols(
    isASCII: false, selection: "▌", mark: "•", markedAndSelected: "█", ascending: "▲",
    descending: "▼", prompt: "▸", endless: "∞",
    bar: Bar(full: "▆", track: "▆", monoTrack: "▁", dots: "·", tick: "╷"), scrollBar: ("┃", "│"),
    fullBlock: "█", halfBlocks: ("▀", "▄"), ringing: "♪", standsReady: "▷",
    fired: "●", future: "○", bracket: ["╭", "├", "╰", "│"],
    timeline: Timeline(
      line: "─", now: "┃", evenPhase: "▓", oddPhase: "░",
      fired: "●", late: "◐", missed: "×", future: "○", dense: "┄"),
    rule: "─", sparks: nil, heat: ["·", "▂", "▄", "▆", "█"],
    arrows: ["↑", "↓", "←", "→"],
    states: [
      .idle: "○", .running: "▶", .executing: "◆", .paused: "‖", .finished: "✓", .cancelled: "✗",
    ])

  static let ascii = Symbols(
    isASCII: true, selection: "|", mark: "*", markedAndSelected: "#", ascending: "^",
    descending: "v", prompt: ">", endless: "inf",
    bar: Bar(full: "=", track: ".", monoTrack: ".", dots: ".", tick: "|"), scrollBar: ("#", "|"),
    fullBlock: "#", halfBlocks: nil, ringing: "!", standsReady: "?", fired: "*", future: "o",
    bracket: ["/", "+", "\\", "|"],
    timeline: Timeline(
      line: "-", now: "|", evenPhase: "#", oddPhase: "+",
      fired: "*", late: "%", missed: "x", future: "o", dense: ":"),
    rule: "-", sparks: [".", ":", "+", "#"],
    heat: [".", "-", "+", "x", "#"],
    arrows: ["Up", "Down", "Left", "Right"],
    states: [
      .idle: "o", .running: ">", .executing: "*", .paused: "=", .finished: "v", .cancelled: "x",
    ])
}

extension Canvas {
  /// Replaces all characters outside ASCII: some by a similar ASCII character, the others by `?`.
  mutating func reduceToASCII() {
    for y in 0..<size.height {
      for x in 0..<size.width {
        let cell = self[x, y]
        guard let base = cell.base, !base.isASCII || cell.firstMark != nil else { continue }
        write(
          base.isASCII ? String(base) : Self.approximation(of: base), x: x, y: y, style: cell.style)
      }
    }
  }

  private static func approximation(of scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "…": "~"
    case "—", "–", "−", "─": "-"
    case "·": "."
    case "×": "x"
    case "→": ">"
    case "▒", "┄": ":"
    case "µ": "u"
    case "“", "”": "\""
    default: "?"
    }
  }
}
