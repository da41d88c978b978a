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

  init(_ page: LabPage, width: Int, isASCII: Bool, bindings: Bindings) {
    self.page = page
    self.width = width
    self.bindings = bindings
    symbols = isASCII ? .ascii : .unicode
  }

  var inset: Int { width >= 60 ? 1 : 0 }

  /// The width of the blocks.
  var blockWidth: Int { max(1, width - 2 * inset) }

  /// The width of the text below the blocks, which is not wider than one can read.
  private var textWidth: Int { min(blockWidth, 100) }

  /// Returns the page as `height` lines. If not all parts fit, the less important ones are left out.
  func lines(_ height: Int) -> [TextLine] {
    let keys = keyLines(atMost: height < 4 ? 0 : height < 16 ? 1 : 2)
    let room = max(0, height - keys.count)
    let lines = completePage(room) ?? reducedPage(room)
    return lines + Array(repeating: TextLine(), count: room - lines.count) + keys
  }

  /// All lines, as high as needed, with the list of keys at the end.
  var allLines: [TextLine] {
    joined(
      [[headLine]] + blocks(isLoose: false)
        + [explanationLines(blockWidth, atMost: .max), legendLines, termLines(blockWidth)]
        + [keyListLines])
  }

  /// Returns the page with the text at its bottom, above a blank line; `nil` if it does not fit even without the code,
  /// the terms and the space between lanes.
  private func completePage(_ height: Int) -> [TextLine]? {
    let codeLines = page.code.isEmpty ? [] : [ruleLine("the code that runs")] + lines(of: page.code)
    let title = page.explanation.isEmpty ? [] : [ruleLine("what to look for")]
    let explanation = title + explanationLines(textWidth, atMost: .max)
    // The terms and their meanings are worth more than space.
    for (hasCode, hasTerms, isLoose) in [
      (true, true, true), (false, true, true), (false, true, false), (false, false, true),
      (false, false, false),
    ] {
      let above = joined([[headLine]] + blocks(isLoose: isLoose))
      let text = joined([
        hasCode ? codeLines : [], explanation, legendLines, hasTerms ? termLines(textWidth) : [],
      ])
      let blanks = height - above.count - text.count - 1
      guard blanks >= 0 else { continue }
      let gap = text.isEmpty ? 0 : min(blanks, max(1, blanks - 1))
      return above + Array(repeating: TextLine(), count: gap) + text
    }
    return nil
  }

  /// Returns the parts of the page that fit, the first one first. The explanation can be cut; the legend is complete or
  /// left out.
  private func reducedPage(_ height: Int) -> [TextLine] {
    var parts: [[TextLine]] = []
    var heightLeft = height
    func add(_ part: [TextLine]) {
      parts.append(Array(part.prefix(heightLeft)))
      heightLeft -= min(heightLeft, part.count)
    }
    add([headLine])
    for block in page.blocks { add(lines(of: block, height: heightLeft, isLoose: false)) }
    add(explanationLines(textWidth, atMost: heightLeft))
    if legendLines.count <= heightLeft { add(legendLines) }
    return joined(parts, atMost: height)
  }

  /// Joins parts with a blank line between two, while there is room for it.
  private func joined(_ parts: [[TextLine]], atMost height: Int = .max) -> [TextLine] {
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

  private func blocks(isLoose: Bool) -> [[TextLine]] {
    page.blocks.map { lines(of: $0, height: .max, isLoose: isLoose) }
  }

  private func lines(of block: LabPage.Block, height: Int, isLoose: Bool) -> [TextLine] {
    switch block {
    case .lanes(let lanes): return lines(of: lanes, height: height, isLoose: isLoose)
    case .table(let table): return lines(of: table, height: height)
    case .code(let code, let scroll):
      let lines = lines(of: code)
      return Array(lines.dropFirst(min(scroll, max(0, lines.count - height))))
    }
  }

  func newLine() -> TextLine {
    var line = TextLine()
    if inset > 0 { line.add(String(repeating: " ", count: inset)) }
    return line
  }
}
