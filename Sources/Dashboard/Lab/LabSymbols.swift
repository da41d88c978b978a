/// How marks and lines look on a terminal.
struct LabSymbols: Hashable {
  private let isASCII: Bool
  let bar: [String]

  init(isASCII: Bool) {
    self.isASCII = isASCII
    bar =
      isASCII
      ? [" ", ".", ".", ".", ":", ":", ":", "#", "#"] : " ▁▂▃▄▅▆▇█".map(String.init)
  }

  /// A cell of a bar that lies: lower than its line, so that two stay apart.
  var lyingBar: String { isASCII ? "#" : "▆" }

  var selection: String { isASCII ? ">" : "▸" }

  subscript(sign: LabSign) -> String {
    switch sign {
    case .letter(let letter): letter.isASCII || !isASCII ? String(letter) : "?"
    case .fired: isASCII ? "*" : "●"
    case .missed: isASCII ? "x" : "×"
    case .due: isASCII ? "|" : "│"
    case .started: isASCII ? ">" : "▶"
    case .paused: isASCII ? "=" : "‖"
    case .finished: isASCII ? "v" : "✓"
    case .cancelled: isASCII ? "/" : "■"
    case .wrong: isASCII ? "X" : "✗"
    case .ignored: isASCII ? "o" : "○"
    case .refused: "!"
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

  /// `▶ running`, `‖ paused`, `■ end`
  func text(of motion: LabFrame.Status.Motion) -> String {
    switch motion {
    case .running: isASCII ? "> running" : "▶ running"
    case .paused: isASCII ? "= paused" : "‖ paused"
    case .ended: isASCII ? "# end" : "■ end"
    }
  }
}

extension LabSign {
  func role(inInput isInput: Bool) -> Role {
    switch self {
    case .letter: isInput ? .key : .bar
    case .fired, .finished: .bar
    case .started: .key
    case .paused, .missed: .paused
    case .wrong, .refused: .fault
    case .due, .ignored, .cancelled: .faint
    }
  }

  /// Which of two signs in one cell is shown: the greater one.
  var weight: Int {
    switch self {
    case .due: 0
    case .ignored: 1
    case .missed: 2
    case .letter: 3
    case .fired: 4
    case .started, .paused: 5
    case .finished, .cancelled: 6
    case .refused: 7
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
    case .good: .bar
    case .bad: .fault
    }
  }
}
