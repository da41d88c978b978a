import TerminalCore

/// The menu: groups of scenes in columns, the text of the highlighted one below them, and its page beside them.
extension LabView {
  /// The minimum width for the page of the highlighted scene.
  private static let wideMenu = 98
  private static let columnWidth = 12

  /// A name or a title of the menu at its place.
  struct MenuCell {
    var x: Int
    var y: Int
    var text: String
    /// True for the title of a group.
    var isTitle: Bool
  }

  /// The width of the menu without the page at its right.
  private var menuWidth: Int {
    width >= Self.wideMenu ? max(4 * Self.columnWidth, width * 2 / 5) : width
  }

  /// The titles and names, from the top left, in as many columns as fit.
  private func cells(of menu: LabMenu) -> [MenuCell] {
    let count = max(1, min(menu.groups.count, menuWidth / Self.columnWidth))
    let pitch = min(20, menuWidth / count)
    var cells: [MenuCell] = []
    var top = 0
    for start in stride(from: 0, to: menu.groups.count, by: count) {
      let row = menu.groups[start..<min(start + count, menu.groups.count)]
      for (column, group) in row.enumerated() {
        let texts = [group.title] + group.scenes
        cells += texts.enumerated().map { index, text in
          MenuCell(x: column * pitch, y: top + index, text: text, isTitle: index == 0)
        }
      }
      top += (row.map(\.scenes.count).max() ?? 0) + 2
    }
    return cells
  }

  /// The number of lines above the columns: the title and a blank line.
  private static let menuTop = 2

  /// Returns the visible cells of the menu, scrolled so that the highlighted name is among them.
  private func visibleCells(of menu: LabMenu, height: Int) -> [MenuCell] {
    let cells = cells(of: menu)
    let room = max(1, height - Self.menuTop)
    let selected = cells.first { !$0.isTitle && $0.text == menu.selected }?.y ?? 0
    let last = cells.map(\.y).max() ?? 0
    let offset = max(0, min(selected - room / 2, last + 1 - room))
    return cells.compactMap { cell in
      guard (offset..<(offset + room)).contains(cell.y) else { return nil }
      return MenuCell(
        x: cell.x, y: cell.y - offset + Self.menuTop, text: cell.text, isTitle: cell.isTitle)
    }
  }

  func menuLines(of menu: LabMenu, height: Int) -> [TextLine] {
    var lines = [headLine] + Array(repeating: TextLine(), count: max(0, height - 1))
    let cells = visibleCells(of: menu, height: height).sorted { ($0.y, $0.x) < ($1.y, $1.x) }
    for cell in cells where lines.indices.contains(cell.y) {
      lines[cell.y].pad(to: cell.x)
      let isSelected = !cell.isTitle && cell.text == menu.selected
      let text = cell.text.truncated(to: max(1, Self.columnWidth - 1))
      lines[cell.y].add(isSelected ? symbols.selection : " ", .rowSymbol)
      lines[cell.y].add(
        cell.isTitle ? text : " \(text)",
        cell.isTitle ? .faint : isSelected ? .selectedName : .text)
    }
    let top = (cells.map(\.y).max() ?? 0) + 2
    var text = question(of: menu).wrapped(to: menuWidth).map { TextLine($0, .title) } + [TextLine()]
    text += explanationLines(min(menuWidth, 100))
    for (index, line) in text.enumerated() where lines.indices.contains(top + index) {
      lines[top + index] = line
    }
    return lines.enumerated().map { index, line in
      guard width >= Self.wideMenu else { return line }
      return beside(line, preview(of: menu, height: height), index)
    }
  }

  private func question(of menu: LabMenu) -> String { menu.preview.first?.about ?? "" }

  /// Returns the page of the highlighted scene, without its keys.
  private func preview(of menu: LabMenu, height: Int) -> [TextLine] {
    guard let page = menu.preview.first else { return [] }
    let view = LabView(page, innerWidth: width - menuWidth - 2, self)
    return view.sceneLines(height)
  }

  private func beside(_ line: TextLine, _ preview: [TextLine], _ index: Int) -> TextLine {
    var line = line
    line.pad(to: menuWidth)
    line.add(String(symbols.scrollBar.track), .track)
    line.add(" ")
    if preview.indices.contains(index) { line.add(contentsOf: preview[index]) }
    return line
  }

  /// Returns the name of the scene at a place of the page; `nil` if there is none.
  func scene(at point: Point, height: Int) -> String? {
    guard let menu = page.menu else { return nil }
    return visibleCells(of: menu, height: height).first { cell in
      !cell.isTitle && cell.y == point.y
        && (cell.x..<(cell.x + Self.columnWidth)).contains(point.x)
    }?.text
  }
}
