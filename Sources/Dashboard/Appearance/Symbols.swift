import TerminalCore
import TimerBoard
import TimerKit

/// The signs that stand for something, in a form for every terminal. All take one cell, but for
/// ``endless`` and the names of keys.
struct Symbols: Hashable {
  var selection: String
  /// Of a marked row, and of one that is selected too.
  var mark: String
  var selectedMark: String
  /// Of what rows are ordered by.
  var ascending: String
  var descending: String
  var prompt: String
  var pointer: String
  var endless: String
  var none: String
  /// A cell of the progress bar by how many eighths of it are full, from none to all.
  var bar: [String]
  /// A full cell of big digits, and the halves of one; `nil` where there are none.
  var pixel: Unicode.Scalar
  var halves: Halves?
  /// Of a timer that rings until a key is pressed.
  var ringing: String
  /// Iterations done and to come.
  var fired: String
  var toCome: String
  var timeline: Timeline
  /// Of rules between panes.
  var rule: String
  /// Heights of a sparkline, from the lowest; `nil` where it is drawn in Braille.
  var sparks: [String]?
  /// The arrow keys: up, down, left, right.
  var arrows: [String]
  struct Timeline: Hashable {
    var line: Unicode.Scalar
    var now: Unicode.Scalar
    /// Of a cycle, by turns.
    var work: Unicode.Scalar
    var rest: Unicode.Scalar
    var workToCome: Unicode.Scalar
    var restToCome: Unicode.Scalar
    var fired: Unicode.Scalar
    var late: Unicode.Scalar
    var missed: Unicode.Scalar
    var toCome: Unicode.Scalar
  }

  struct Halves: Hashable {
    var upper: Unicode.Scalar
    var lower: Unicode.Scalar
  }

  private var states: [TimerState: String]

  subscript(state: TimerState) -> String { states[state, default: " "] }

  func sign(of row: BoardTimer, _ state: TimerState) -> String {
    row.isRinging ? ringing : self[state]
  }

  static let unicode = Symbols(
    selection: "▌", mark: "•", selectedMark: "█", ascending: "▲", descending: "▼", prompt: "▸",
    pointer: "▲", endless: "∞", none: "·",
    bar: [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"],
    pixel: "█", halves: Halves(upper: "▀", lower: "▄"), ringing: "♪", fired: "●", toCome: "○",
    timeline: Timeline(
      line: "─", now: "┃", work: "▓", rest: "░", workToCome: "═", restToCome: "─",
      fired: "●", late: "◐", missed: "×", toCome: "○"),
    rule: "─", sparks: nil,
    arrows: ["↑", "↓", "←", "→"],
    states: [
      .idle: "○", .running: "▶", .executing: "◆", .paused: "‖", .finished: "✓", .cancelled: "✗",
    ])

  static let ascii = Symbols(
    selection: "|", mark: "*", selectedMark: "#", ascending: "^", descending: "v", prompt: ">",
    pointer: "^", endless: "inf", none: ".",
    bar: [" ", " ", " ", " ", " ", " ", " ", " ", "#"],
    pixel: "#", halves: nil, ringing: "!", fired: "*", toCome: "o",
    timeline: Timeline(
      line: "-", now: "|", work: "#", rest: "+", workToCome: "=", restToCome: "-",
      fired: "*", late: "%", missed: "x", toCome: "o"),
    rule: "-", sparks: [".", ":", "+", "#"],
    arrows: ["Up", "Down", "Left", "Right"],
    states: [
      .idle: "o", .running: ">", .executing: "*", .paused: "=", .finished: "v", .cancelled: "x",
    ])
}

extension Canvas {
  /// Puts ASCII in the place of everything else: punctuation as what it looks like, the rest of what
  /// people named things as `?`.
  mutating func reduceToASCII() {
    for y in 0..<size.height {
      for x in 0..<size.width {
        let cell = self[x, y]
        guard let base = cell.base, !base.isASCII || cell.firstMark != nil else { continue }
        write(base.isASCII ? String(base) : Self.likeness(of: base), x: x, y: y, style: cell.style)
      }
    }
  }

  private static func likeness(of scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "…": "~"
    case "—", "–", "−", "─": "-"
    case "·": "."
    case "×": "x"
    case "→": ">"
    case "µ": "u"
    case "“", "”": "\""
    default: "?"
    }
  }
}
