package import TerminalCore

extension LabFrame {
  /// Returns the frame drawn at a size.
  package func canvas(_ size: Size, options: DisplayOptions) -> Canvas {
    let lines = LabView(self, width: size.width, isASCII: options.isASCII, bindings: .standard)
      .lines(size.height)
    var canvas = Canvas(size)
    let theme = options.hasColor ? Theme.standard : Theme.mono
    for (y, line) in lines.enumerated() { line.draw(on: &canvas, x: 0, y: y, theme: theme) }
    if options.isASCII { canvas.reduceToASCII() }
    return canvas
  }

  /// Returns the whole frame as text without the keys, as high as needed.
  package func text(width: Int, isASCII: Bool = false) -> String {
    var frame = self
    frame.keys = []
    let height = LabView(frame, width: width, isASCII: isASCII, bindings: .standard)
      .height(isSpaced: false)
    return frame.canvas(
      Size(width: width, height: height), options: DisplayOptions(isASCII: isASCII)
    ).text
  }
}

/// Draws a ``LabFrame``, line by line.
struct LabView {
  let frame: LabFrame
  let width: Int
  let symbols: LabSymbols
  private let bindings: Bindings
  private let keySymbols: Symbols

  init(_ frame: LabFrame, width: Int, isASCII: Bool, bindings: Bindings) {
    self.frame = frame
    self.width = width
    self.bindings = bindings
    symbols = LabSymbols(isASCII: isASCII)
    keySymbols = isASCII ? .ascii : .unicode
  }

  var inset: Int { width >= 60 ? 1 : 0 }
  var room: Int { max(1, width - 2 * inset) }

  /// Returns the lines of the frame that fit in a height, the most important parts first.
  func lines(_ height: Int) -> [TextLine] {
    // If not all blocks fit, their notes are left out first.
    let needed = frame.blocks.reduce(2) {
      $0 + lines(of: $1, height: .max, isSpaced: false, isCompact: false).count
    }
    let isCompact = needed > height
    let keys = keyLines(atMost: height < 4 ? 0 : height < 16 || isCompact ? 1 : 2)
    var left = max(0, height - keys.count)
    func fit(_ lines: [TextLine]) -> [TextLine] {
      defer { left -= min(left, lines.count) }
      return Array(lines.prefix(left))
    }
    let head = fit([headLine])
    let isSpaced = height >= self.height(isSpaced: true)
    let parts = frame.blocks.map {
      fit(lines(of: $0, height: left, isSpaced: isSpaced, isCompact: isCompact))
    }
    let legend = left >= legendLines.count ? fit(legendLines) : []
    let explanation = left >= explanationLines.count ? fit(explanationLines) : []

    var page: [TextLine] = []
    // Adds a blank line between two parts while there is room.
    for part in [head] + parts + [explanation, legend] where !part.isEmpty {
      if !page.isEmpty, left > 0 {
        left -= 1
        page.append(TextLine())
      }
      page += part
    }
    let blanks = max(0, height - keys.count - page.count)
    return page + Array(repeating: TextLine(), count: blanks) + keys
  }

  /// Returns the height of the whole frame with a blank line between two parts.
  func height(isSpaced: Bool) -> Int {
    let parts =
      [[headLine]]
      + frame.blocks.map { lines(of: $0, height: .max, isSpaced: isSpaced, isCompact: false) }
      + [legendLines, explanationLines, keyLines(atMost: 2)]
    return parts.reduce(-1) { $0 + ($1.isEmpty ? 0 : $1.count + 1) }
  }

  private func lines(
    of block: LabFrame.Block, height: Int, isSpaced: Bool, isCompact: Bool
  ) -> [TextLine] {
    switch block {
    case .lanes(let lanes): return lines(of: lanes, height: height, isSpaced: isSpaced)
    case .table(var table):
      if isCompact { table.notes = [] }
      return lines(of: table, height: height)
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

  private var headLine: TextLine {
    var line = newLine()
    line.add(frame.title.truncated(to: room), .title)
    var right: [String] = []
    if let status = frame.status {
      let words = [status.motion.map(symbols.text) ?? "", status.speed].filter { !$0.isEmpty }
      var used = line.width + inset
      for word in words + status.details where used + 2 + word.cellWidth <= width {
        right.append(word)
        used += 2 + word.cellWidth
      }
    }
    let status = right.joined(separator: "  ")
    let about = " · \(frame.about)"
    if line.width + about.cellWidth + status.cellWidth + 2 + inset <= width {
      line.add(about, .faint)
    }
    if !status.isEmpty {
      line.add(String(repeating: " ", count: max(1, width - inset - line.width - status.cellWidth)))
      line.add(status, .key)
    }
    return line
  }

  private var explanationLines: [TextLine] {
    frame.explanation.joined(separator: " ").wrapped(to: min(room, 100)).filter { !$0.isEmpty }.map
    {
      var line = newLine()
      line.add($0)
      return line
    }
  }

  private var legendLines: [TextLine] {
    flowed(
      frame.legend.map { entry in
        var line = TextLine()
        switch entry.subject {
        case .sign(let sign): line.add(symbols[sign], sign.role(inInput: false))
        case .line(let subject): line.add(symbols[subject], .faint)
        }
        line.add(" \(entry.meaning)", .faint)
        return line
      }, gap: 3)
  }

  private func keyLines(atMost limit: Int) -> [TextLine] {
    let entries = frame.keys.map { hint in
      var line = TextLine()
      line.add(keyNames(hint.action), .key)
      line.add(" \(hint.label)", .faint)
      return line
    }
    let lines = flowed(entries, gap: 2)
    guard limit == 2, lines.count == 2 else { return Array(lines.prefix(limit)) }
    // The keys of the scene on one line, those of every scene on the other.
    let own = frame.keys.prefix { $0.isInput }.count
    let parts = [entries[..<own], entries[own...]].flatMap { flowed(Array($0), gap: 2) }
    return parts.count == 2 ? parts : lines
  }

  private func keyNames(_ action: LabFrame.KeyHint.Action) -> String {
    switch action {
    case .quit: bindings.keyName(of: .quit, in: .global, keySymbols)
    case .commands(let commands):
      commands.map { command in
        if case .input(let character) = command { return String(character) }
        return command.action.map { bindings.keyName(of: $0, in: .lab, keySymbols) } ?? ""
      }.joined(separator: " ")
    }
  }

  /// Returns the entries side by side, wrapped to the width.
  private func flowed(_ entries: [TextLine], gap: Int) -> [TextLine] {
    var lines: [TextLine] = []
    var line = newLine()
    for entry in entries {
      if line.width > inset, line.width + gap + entry.width > width - inset {
        lines.append(line)
        line = newLine()
      }
      if line.width > inset { line.add(String(repeating: " ", count: gap)) }
      for (text, role) in entry.spans { line.add(text, role) }
    }
    return line.width > inset ? lines + [line] : lines
  }
}
