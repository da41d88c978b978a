import TerminalCore
import TimerBoard

/// The symbols of the display: one set for UTF-8 terminals and one in ASCII. All take one cell, except
/// ``endless`` and ``arrows``.
struct Symbols: Sendable {
  static let unicode = Symbols(isASCII: false)
  static let ascii = Symbols(isASCII: true)

  let isASCII: Bool

  var selection: String { isASCII ? "|" : "▌" }
  /// The symbols of a marked row, and of a row that is both marked and selected.
  var mark: String { isASCII ? "*" : "•" }
  var markedAndSelected: String { isASCII ? "#" : "█" }
  /// The symbols of the sort direction. The first one also points at an error.
  var ascending: String { isASCII ? "^" : "▲" }
  var descending: String { isASCII ? "v" : "▼" }
  var prompt: String { isASCII ? ">" : "▸" }
  var endless: String { isASCII ? "inf" : "∞" }
  /// The cells of the progress bar: full, and its track.
  var bar: Bar { Bar(isASCII: isASCII) }
  /// The scroll bar of a list: its visible part, and the rest.
  var scrollBar: (thumb: String, track: String) { isASCII ? ("#", "|") : ("┃", "│") }
  /// The blocks of big digits: a whole cell, and its halves; `nil` if only whole cells are available.
  var fullBlock: Unicode.Scalar { isASCII ? "#" : "█" }
  var halfBlocks: (upper: Unicode.Scalar, lower: Unicode.Scalar)? { isASCII ? nil : ("▀", "▄") }
  /// The symbol of a timer with an alert that nobody has acknowledged.
  var ringing: String { isASCII ? "!" : "♪" }
  /// The symbol of a timer that stands ready.
  var standsReady: String { isASCII ? "?" : "▷" }
  /// The symbol of a row with an alert.
  let alert = "!"
  /// The symbols of past and future iterations.
  var fired: String { isASCII ? "*" : "●" }
  var future: String { isASCII ? "o" : "○" }
  /// The bracket around rows that belong together: its first, middle and last part, and its side between the lines.
  var bracket: [String] { isASCII ? ["/", "+", "\\", "|"] : ["╭", "├", "╰", "│"] }
  var timeline: Timeline { Timeline(isASCII: isASCII) }
  /// The character of horizontal rules.
  var rule: String { isASCII ? "-" : "─" }
  /// The bars of a sparkline, the lowest first; `nil` if it is drawn in Braille.
  var sparks: [String]? { isASCII ? [".", ":", "+", "#"] : nil }
  /// The levels of the heat map, from no time to the most.
  var heat: [String] { isASCII ? [".", "-", "+", "x", "#"] : ["·", "▂", "▄", "▆", "█"] }
  /// The arrow keys: up, down, left, right.
  var arrows: [String] { isASCII ? ["Up", "Down", "Left", "Right"] : ["↑", "↓", "←", "→"] }

  struct Timeline: Sendable {
    fileprivate let isASCII: Bool

    var line: Unicode.Scalar { isASCII ? "-" : "─" }
    var now: Unicode.Scalar { isASCII ? "|" : "┃" }
    /// The phases of a cycle, alternating.
    var evenPhase: Unicode.Scalar { isASCII ? "#" : "▓" }
    var oddPhase: Unicode.Scalar { isASCII ? "+" : "░" }
    var fired: Unicode.Scalar { isASCII ? "*" : "●" }
    var late: Unicode.Scalar { isASCII ? "%" : "◐" }
    var missed: Unicode.Scalar { isASCII ? "x" : "×" }
    var future: Unicode.Scalar { isASCII ? "o" : "○" }
    /// The newest fire, in the line of now.
    var newest: Unicode.Scalar { isASCII ? "@" : "◆" }
    /// Fires, and phases, that are too close to be distinguished.
    var dense: Unicode.Scalar { isASCII ? ":" : "∙" }
    var shortPhases: Unicode.Scalar { isASCII ? "%" : "▒" }
    /// The time that a stopwatch counts.
    var counting: Unicode.Scalar { isASCII ? "~" : "▔" }
    /// A lane that goes on behind the right edge.
    var goesOn: Unicode.Scalar { isASCII ? ">" : "▸" }
    /// The cursor in a blank cell.
    var cursor: Unicode.Scalar { isASCII ? "'" : "┊" }
    /// The bars of the skyline, the lowest first.
    var bars: [Unicode.Scalar] {
      isASCII ? [".", ":", "+", "#"] : ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    }
  }

  struct Bar: Sendable {
    fileprivate let isASCII: Bool

    var full: Unicode.Scalar { isASCII ? "=" : "▆" }
    var track: Unicode.Scalar { isASCII ? "." : "▆" }
    var monoTrack: Unicode.Scalar { isASCII ? "." : "▁" }
    /// The line of a stopwatch and a lap on it.
    var dots: Unicode.Scalar { isASCII ? "." : "·" }
    var tick: String { isASCII ? "|" : "╷" }
  }

  /// The symbol of a timer's state; a blank for the role of anything else.
  subscript(state: Role) -> String {
    switch state {
    case .idle: isASCII ? "o" : "○"
    case .running: isASCII ? ">" : "▶"
    case .executing: isASCII ? "*" : "◆"
    case .paused: isASCII ? "=" : "‖"
    case .finished: isASCII ? "v" : "✓"
    case .cancelled: isASCII ? "x" : "✗"
    default: " "
    }
  }
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
