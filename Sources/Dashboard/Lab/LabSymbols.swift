/// The characters for marks, lines and bars.
extension Symbols {
  /// The fill levels of a cell, from empty to full.
  var levels: [String] {
    isASCII ? [" ", ".", ".", ".", ":", ":", ":", "#", "#"] : " ▁▂▃▄▅▆▇█".map(String.init)
  }

  /// A cell of a horizontal bar. It is less tall than a row of text, so that bars in two rows do not touch.
  var horizontalBar: String { isASCII ? "#" : "▆" }

  subscript(kind: LabMarkKind) -> String {
    switch kind {
    case .character(let letter): letter.isASCII || !isASCII ? String(letter) : "?"
    case .fired: fired
    case .missed: isASCII ? "x" : "×"
    case .due: scrollBar.track
    case .started: self[Role.running]
    case .paused: self[Role.paused]
    case .finished: self[Role.finished]
    case .ended: isASCII ? "/" : "■"
    case .wrong: isASCII ? "X" : "✗"
    case .ignored: self[Role.idle]
    case .failed: alert
    }
  }

  subscript(line: LabLine) -> String {
    switch line {
    case .none: " "
    case .idle: rule
    case .waiting: isASCII ? "." : "┄"
    case .busy: isASCII ? "#" : "▒"
    }
  }

  /// Returns the text of a playback state: `▶ running`, `‖ paused` or `■ end`.
  func text(of playback: LabPage.Status.Playback) -> String {
    switch playback {
    case .running: "\(self[Role.running]) running"
    case .paused: "\(self[Role.paused]) paused"
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
