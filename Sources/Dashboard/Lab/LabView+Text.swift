import TerminalCore

/// The text of a page: the head line, the explanation, the terms and the code.
extension LabView {
  var headLine: TextLine {
    var line = TextLine(page.title.truncated(to: width), .title)
    let about = " · \(page.about)"
    var right: [String] = []
    if let status = page.status {
      let words = [status.playback?.rawValue ?? "", status.speed].filter { !$0.isEmpty }
      // The question has more room than the details.
      var used = line.width + min(about.cellWidth, max(0, width - line.width - 8))
      for word in words + status.details where used + 2 + word.cellWidth <= width {
        right.append(word)
        used += 2 + word.cellWidth
      }
    }
    let status = right.joined(separator: "  ")
    let room = width - line.width - (status.isEmpty ? 0 : status.cellWidth + 2)
    if about.cellWidth <= room {
      line.add(about, .title)
    } else if room >= 20 {
      line.add(" · \(page.about.cutAtWord(to: room - 3))", .title)
    }
    if !status.isEmpty {
      line.pad(to: max(line.width + 1, width - status.cellWidth))
      line.add(status, .key)
    }
    return line
  }

  func explanationLines(_ width: Int) -> [TextLine] {
    page.explanation.joined(separator: " ").wrapped(to: width)
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
    page.lanes?.lanes.filter { !$0.isInput }.map(\.label) ?? []
  }

  /// Returns the explanation with its label.
  func whyLines(_ width: Int) -> [TextLine] {
    explanationLines(min(100, width - Self.gutter)).enumerated().map { row, text in
      var line = row == 0 ? TextLine("   WHY", .faint) : TextLine()
      line.pad(to: Self.gutter)
      line.add(contentsOf: text)
      return line
    }
  }

  /// Returns the terms, each on its own lines: the word, then its meaning.
  func termLines(_ width: Int) -> [TextLine] {
    page.terms.flatMap { term in
      "\(term.word): \(term.meaning)".wrapped(to: width).enumerated().map { row, text in
        let word = row == 0 ? term.word : ""
        return TextLine(word).adding(String(text.dropFirst(word.count)), .faint)
      }
    }
  }

  /// Returns lines of source code. The comment of a line that is too long stands above it; the rest of what is still too
  /// long is indented.
  func codeLines(_ lines: [String], _ width: Int, _ role: Role = .text) -> [TextLine] {
    lines.flatMap { line -> [TextLine] in
      guard line.cellWidth > width else { return [TextLine(line, role)] }
      let indent = String(line.prefix { $0 == " " })
      guard let comment = line.firstRange(of: "//") else {
        return wrapped(line, to: width, indent, rest: "    ", role)
      }
      let code = String(line[..<comment.lowerBound]).withoutTrailingSpaces
      let text = String(line[comment.upperBound...])
      return wrapped(text, to: width, indent + "// ", rest: "", role)
        + (code.isEmpty ? [] : codeLines([code], width, role))
    }
  }

  /// Returns a text in lines that begin with a prefix; all but the first one have the blanks of `rest` after it.
  private func wrapped(
    _ text: String, to width: Int, _ prefix: String, rest: String, _ role: Role
  ) -> [TextLine] {
    let room = max(8, width - prefix.cellWidth - rest.cellWidth)
    return text.wrapped(to: room).enumerated().map { row, part in
      TextLine((prefix + (row == 0 ? "" : rest) + part).truncated(to: width), role)
    }
  }

  /// Returns the lines of pieces of source code, which are side by side if the screen is wide enough.
  func lines(of pieces: [LabCode]) -> [TextLine] {
    let isWide = pieces.count > 1 && width >= 110
    let columnWidth = isWide ? (width - 2 * (pieces.count - 1)) / pieces.count : width
    let columns = pieces.map { piece -> [TextLine] in
      let warning = piece.isCounterexample ? "\(symbols[LabMarkKind.wrong]) do not do this: " : ""
      let title = TextLine(
        "\(warning)\(piece.title)".truncated(to: columnWidth),
        piece.isCounterexample ? .error : .title)
      return [title] + codeLines(piece.lines, columnWidth)
    }
    guard isWide else { return Array(columns.joined(separator: [TextLine()])) }
    return (0..<(columns.map { $0.count }.max() ?? 0)).map { row in
      var line = TextLine()
      for (index, column) in columns.enumerated() where row < column.count {
        line.pad(to: index * (columnWidth + 2))
        line.add(contentsOf: column[row])
      }
      return line
    }
  }

  /// Returns the entries side by side, wrapped to the width.
  func flowed(_ entries: [TextLine], gap: Int, width: Int) -> [TextLine] {
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

extension TextLine {
  /// Adds blanks until the line is `width` cells wide.
  mutating func pad(to width: Int) {
    if width > self.width { add(String(repeating: " ", count: width - self.width)) }
  }

  /// Returns the line with another one at its end.
  func adding(_ line: TextLine) -> TextLine {
    var sum = self
    sum.add(contentsOf: line)
    return sum
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
