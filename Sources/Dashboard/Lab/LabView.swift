import TerminalCore

extension LabPage {
  /// Returns the whole page as text, as high as needed, with the scene's own keys only.
  package func text(width: Int, isASCII: Bool = false) -> String {
    var page = self
    page.keys.removeAll { !$0.isInput }
    let view = LabView(page, width: width, isASCII: isASCII, bindings: .standard)
    let lines = view.allLines
    let size = Size(width: width, height: lines.count)
    var canvas = Canvas(size)
    view.draw(lines, on: &canvas, in: Rect(size), .mono)
    if isASCII { canvas.reduceToASCII() }
    return canvas.text
  }
}

/// Draws a ``LabPage``, line by line.
struct LabView {
  let page: LabPage
  /// The width of the lines, between the margins.
  let width: Int
  let symbols: Symbols
  let bindings: Bindings
  /// The width of the margins at both sides; 0 on a narrow screen.
  private let inset: Int

  init(_ page: LabPage, width: Int, isASCII: Bool, bindings: Bindings) {
    self.page = page
    inset = width >= 60 ? 1 : 0
    self.width = max(1, width - 2 * inset)
    self.bindings = bindings
    symbols = isASCII ? .ascii : .unicode
  }

  /// The width of the text below the blocks, which is not wider than one can read.
  private var textWidth: Int { min(width, 100) }

  func draw(_ lines: [TextLine], on canvas: inout Canvas, in area: Rect, _ theme: Theme) {
    for (y, line) in lines.enumerated() {
      line.draw(on: &canvas, x: area.x + inset, y: area.y + y, theme: theme)
    }
  }

  /// Returns the page as `height` lines. If not all parts fit, the less important ones are left out.
  func lines(_ height: Int) -> [TextLine] {
    let keys = keyLines(atMost: height < 4 ? 0 : height < 16 ? 1 : 2)
    let room = max(0, height - keys.count)
    let lines = textPage(room) ?? completePage(room) ?? reducedPage(room)
    return lines + Array(repeating: TextLine(), count: room - lines.count) + keys
  }

  /// All lines, as high as needed, with the list of keys at the end.
  var allLines: [TextLine] {
    joined(
      [[headLine]] + blocks(isLoose: false)
        + [
          legendLines, conclusion(hasAdvice: true), explanationLines(width, atMost: .max),
          termLines(width), keyListLines,
        ])
  }

  /// The explanation with its title.
  private var explanation: [TextLine] {
    page.explanation.isEmpty
      ? [] : [ruleLine("why", textWidth)] + explanationLines(textWidth, atMost: .max)
  }

  /// Returns the page with the text at its bottom, above a blank line; `nil` if its lanes, their legend and the uses do
  /// not fit.
  private func completePage(_ height: Int) -> [TextLine]? {
    let code =
      page.code.isEmpty ? [] : [ruleLine("the code that runs", width)] + lines(of: page.code)
    // The lanes with their names, the advice, the explanation, the terms and the code, from the best page to the smallest.
    for (isLoose, hasAdvice, texts) in [
      (true, true, 3), (true, true, 2), (true, true, 1), (false, true, 2), (false, true, 1),
      (true, true, 0), (false, true, 0), (false, false, 0),
    ] {
      let above = [[headLine]] + blocks(isLoose: isLoose) + [legendLines]
      let text =
        [conclusion(hasAdvice: hasAdvice)]
        + [explanation, termLines(textWidth), code].prefix(texts)
      let blanks = height - joined(above).count - joined(text).count - 1
      if blanks >= 0 {
        let gap = joined(text).isEmpty ? 0 : max(1, blanks - 1)
        return joined(above) + Array(repeating: TextLine(), count: gap) + joined(text)
      }
      let isFull = (above + text).reduce(0) { $0 + $1.count } <= height
      if texts == 0, !isLoose, isFull { return joined(above + text, atMost: height) }
    }
    return nil
  }

  /// Returns the page of a scene's text and source code, scrolled; `nil` if the page is another one.
  private func textPage(_ height: Int) -> [TextLine]? {
    guard case .code(let code, let scroll)? = page.blocks.first else { return nil }
    let text = joined([
      conclusion(hasAdvice: true), explanation, legendLines, termLines(textWidth), lines(of: code),
    ])
    let room = max(0, height - 2)
    let rest = text.dropFirst(min(scroll, max(0, text.count - room))).prefix(room)
    return joined([[headLine], Array(rest)], atMost: height)
  }

  /// Returns the parts of the page that fit, the first one first. The uses can be cut; the legend is complete or
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
    if legendLines.count <= heightLeft { add(legendLines) }
    add(conclusion(hasAdvice: false))
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
    case .code(let code, _): return lines(of: code)
    }
  }
}

extension DashboardView {
  static let lab = DashboardView(
    scope: .lab, key: "4", action: .showLab,
    bindings: [
      Binding([.enter, "."], .step, "open scene / next event"),
      Binding(["p", .space], .pauseScene, "pause / resume"),
      Binding(["+", "="], .faster, "speed up (to ×100)"),
      Binding(["-", "_"], .slower, "slow down (to 1/10)"),
      Binding(["X"], .playToEnd, "play to end"),
      Binding(["c"], .showCode, "show / hide code"),
      Binding(["r", .backspace], .restartScene, "restart scene"),
      Binding([.up, "k"], .up, "move up"),
      Binding([.down, "j"], .down, "move down"),
      Binding([.right], .nextScene, "next scene"),
      Binding([.left], .previousScene, "previous scene"),
      Binding([.escape], .leave, "back"),
    ],
    showsKeys: true,
    draw: { $0.drawLab() },
    nextChange: { $0.dashboard.lab?.nextChange },
    perform: { _, action, _ in [.lab(.action(action))] })
}

extension Frame {
  /// Draws the page of the lab.
  fileprivate func drawLab() {
    guard let lab = dashboard.lab else { return }
    let area = layout.body
    let view = LabView(
      lab.page, width: area.width, isASCII: dashboard.options.isASCII,
      bindings: dashboard.bindings)
    view.draw(view.lines(area.height), on: &canvas, in: area, theme)
  }
}
