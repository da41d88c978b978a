import TerminalCore
import TimerBoard

/// The lines of the help, generated from the bindings and the examples of the grammar.
struct HelpText {
  struct Line: Hashable {
    /// The term to the left of the text, or a heading.
    var term = ""
    var text = ""
    /// The x coordinate of the text, from the left edge of its column.
    var textX = 0
    var isHeading = false
  }

  /// The columns: two on a wide screen, otherwise one.
  private(set) var columns: [[Line]] = []
  let columnWidth: Int

  init(of dashboard: Dashboard) {
    let manual = Manual(dashboard.bindings, dashboard.symbols)
    // The sections that are needed most come first: the keys of the view, below those of the open scene.
    var keys = manual.keys
    let here = keys.remove(
      at: keys.firstIndex { $0.heading == Manual.heading(of: dashboard.viewScope) } ?? 0)
    let own = Manual.Section(
      heading: here.heading, entries: dashboard.sceneKeys + here.entries)
    let sections =
      dashboard.isTyping
      ? (dashboard.timerPrompt == nil ? [] : [manual.grammar]) + [manual.prompt]
      // Nothing is added to another process, and some views do not exist.
      : dashboard.attached != nil
        ? ([own] + keys).filter { !$0.entries.isEmpty }
        : [own] + keys[..<1] + [manual.grammar] + keys[1...]
    self.init(sections, width: dashboard.size.width)
  }

  init(_ sections: [Manual.Section], width: Int) {
    columnWidth = width >= 110 ? width / 2 : width
    let blocks = sections.map { [columnWidth] in Self.lines(of: $0, width: columnWidth) }
    columns = columnWidth < width ? Self.split(blocks) : [Array(blocks.joined())]
  }

  private static func lines(of section: Manual.Section, width: Int) -> [Line] {
    let widest = section.entries.map(\.term.cellWidth).max() ?? 0
    // If keys and texts do not fit beside each other, the texts are placed below.
    let isStacked = width < widest + 26
    let textX = isStacked ? 3 : widest + 3
    var lines = [Line(term: section.heading, isHeading: true)]
    for entry in section.entries {
      var texts = entry.meaning.wrapped(to: max(1, width - textX - 1))
      lines.append(
        Line(term: entry.term, text: isStacked ? "" : texts.removeFirst(), textX: textX))
      lines += texts.map { Line(text: $0, textX: textX) }
    }
    return lines + [Line()]
  }

  /// The number of lines.
  var height: Int { (columns.map(\.count).max() ?? 1) - 1 }

  /// Splits blocks into two columns of similar height without breaking a block.
  private static func split(_ blocks: [[Line]]) -> [[Line]] {
    let total = blocks.reduce(0) { $0 + $1.count }
    var left: [Line] = []
    var index = 0
    while index < blocks.count, left.isEmpty || (left.count + blocks[index].count) * 2 <= total {
      left += blocks[index]
      index += 1
    }
    return [left, Array(blocks[index...].joined())]
  }
}

extension Frame {
  func drawHelp() {
    let here = dashboard.isTyping ? nil : Manual.heading(of: dashboard.viewScope)
    draw(HelpText(of: dashboard), from: dashboard.helpOffset ?? 0, here: here, in: layout.body)
  }

  /// Draws the text of an empty list.
  func drawEmptyText(_ text: String, in area: Rect) {
    guard area.height > 0 else { return }
    write(text.cutAtWord(to: area.width), .faint, x: area.x, y: area.y)
  }
}

extension Painter {
  /// - Parameter here: The heading that gets a note; `nil` for none.
  func draw(_ help: HelpText, from offset: Int, here: String?, in area: Rect) {
    let offset = min(offset, max(0, help.height - area.height))
    for (number, lines) in help.columns.enumerated() {
      let x = number * help.columnWidth + inset
      for (row, line) in lines.dropFirst(offset).prefix(area.height).enumerated() {
        let y = area.y + row
        let end = write(
          line.term, line.isHeading ? .title : .key, x: x, y: y, limit: help.columnWidth - inset)
        if line.isHeading, line.term == here {
          let notes = [" (this view)   carillon demo is a guided tour", " (this view)"]
          let note = notes.first { $0.cellWidth <= x + help.columnWidth - end } ?? ""
          write(note, .faint, x: end, y: y)
        }
        canvas.write(line.text, x: number * help.columnWidth + line.textX, y: y)
      }
    }
  }
}
