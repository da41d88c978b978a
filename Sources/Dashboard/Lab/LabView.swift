package import TerminalCore

extension LabPage {
  /// Returns the page drawn at a size.
  package func canvas(_ size: Size, options: DisplayOptions) -> Canvas {
    let view = LabView(self, width: size.width, isASCII: options.isASCII, bindings: .standard)
    var canvas = Canvas(size)
    let theme = options.hasColor ? Theme.standard : Theme.mono
    view.draw(view.lines(size.height), on: &canvas, in: Rect(size), theme)
    if options.isASCII { canvas.reduceToASCII() }
    return canvas
  }

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
    let lines = completePage(room) ?? reducedPage(room)
    return lines + Array(repeating: TextLine(), count: room - lines.count) + keys
  }

  /// All lines, as high as needed, with the list of keys at the end.
  var allLines: [TextLine] {
    joined(
      [[headLine]] + blocks(isLoose: false)
        + [explanationLines(width, atMost: .max), legendLines, termLines(width)]
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
}

/// The text around the lanes and tables: the head line, the explanation, the legend, the terms and the keys.
extension LabView {
  var headLine: TextLine {
    var line = TextLine(page.title.truncated(to: width), .title)
    var right: [String] = []
    if let status = page.status {
      let words = [status.playback.map(symbols.text) ?? "", status.speed].filter { !$0.isEmpty }
      var used = line.width
      for word in words + status.details where used + 2 + word.cellWidth <= width {
        right.append(word)
        used += 2 + word.cellWidth
      }
    }
    let status = right.joined(separator: "  ")
    let about = " · \(page.about)"
    if line.width + about.cellWidth + status.cellWidth + 2 <= width {
      line.add(about, .faint)
    }
    if !status.isEmpty {
      line.add(String(repeating: " ", count: max(1, width - line.width - status.cellWidth)))
      line.add(status, .key)
    }
    return line
  }

  func explanationLines(_ width: Int, atMost limit: Int) -> [TextLine] {
    page.explanation.joined(separator: " ").wrapped(to: width, lines: limit)
      .filter { !$0.isEmpty }.map { text in
        var line = TextLine()
        for (part, isName) in text.split(atNames: laneNames) {
          line.add(part, isName ? .title : .text)
        }
        return line
      }
  }

  /// The names of the lanes without those of inputs. They stand out in the explanation.
  private var laneNames: [String] {
    page.blocks.flatMap { block -> [String] in
      guard case .lanes(let lanes) = block else { return [] }
      return lanes.lanes.filter { !$0.isInput }.map(\.label)
    }
  }

  /// The marks and lines of the lanes with their meanings.
  var legendLines: [TextLine] {
    let entries = page.legend.map { entry in
      var line = TextLine()
      switch entry.subject {
      case .mark(let kind): line.add(symbols[kind], kind.role(inInputLane: false))
      case .line(let kind): line.add(symbols[kind], .faint)
      }
      line.add(" \(entry.meaning)", .faint)
      return line
    }
    return flowed(entries, gap: 3)
  }

  /// Returns the terms, each on its own lines: the word, then its meaning.
  func termLines(_ width: Int) -> [TextLine] {
    page.terms.flatMap { term in
      "\(term.word): \(term.meaning)".wrapped(to: width).enumerated().map { row, text in
        var line = TextLine()
        let word = row == 0 ? term.word : ""
        line.add(word)
        line.add(String(text.dropFirst(word.count)), .faint)
        return line
      }
    }
  }

  /// Returns a rule with a title over a part of the page.
  func ruleLine(_ title: String) -> TextLine {
    var line = TextLine(symbols.rule + " ", .faint)
    line.add(title, .title)
    line.add(
      " "
        + String(repeating: symbols.rule, count: max(0, width - title.cellWidth - 3)),
      .faint)
    return line
  }

  func keyLines(atMost limit: Int) -> [TextLine] {
    let entries = keyEntries
    let lines = flowed(entries, gap: 2)
    guard limit == 2, lines.count == 2 else { return Array(lines.prefix(limit)) }
    // The keys of the scene on one line, those of every scene on the other.
    let own = page.keys.prefix { $0.isInput }.count
    let parts = [entries[..<own], entries[own...]].flatMap { flowed(Array($0), gap: 2) }
    return parts.count == 2 ? parts : lines
  }

  /// The keys after the title `keys:`, for output as plain text.
  var keyListLines: [TextLine] {
    if page.keys.isEmpty { return [] }
    let title = TextLine("keys:", .faint)
    return flowed([title] + keyEntries, gap: 2)
  }

  private var keyEntries: [TextLine] {
    page.keys.map { hint in
      var line = TextLine(hint.commands.map(keyName).joined(separator: " "), .key)
      line.add(" \(hint.label)", .faint)
      return line
    }
  }

  private func keyName(_ command: LabCommand) -> String {
    switch command {
    case .input(let character): String(character)
    case .action(let action):
      bindings.keyName(of: action, in: Binding.Scope.lab.selfOrOuter(performing: action), symbols)
    case .open: ""
    }
  }

  /// Returns the entries side by side, wrapped to the width.
  private func flowed(_ entries: [TextLine], gap: Int) -> [TextLine] {
    var lines: [TextLine] = []
    var line = TextLine()
    for entry in entries {
      if line.width > 0, line.width + gap + entry.width > width {
        lines.append(line)
        line = TextLine()
      }
      if line.width > 0 { line.add(String(repeating: " ", count: gap)) }
      line.add(contentsOf: entry)
    }
    return line.width > 0 ? lines + [line] : lines
  }
}

extension String {
  /// Returns the text in parts: the names, which can begin with a capital letter, and what is between them.
  fileprivate func split(atNames names: [String]) -> [(text: String, isName: Bool)] {
    var parts: [(text: String, isName: Bool)] = []
    var rest = self[...]
    var between = ""
    while let first = rest.first {
      let isStart = !(between.last?.isLetter ?? false)
      let found =
        isStart ? names.filter { rest.begins(withName: $0) }.max { $0.count < $1.count } : nil
      if let found {
        if !between.isEmpty { parts.append((between, false)) }
        parts.append((String(rest.prefix(found.count)), true))
        rest = rest.dropFirst(found.count)
        between = ""
      } else {
        between.append(first)
        rest.removeFirst()
      }
    }
    if !between.isEmpty { parts.append((between, false)) }
    return parts
  }
}

extension Substring {
  /// Returns true if the text begins with a whole name, ignoring the case of its first letter if it has several.
  fileprivate func begins(withName name: String) -> Bool {
    guard let letter = name.first, let first, dropFirst(name.count).first?.isLetter != true else {
      return false
    }
    let isSame = name.count > 1 ? first.lowercased() == letter.lowercased() : first == letter
    return isSame && dropFirst().prefix(name.count - 1) == name.dropFirst()
  }
}
