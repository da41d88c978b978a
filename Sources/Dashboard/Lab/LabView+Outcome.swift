import TerminalCore

/// The two blocks below the picture: what goes wrong, with the code that does it, and what to write.
extension LabView {
  /// The width of the labels at the left of the blocks.
  static let gutter = 8

  /// The minimum width for code beside the text.
  private static let wide = 100

  /// The width of the text and of the code of a block; the same if they are below one another.
  private var blockWidths: (text: Int, code: Int, isBeside: Bool) {
    let inner = max(1, width - Self.gutter)
    guard width >= Self.wide - 2 else { return (min(inner, 100), inner, false) }
    let text = (inner - 3) * 9 / 20
    return (text, inner - 3 - text, true)
  }

  /// Returns the block of what goes wrong: the text, the results and the code that fails.
  /// - Parameter codeHeight: The lines of code that it has at most, if they make it higher.
  func wrongLines(codeHeight: Int) -> [TextLine] {
    let (textWidth, codeWidth, isBeside) = blockWidths
    let lesson = page.lesson?.text.wrapped(to: textWidth).map { TextLine($0) } ?? []
    let text = lesson + useLines(of: [.wrong], textWidth)
    let isWrong = page.lesson?.isWrong ?? true
    let (label, role) = isWrong ? ("WRONG", Role.error) : ("RIGHT", .good)
    guard let tally = page.tally else {
      let room = isBeside ? max(codeHeight, text.count) : codeHeight
      return block(label, role, text, wrongCode(codeWidth, room), isBeside: isBeside)
    }
    let results = lines(of: tally, width: codeWidth)
    guard isBeside else { return block(label, role, text, results, isBeside: false) }
    let code = wrongCode(textWidth, max(codeHeight, results.count - text.count - 1))
    let left = code.isEmpty ? text : text + [TextLine()] + code
    return block(label, role, left, results, isBeside: true)
  }

  /// Returns the code that fails, in at most `height` lines; none of it if that is only its beginning.
  private func wrongCode(_ width: Int, _ height: Int) -> [TextLine] {
    let all = codeLines(page.wrongCode?.lines ?? [], width, .faint)
    if all.count <= height { return all }
    return height < 4 ? [] : all.prefix(height - 1) + [moreLine]
  }

  /// Returns the block of what to write: the uses of the variants that work, and the code.
  func writeLines() -> [TextLine] {
    let (textWidth, codeWidth, isBeside) = blockWidths
    let uses = useLines(of: [.right, .limited], textWidth)
    let code = page.advice.map { codeLines($0.lines, codeWidth) } ?? []
    return isBeside
      ? block("WRITE", .good, uses, code, isBeside: true)
      // The code comes first where not all of the text can be shown.
      : block("WRITE", .good, code, uses, isBeside: false)
  }

  private var moreLine: TextLine {
    let key = bindings.keyName(of: .showCode, in: .lab, symbols)
    return TextLine(symbols.isASCII ? "... " : "… ", .faint).adding(key, .key)
      .adding(" shows the rest", .faint)
  }

  /// Returns a block: its label on a plane, and its parts, side by side or one after the other.
  private func block(
    _ label: String, _ role: Role, _ left: [TextLine], _ right: [TextLine], isBeside: Bool
  ) -> [TextLine] {
    let codeX = Self.gutter + blockWidths.text + 3
    let count = isBeside ? max(left.count, right.count) : left.count + right.count
    return (0..<count).map { row in
      var line = TextLine()
      if row == 0 { line.add(" \(label) ", role, on: .plane) }
      let first = row < left.count ? left[row] : isBeside ? nil : right[row - left.count]
      if let first {
        line.pad(to: Self.gutter)
        line.add(contentsOf: first)
      }
      if isBeside, row < right.count {
        line.pad(to: codeX)
        line.add(contentsOf: right[row])
      }
      return line
    }
  }

  /// Returns the variants with some verdicts, each with its sign and its use or its fault.
  private func useLines(of verdicts: [LabPage.Verdict], _ width: Int) -> [TextLine] {
    let uses = page.uses.filter { verdicts.contains($0.verdict) }
    let column = 2 + (page.uses.map(\.lane.cellWidth).max() ?? 0) + 2
    return uses.flatMap { use in
      use.meaning.wrapped(to: max(8, width - column)).enumerated().map { row, text in
        var line = TextLine()
        if row == 0 {
          line.add("\(symbols[use.verdict]) ", use.verdict.role)
          line.add(use.lane, .title)
        }
        line.pad(to: column)
        line.add(text)
        return line
      }
    }
  }

  /// Returns the results as bars on one scale, below the scale, or one after the other where bars have no room.
  private func lines(of tally: LabTally, width: Int) -> [TextLine] {
    let done = tally.rows.map(\.done).min() ?? 0
    let state = done < tally.runs ? ", \(done) done" : ""
    let title = TextLine("of \(tally.runs) runs each\(state)", .faint)
    let hasBars = !isLow && width >= 40
    guard hasBars else {
      let entries = tally.rows.enumerated().map { index, row in
        addResult(of: row, to: name(of: row, index == tally.selected).adding(" "), width)
      }
      return flowed([title] + entries, gap: 1, width: width)
    }
    let nameWidth = 2 + (tally.rows.map(\.name.cellWidth).max() ?? 0) + 2
    // A remark needs no room of its own: a bar with one is shorter than the others.
    let barWidth = max(1, width - nameWidth - "100 wrong ".count)
    return [title]
      + tally.rows.enumerated().map { index, row in
        var line = name(of: row, index == tally.selected)
        line.pad(to: nameWidth)
        let filled = row.wrong * barWidth / max(1, tally.runs)
        let length = row.wrong > 0 ? max(1, filled) : 0
        if length > 0 {
          line.add(String(repeating: String(symbols.bar.full), count: length), .error)
          line.add(" ")
        }
        return addResult(of: row, to: line, width)
      }
  }

  private func name(of row: LabTally.Row, _ isSelected: Bool) -> TextLine {
    TextLine(isSelected ? "\(symbols.selection) " : "  ", .rowSymbol)
      .adding(row.name, isSelected ? .selectedName : .text)
  }

  /// Returns a line with the result of a row at its end, and with its remark if that fits.
  private func addResult(of row: LabTally.Row, to line: TextLine, _ width: Int) -> TextLine {
    if row.done == 0 { return line.adding("not run yet", .faint) }
    if row.wrong == 0 { return line.adding("\(symbols[.right]) 0 wrong", .good) }
    var line = line.adding("\(row.wrong) wrong", .error)
    if !row.remark.isEmpty { line.add(" (\(row.remark))", .faint, within: width) }
    return line
  }
}
