package import TerminalCore

extension LabPage {
  /// Returns the page drawn at a size.
  package func canvas(_ size: Size, options: DisplayOptions) -> Canvas {
    let lines = LabView(self, width: size.width, isASCII: options.isASCII, bindings: .standard)
      .lines(size.height)
    var canvas = Canvas(size)
    let theme = options.hasColor ? Theme.standard : Theme.mono
    for (y, line) in lines.enumerated() { line.draw(on: &canvas, x: 0, y: y, theme: theme) }
    if options.isASCII { canvas.reduceToASCII() }
    return canvas
  }

  /// Returns the whole page as text, as high as needed, with the scene's own keys only.
  package func text(width: Int, isASCII: Bool = false) -> String {
    var page = self
    page.keys.removeAll { !$0.isInput }
    let lines = LabView(page, width: width, isASCII: isASCII, bindings: .standard).allLines
    var canvas = Canvas(Size(width: width, height: lines.count))
    for (y, line) in lines.enumerated() { line.draw(on: &canvas, x: 0, y: y, theme: .mono) }
    if isASCII { canvas.reduceToASCII() }
    return canvas.text
  }
}

/// Draws a ``LabPage``, line by line.
struct LabView {
  /// The use of spare height, from none to the most.
  enum Spacing: Int, CaseIterable {
    case tight
    /// A blank line between two lanes.
    case open
    /// In addition, a line below each lane names its marks, and a lane with levels, which are drawn as bars, has one
    /// more row.
    case withMarkNames
    /// Like `withMarkNames`, but with two blank lines between two lanes, and two more rows for a lane with levels.
    case loose
  }

  let page: LabPage
  let width: Int
  let symbols: LabSymbols
  let bindings: Bindings
  let dashboardSymbols: Symbols

  /// The width of the text beside the blocks, with the line between them.
  private static let sideTextWidth = 52
  /// The minimum width at which the text is beside the blocks.
  private static let wide = 150

  init(_ page: LabPage, width: Int, isASCII: Bool, bindings: Bindings) {
    self.page = page
    self.width = width
    self.bindings = bindings
    symbols = LabSymbols(isASCII: isASCII)
    dashboardSymbols = isASCII ? .ascii : .unicode
  }

  var inset: Int { width >= 60 ? 1 : 0 }

  /// The width of the blocks.
  var blockWidth: Int { max(1, width - 2 * inset - (hasTextBeside ? Self.sideTextWidth : 0)) }

  /// On a wide screen the text is beside the blocks, otherwise below them.
  private var hasTextBeside: Bool { width >= Self.wide && !page.explanation.isEmpty }

  /// Returns the page as `height` lines. If not all parts fit, the less important ones are left out.
  func lines(_ height: Int) -> [TextLine] {
    let keys = keyLines(atMost: height < 4 ? 0 : height < 16 || isCompact(in: height) ? 1 : 2)
    let pageHeight = max(0, height - keys.count)
    let pageLines = hasTextBeside ? pageWithTextBeside(pageHeight) : pageWithTextBelow(pageHeight)
    return pageLines + Array(repeating: TextLine(), count: pageHeight - pageLines.count) + keys
  }

  /// All lines, as high as needed, with the list of keys at the end.
  var allLines: [TextLine] {
    joined(
      [[headLine]] + blockLines(.tight) + textParts(blockWidth) + [keyListLines],
      atMost: .max)
  }

  /// Returns true if the blocks do not fit in a height, even without the text. The notes of tables are then left out.
  private func isCompact(in height: Int) -> Bool {
    page.blocks.reduce(2) { $0 + self.height(of: $1, .tight) } > height
  }

  private func pageWithTextBelow(_ height: Int) -> [TextLine] {
    let textWidth = min(blockWidth, 100)
    let text = textParts(textWidth)
    let title = page.explanation.isEmpty ? [] : [ruleLine("what to look for")]
    // The head line, and a blank line before each block and before the keys.
    let spacings = Spacing.allCases.reversed().map { spacing in
      (spacing, needed: page.blocks.reduce(2) { $0 + 1 + self.height(of: $1, spacing) })
    }
    // All terms of the scene, with their meanings, are shown if they fit, even without blank lines between the lanes. Otherwise terms are left out, the
    // last ones first, until there is room for those blank lines too.
    for count in (0...page.terms.count).reversed() {
      let pane = joined(textParts(textWidth, terms: count), atMost: .max)
      let fitting = spacings.first { $0.needed + pane.count + title.count <= height }
      guard let (spacing, needed) = fitting,
        spacing != .tight || count == 0 || count == page.terms.count
      else { continue }
      let blanks = height - needed - pane.count - title.count
      let pageLines = joined([[headLine]] + blockLines(spacing), atMost: .max)
      // The text is at the bottom, above a blank line.
      let above = text.isEmpty ? 0 : min(blanks, max(1, blanks - 1))
      return pageLines + Array(repeating: TextLine(), count: above) + title + pane
    }
    // If no number of terms fits, the notes of tables and then the blank lines between the parts are left out too.
    let withoutNotes = page.blocks.map {
      lines(of: $0, height: .max, spacing: .tight, isCompact: true)
    }
    for blocks in [blockLines(.tight), withoutNotes] {
      let parts = [[headLine]] + blocks + text.prefix(2)
      if joined(parts, atMost: .max).count <= height { return joined(parts, atMost: height) }
    }
    let parts = [[headLine]] + withoutNotes + text.prefix(2)
    if parts.reduce(0, { $0 + $1.count }) <= height { return joined(parts, atMost: height) }
    let isCompact = isCompact(in: height)
    var heightLeft = height
    func fit(_ lines: [TextLine]) -> [TextLine] {
      defer { heightLeft -= min(heightLeft, lines.count) }
      return Array(lines.prefix(heightLeft))
    }
    let head = fit([headLine])
    let blocks = page.blocks.map {
      fit(lines(of: $0, height: heightLeft, spacing: .tight, isCompact: isCompact))
    }
    // The explanation can be cut; the legend and the terms are complete or left out.
    let explanation = fit(explanationLines(textWidth, atMost: heightLeft))
    let rest = text.dropFirst(page.explanation.isEmpty ? 0 : 1).map { part in
      heightLeft >= part.count ? fit(part) : []
    }
    return joined([head] + blocks + [explanation] + rest, atMost: height)
  }

