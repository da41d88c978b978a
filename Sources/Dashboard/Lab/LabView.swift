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
  let page: LabPage
  let width: Int
  let symbols: Symbols
  let bindings: Bindings

  /// The width of the text beside the blocks, with the line between them.
  private static let sideTextWidth = 52
  /// The minimum width at which the text is beside the blocks.
  private static let wide = 150

  init(_ page: LabPage, width: Int, isASCII: Bool, bindings: Bindings) {
    self.page = page
    self.width = width
    self.bindings = bindings
    symbols = isASCII ? .ascii : .unicode
  }

  var inset: Int { width >= 60 ? 1 : 0 }

  /// The width of the blocks.
  var blockWidth: Int { max(1, width - 2 * inset - (hasTextBeside ? Self.sideTextWidth : 0)) }

  /// On a wide screen the text is beside the blocks, otherwise below them.
  private var hasTextBeside: Bool { width >= Self.wide && !page.explanation.isEmpty }

  /// Returns the page as `height` lines. If not all parts fit, the less important ones are left out.
  func lines(_ height: Int) -> [TextLine] {
    let keys = keyLines(atMost: height < 4 ? 0 : height < 16 ? 1 : 2)
    let pageHeight = max(0, height - keys.count)
    let pageLines = hasTextBeside ? pageWithTextBeside(pageHeight) : pageWithTextBelow(pageHeight)
    return pageLines + Array(repeating: TextLine(), count: pageHeight - pageLines.count) + keys
  }

  /// All lines, as high as needed, with the list of keys at the end.
  var allLines: [TextLine] {
    joined(
      [[headLine]] + blockLines(isLoose: false) + textParts(blockWidth) + [keyListLines],
      atMost: .max)
  }

  private func pageWithTextBelow(_ height: Int) -> [TextLine] {
    let textWidth = min(blockWidth, 100)
    let title = page.explanation.isEmpty ? [] : [ruleLine("what to look for")]
    // The terms and their meanings are worth more than space.
    for (hasTerms, isLoose) in [(true, true), (true, false), (false, true), (false, false)] {
      let above = joined([[headLine]] + blockLines(isLoose: isLoose), atMost: .max)
      let text = title + joined(textParts(textWidth, hasTerms: hasTerms), atMost: .max)
      let blanks = height - above.count - text.count - 1
      guard blanks >= 0 else { continue }
      // The text is at the bottom, above a blank line.
      let gap = text.isEmpty ? 0 : min(blanks, max(1, blanks - 1))
      return above + Array(repeating: TextLine(), count: gap) + text
    }
    // If that does not fit, the notes of tables are left out, then the blank lines between the parts.
    let text = textParts(textWidth, hasTerms: false)
    for hasNotes in [true, false] {
      let parts = [[headLine]] + blockLines(isLoose: false, hasNotes: hasNotes) + text
      let lines = joined(parts, atMost: .max)
      if lines.count <= height { return lines }
    }
    let parts = [[headLine]] + blockLines(isLoose: false, hasNotes: false) + text
    if parts.reduce(0, { $0 + $1.count }) <= height { return joined(parts, atMost: height) }
    var heightLeft = height
    func fit(_ lines: [TextLine]) -> [TextLine] {
      defer { heightLeft -= min(heightLeft, lines.count) }
      return Array(lines.prefix(heightLeft))
    }
    let head = fit([headLine])
    let blocks = page.blocks.map {
      fit(lines(of: $0, height: heightLeft, isLoose: false, hasNotes: false))
    }
    // The explanation can be cut; the legend is complete or left out.
    let explanation = fit(explanationLines(textWidth, atMost: heightLeft))
    let rest = text.dropFirst(page.explanation.isEmpty ? 0 : 1).map { part in
      heightLeft >= part.count ? fit(part) : []
    }
    return joined([head] + blocks + [explanation] + rest, atMost: height)
  }

  private func pageWithTextBeside(_ height: Int) -> [TextLine] {
    let bodyHeight = max(0, height - 2)
    let attempts = [true, false].lazy.map { joined(blockLines(isLoose: $0), atMost: .max) }
    var leftLines = attempts.first { $0.count <= bodyHeight } ?? []
    if leftLines.isEmpty {
      for block in page.blocks {
        let heightLeft = bodyHeight - leftLines.count
        leftLines += lines(of: block, height: heightLeft, isLoose: false, hasNotes: false)
          .prefix(heightLeft)
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
      line.add("\(symbols.scrollBar.track) ", .faint)
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

  private func blockLines(isLoose: Bool, hasNotes: Bool = true) -> [[TextLine]] {
    page.blocks.map { lines(of: $0, height: .max, isLoose: isLoose, hasNotes: hasNotes) }
  }

  /// - Parameter hasNotes: False to leave out the notes of tables.
  private func lines(
    of block: LabPage.Block, height: Int, isLoose: Bool, hasNotes: Bool
  ) -> [TextLine] {
    switch block {
    case .lanes(let lanes): return lines(of: lanes, height: height, isLoose: isLoose)
    case .table(var table):
      if !hasNotes { table.notes = [] }
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
