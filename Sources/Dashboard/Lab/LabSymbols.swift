/// The characters for marks, lines and bars.
struct LabSymbols: Hashable {
  private let isASCII: Bool
  let levels: [String]

  init(isASCII: Bool) {
    self.isASCII = isASCII
    levels =
      isASCII
      ? [" ", ".", ".", ".", ":", ":", ":", "#", "#"] : " ▁▂▃▄▅▆▇█".map(String.init)
  }

  /// A cell of a horizontal bar. It is less tall than a row of text, so that bars in two rows do not touch.
  var horizontalBar: String { isASCII ? "#" : "▆" }

  /// The line between two columns.
  var divider: String { isASCII ? "|" : "│" }

  var selection: String { isASCII ? ">" : "▸" }

  subscript(kind: LabMarkKind) -> String {
    switch kind {
    case .character(let letter): letter.isASCII || !isASCII ? String(letter) : "?"
    case .fired: isASCII ? "*" : "●"
    case .missed: isASCII ? "x" : "×"
    case .due: isASCII ? "|" : "│"
    case .started: isASCII ? ">" : "▶"
    case .paused: isASCII ? "=" : "‖"
    case .finished: isASCII ? "v" : "✓"
    case .ended: isASCII ? "/" : "■"
    case .wrong: isASCII ? "X" : "✗"
    case .ignored: isASCII ? "o" : "○"
    case .failed: "!"
    }
  }

  subscript(line: LabLine) -> String {
    switch line {
    case .none: " "
    case .idle: isASCII ? "-" : "─"
    case .waiting: isASCII ? "." : "┄"
    case .busy: isASCII ? "#" : "▒"
    }
  }

  /// Returns the text of a playback state: `▶ running`, `‖ paused` or `■ end`.
  func text(of playback: LabPage.Status.Playback) -> String {
    switch playback {
    case .running: isASCII ? "> running" : "▶ running"
    case .paused: isASCII ? "= paused" : "‖ paused"
    case .ended: isASCII ? "# end" : "■ end"
    }
  }
}

extension LabMarkKind {
  func role(inInputLane isInput: Bool) -> Role {
    switch self {
    case .character: isInput ? .key : .good
    case .fired, .finished: .good
    case .started: .key
    case .paused: .paused
    case .missed: .warning
    case .wrong, .failed: .error
    case .due, .ignored, .ended: .faint
    }
  }

  /// The weight of a mark: of two marks in one cell, the heavier one is drawn.
  var weight: Int {
    switch self {
    case .due: 0
    case .ignored: 1
    case .missed: 2
    case .character: 3
    case .fired: 4
    case .started, .paused: 5
    case .finished, .ended: 6
    case .failed: 7
    case .wrong: 8
    }
  }
}

extension LabTone {
  var role: Role {
    switch self {
    case .plain: .text
    case .faint: .faint
    case .strong: .title
    case .good: .good
    case .bad: .error
    }
  }
}