  private func pageWithTextBeside(_ height: Int) -> [TextLine] {
    let bodyHeight = max(0, height - 2)
    let spacing = Spacing.allCases.last { spacing in
      page.blocks.reduce(-1) { $0 + 1 + self.height(of: $1, spacing) } <= bodyHeight
    }
    var leftLines: [TextLine] = []
    if let spacing {
      leftLines = joined(blockLines(spacing), atMost: bodyHeight)
    } else {
      for block in page.blocks {
        leftLines += lines(
          of: block, height: bodyHeight - leftLines.count, spacing: .tight, isCompact: true
        ).prefix(bodyHeight - leftLines.count)
      }
    }
    let code = page.code.isEmpty ? [] : [ruleLine("the code that runs")] + lines(of: page.code)
    if !code.isEmpty, leftLines.count + 2 + code.count <= bodyHeight {
      leftLines +=
        Array(repeating: TextLine(), count: bodyHeight - leftLines.count - code.count) + code
    }
    let textWidth = Self.sideTextWidth - 3
    var title = TextLine()
    title.add("what to look for", .title)
    let parts =
      [[title], explanationLines(textWidth, atMost: .max, isInset: false)]
      + [legendEntries, termLines(textWidth, isInset: false)]
    let rightLines = joined(parts.filter { !$0.isEmpty }, atMost: bodyHeight)
    let rows = (0..<bodyHeight).map { row -> TextLine in
      var line = row < leftLines.count ? leftLines[row] : TextLine()
      guard row < max(leftLines.count, rightLines.count) else { return line }
      line.add(String(repeating: " ", count: max(1, blockWidth + 2 * inset - line.width)))
      line.add("\(symbols.divider) ", .faint)
      if row < rightLines.count { line.add(contentsOf: rightLines[row]) }
      return line
    }
    return Array(([headLine, TextLine()] + rows).prefix(height))
  }

  /// Joins parts with a blank line between two, while there is room for it.
  private func joined(_ parts: [[TextLine]], atMost height: Int) -> [TextLine] {
    let parts = parts.filter { !$0.isEmpty }
    var blankCount = height - parts.reduce(0) { $0 + $1.count }
    var lines: [TextLine] = []
    for part in parts {
      if !lines.isEmpty, blankCount > 0 {
        blankCount -= 1
        lines.append(TextLine())
      }
      lines += part
    }
    return lines
  }

  private func blockLines(_ spacing: Spacing) -> [[TextLine]] {
    page.blocks.map { lines(of: $0, height: .max, spacing: spacing, isCompact: false) }
  }

  /// Returns the height of a block. That of lanes is calculated without drawing them.
  private func height(of block: LabPage.Block, _ spacing: Spacing) -> Int {
    if case .lanes(let lanes) = block { return height(of: lanes, spacing) }
    return lines(of: block, height: .max, spacing: spacing, isCompact: false).count
  }

  /// - Parameter isCompact: True to leave out the notes of tables.
  private func lines(
    of block: LabPage.Block, height: Int, spacing: Spacing, isCompact: Bool
  ) -> [TextLine] {
    switch block {
    case .lanes(let lanes): return lines(of: lanes, height: height, spacing: spacing)
    case .table(var table):
      if isCompact { table.notes = [] }
      return lines(of: table, height: height)
    case .code(let code, let scroll):
      let lines = lines(of: code)
      return Array(lines.dropFirst(min(scroll, max(0, lines.count - height))))
    }
  }

  func newLine(isInset: Bool = true) -> TextLine {
    var line = TextLine()
    if isInset, inset > 0 { line.add(String(repeating: " ", count: inset)) }
    return line
  }
}
