import TerminalCore

extension Dashboard {
  /// What the message line says: what was done, else what is different about the list.
  var status: Notice? {
    if let notice { return notice }
    guard screen != .log, help == nil else { return nil }
    var parts: [String] = []
    if !list.filter.isEmpty, !list.filter.isTyping {
      parts.append("only \(filterCount) with “\(list.filter.text)” — Esc shows all")
    }
    if !list.marks.isEmpty { parts.append("\(timers(list.marks.count)) marked") }
    return parts.isEmpty ? nil : .done(parts.joined(separator: " · "))
  }

  /// `2 of 7`
  fileprivate var filterCount: String {
    "\(Arrangement(of: self).positions.count) of \(rows.count)"
  }
}

extension Frame {
  func drawStatus(on canvas: inout Canvas, in area: Rect) {
    guard let status = dashboard.status else { return }
    canvas.write(
      status.text.cutAtWord(to: area.width - 2 * inset), x: inset, y: area.y,
      style: theme[status.isRefusal ? .refusal : .notice])
  }

  /// The line in which what is looked for on the board is typed.
  func drawFilter(on canvas: inout Canvas, in area: Rect) {
    drawFilter(dashboard.list.filter, count: dashboard.filterCount, on: &canvas, y: area.y)
  }

  func drawFilter(_ filter: Filter, count: String, on canvas: inout Canvas, y: Int) {
    let width = canvas.size.width
    let field = PromptField(filter.editor, x: inset + 2, width: width - inset - 2)
    canvas.write("/", x: inset, y: y, style: theme[.key])
    canvas.write(field.text, x: field.x, y: y)
    if filter.isTyping { canvas.cursor = Point(x: min(field.cursorX, max(0, width - 1)), y: y) }
    if field.cursorX + filter.text.cellWidth + count.utf8.count + 4 < width {
      canvas.write(count, x: width - inset - count.utf8.count, y: y, style: theme[.faint])
    }
  }
}
