import TerminalCore
import TimerBoard

/// The matches of the command palette, in an area over the view: a rule with their title, then one on each line.
struct PaletteView {
  let palette: Palette
  /// The area that the matches cover.
  let area: Rect
  /// The matches, without the title.
  private let list: Rect
  /// The index of the first match shown.
  private let first: Int

  /// - Parameter area: The area above the prompt that can be covered.
  init(_ palette: Palette, in area: Rect) {
    self.palette = palette
    let hasTitle = area.height >= 5
    let lines = max(1, palette.matches.count) + (hasTitle ? 1 : 0)
    let height = palette.showsList ? min(area.height, lines) : 0
    self.area = Rect(x: area.x, y: area.maxY - height, width: area.width, height: height)
    list = hasTitle ? self.area.splitTop(1).rest : self.area
    let selected = palette.selected ?? 0
    first = min(max(0, palette.matches.count - list.height), max(0, selected - list.height + 1))
  }

  /// Returns the index of the match at a point.
  func match(at point: Point) -> Int? {
    let index = first + point.y - list.y
    return list.contains(point) && index < palette.matches.count ? index : nil
  }

  func draw(_ frame: Frame) {
    guard !area.isEmpty else { return }
    frame.canvas.fill(area)
    let inset = frame.inset
    if list.y > area.y { frame.drawRule(palette.title, in: area.inset(by: inset)) }
    guard !palette.matches.isEmpty else {
      let line = Rect(x: inset + 1, y: list.y, width: area.width - 2, height: list.height)
      return frame.drawEmptyText(palette.emptyText, in: line)
    }
    let shown = first..<min(palette.matches.count, first + list.height)
    // If there is room, the columns stay while the matches are scrolled.
    let measured = area.width < 60 ? palette.matches[shown] : palette.matches[...]
    let nameWidth = min(measured.map(\.name.cellWidth).max() ?? 0, max(8, area.width / 2))
    let keyWidth = measured.map(\.key.cellWidth).max() ?? 0
    for (line, index) in shown.enumerated() {
      let match = palette.matches[index]
      let y = list.y + line
      var x = inset + 1
      draw(match, x: x, y: y, width: nameWidth, frame)
      x += nameWidth + 2
      if keyWidth > 0, x + keyWidth <= area.maxX {
        frame.write(match.key, .key, x: x, y: y)
        x += keyWidth + 2
      }
      frame.write(
        match.detail.cutAtWord(to: max(0, area.maxX - inset - 1 - x)), .faint, x: x, y: y,
        limit: max(0, area.maxX - inset - x))
      guard index == palette.selected else { continue }
      frame.write(frame.symbols.selection, .rowSymbol, x: inset, y: y)
      frame.canvas.highlight(Rect(x: 0, y: y, width: area.width, height: 1), frame.theme)
    }
    frame.drawScrollBar(of: list, first: first, shown: list.height, count: palette.matches.count)
  }

  /// Draws the name of a match with its matched letters highlighted.
  private func draw(_ match: Palette.Match, x: Int, y: Int, width: Int, _ frame: Frame) {
    let matched = frame.theme[.key].adding(.underline)
    var column = x
    for (index, character) in match.name.truncated(to: width).enumerated() {
      column = frame.canvas.write(
        String(character), x: column, y: y,
        style: match.matchedCharacters.contains(index) ? matched : frame.theme[.text],
        limit: x + width - column)
    }
  }
}

extension Frame {
  /// The matches of the command palette; `nil` while it is closed or the help covers it.
  var paletteView: PaletteView? {
    guard let area = layout.matches else { return nil }
    return PaletteView(Palette(of: dashboard, at: now), in: area)
  }

  /// Draws the prompt with its matches above, and the usage of the command or the error below.
  func draw(_ prompt: CommandPrompt, in area: Rect) {
    let field = PromptField(prompt.editor, x: inset + 1, width: area.width - inset - 1)
    let view = paletteView
    view?.draw(self)
    write(":", .key, x: inset, y: area.y)
    canvas.write(field.text, x: field.x, y: area.y)
    canvas.cursor = Point(x: min(field.cursorX, area.maxX - 1), y: area.y)
    let width = max(0, area.width - 2 * inset)
    if let error = prompt.error ?? prompt.editor.refusal {
      // Without a line below, the error covers the last match.
      let y = area.height > 1 ? area.y + 1 : area.y - 1
      guard y >= 0 else { return }
      canvas.fill(Rect(x: 0, y: y, width: area.width, height: 1))
      write(error.cutAtWord(to: width), .error, x: inset, y: y)
    } else if area.height > 1, let action = view?.palette.action {
      write(usage(of: action, prompt.text).cutAtWord(to: width), .faint, x: inset, y: area.y + 1)
    }
  }

  /// Returns the usage of a command with an example and the timers that it applies to if none is named, or the effect
  /// of a command whose text has been entered.
  private func usage(of action: Action, _ line: String) -> String {
    if let command = try? Command(line),
      let argument = try? CommandArgument(command, in: dashboard),
      action.form.value == .text, let text = argument.value, let targets = argument.targets
    {
      // A misspelled timer name can become part of the text for the selected timer; the effect shows this.
      return "\(dashboard.board.label(of: targets)): \(action.rawValue) '\(text)'"
    }
    var parts = [action.usage]
    if action.takesArgument { parts.append("such as \(action.example)") }
    if action.form.takesTimer {
      let marks = action.form.target == .oneTimer ? 0 : dashboard.listState.marks.count
      let target = marks > 0 ? counted(marks, "marked timer") : dashboard.selectedRow?.label
      if let target { parts.append("TIMER defaults to \(target)") }
    }
    return parts.count > 1 ? parts.joined(separator: " · ") : ""
  }
}
