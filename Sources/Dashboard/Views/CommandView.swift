import TerminalCore
import TimerBoard

extension Frame {
  /// Draws the command line, with the completions and the help of the command or its error below.
  func draw(_ command: CommandPrompt, on canvas: inout Canvas, in area: Rect) {
    let field = PromptField(command.editor, x: inset + 1, width: area.width - inset - 1)
    canvas.write(":", x: inset, y: area.y, style: theme[.key])
    canvas.write(field.text, x: field.x, y: area.y)
    canvas.cursor = Point(x: min(field.cursorX, area.maxX - 1), y: area.y)
    guard area.height > 1 else { return }
    if let fault = command.fault {
      let lines = fault.wrapped(to: area.width - 2 * inset, lines: area.height - 1)
      for (index, line) in lines.enumerated() {
        canvas.write(line, x: inset, y: area.y + 1 + index, style: theme[.fault])
      }
      return
    }
    drawCompletions(of: command, on: &canvas, y: area.y + 1, maxX: area.maxX - inset)
    guard area.height > 2, let help = help(for: command) else { return }
    canvas.write(
      help.cutAtWord(to: area.width - 2 * inset), x: inset, y: area.y + 2, style: theme[.faint])
  }

  /// Draws as many completions as fit, the current one among them.
  private func drawCompletions(
    of command: CommandPrompt, on canvas: inout Canvas, y: Int, maxX: Int
  ) {
    let completions = dashboard.completions
    var first = 0
    if let current = command.completionIndex {
      var width = inset
      for (index, completion) in completions.prefix(current + 1).enumerated() {
        width += completion.cellWidth + 2
        if width > maxX {
          first = index
          width = inset + completion.cellWidth + 2
        }
      }
    }
    var x = inset
    for (index, completion) in completions.enumerated().dropFirst(first) {
      guard x + completion.cellWidth <= maxX else { return }
      let isCurrent = index == command.completionIndex
      canvas.write(completion, x: x, y: y, style: theme[isCurrent ? .key : .hint])
      x += completion.cellWidth + 2
    }
  }

  /// Returns the help of the command, with its keys; `nil` if the command is not complete.
  private func help(for command: CommandPrompt) -> String? {
    let name = command.text.split(separator: " ").first.map(String.init) ?? ""
    guard
      let action = Action(rawValue: name)
        ?? (dashboard.completions.count == 1 ? Action(rawValue: dashboard.completions[0]) : nil),
      let binding = dashboard.bindings.all.first(where: { $0.action == action })
    else { return nil }
    let keys = binding.keys.isEmpty ? nil : "key \(binding.keyNames(symbols))"
    return [binding.help, action.example, keys].compactMap { $0 }.joined(separator: " · ")
  }
}

extension Action {
  fileprivate var example: String? {
    switch takes {
    case .nothing: nil
    case .timers: "such as tea=3m"
    case .timer: "such as every 30s x8"
    case .text: self == .filter ? "such as paused" : nil
    case .duration: "such as 5m"
    case .theme: "or the theme's name"
    case .column: "or the column's name"
    case .digits: "or the style's name"
    }
  }
}
