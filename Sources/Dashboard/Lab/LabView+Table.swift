import TerminalCore

extension LabView {
  /// Returns the lines of a table. If not all rows fit in `height`, those around the selected row are shown, at least
  /// one.
  func lines(of table: LabTable, height: Int) -> [TextLine] {
    let widths = columnWidths(of: table)
    let selectionWidth = table.selected == nil ? 0 : 2
    var lines: [TextLine] = []
    if table.columns.contains(where: { !$0.title.isEmpty }) {
      var line = TextLine(String(repeating: " ", count: selectionWidth))
      for (column, width) in zip(table.columns, widths) {
        line.add(fit(column.title, width, isNumeric: column.isNumeric) + gap, .faint)
      }
      lines.append(line)
    }
    for index in rows(of: table, fitting: max(1, height - lines.count)) {
      var line = TextLine()
      let isSelected = index == table.selected
      if selectionWidth > 0 {
        line.add(isSelected ? "\(symbols.prompt) " : "  ", .rowSymbol)
      }
      for (cell, (column, width)) in zip(table.rows[index], zip(table.columns, widths)) {
        guard width > 0 else { continue }
        let role = isSelected && cell.role == .text ? Role.selectedName : cell.role
        line.add(fit(text(of: cell), width, isNumeric: column.isNumeric) + gap, role)
      }
      lines.append(line)
    }
    return lines
  }

  private var gap: String { "  " }

  private func rows(of table: LabTable, fitting count: Int) -> Range<Int> {
    guard table.rows.count > count else { return 0..<table.rows.count }
    let first = min(max(0, (table.selected ?? 0) - count / 2), table.rows.count - count)
    return first..<(first + count)
  }

  /// Returns the widths of the columns, which fit their contents. The last columns shrink first.
  private func columnWidths(of table: LabTable) -> [Int] {
    var widthLeft = width - (table.selected == nil ? 0 : 2)
    return table.columns.indices.map { index in
      let texts = table.rows.filter { index < $0.count }.map { text(of: $0[index]) }
      let column = table.columns[index]
      let wanted = max(column.width, column.title.cellWidth, texts.map(\.cellWidth).max() ?? 0)
      let width = max(0, min(wanted, widthLeft))
      widthLeft -= width + gap.count
      return width
    }
  }

  private func text(of cell: LabTable.Cell) -> String {
    switch cell {
    case .text(let text, _): text
    case .mark(let kind): symbols[kind]
    }
  }

  private func fit(_ text: String, _ width: Int, isNumeric: Bool) -> String {
    text.cutAtWord(to: width).padded(to: width, alignedRight: isNumeric)
  }

  /// Returns the lines of pieces of source code, which are side by side if the screen is wide enough.
  func lines(of pieces: [LabCode]) -> [TextLine] {
    columns(pieces.count) { index, width in
      let piece = pieces[index]
      let warning = piece.isCounterexample ? "\(symbols[.wrong]) do not do this: " : ""
      let title = TextLine(
        "\(warning)\(piece.title)".truncated(to: width), piece.isCounterexample ? .error : .title)
      return [title] + codeLines(piece.lines, width)
    }
  }

  /// Returns lines of source code. Those that are too long are wrapped, and their rest is indented.
  func codeLines(_ lines: [String], _ width: Int) -> [TextLine] {
    lines.flatMap { line -> [TextLine] in
      guard line.cellWidth > width else { return [TextLine(line)] }
      let indent = String(line.prefix { $0 == " " })
      let rest = max(8, width - indent.count - 4)
      return line.wrapped(to: rest).enumerated().map { row, text in
        TextLine((indent + (row == 0 ? "" : "    ") + text).truncated(to: width))
      }
    }
  }

  /// Returns parts of a page side by side if the screen is wide enough, and below one another if not.
  /// - Parameter lines: Returns the lines of the part with an index, in a width.
  func columns(_ count: Int, _ lines: (_ index: Int, _ width: Int) -> [TextLine]) -> [TextLine] {
    let isWide = count > 1 && width >= 110
    let columnWidth = isWide ? (width - 2 * (count - 1)) / count : width
    let columns = (0..<count).map { lines($0, columnWidth) }
    guard isWide else { return Array(columns.joined(separator: [TextLine()])) }
    return (0..<(columns.map(\.count).max() ?? 0)).map { row in
      var line = TextLine()
      for (index, column) in columns.enumerated() where row < column.count {
        let x = index * (columnWidth + 2)
        line.add(String(repeating: " ", count: max(0, x - line.width)))
        line.add(contentsOf: column[row])
      }
      return line
    }
  }
}
