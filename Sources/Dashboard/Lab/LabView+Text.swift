import TerminalCore

/// The text around the lanes and tables: the head line, the explanation, the legend, the terms and the keys.
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
    if line.width + about.cellWidth + status.cellWidth + 2 <= width {
      line.add(about, .title)
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

  private var lanes: [LabLane] {
    page.blocks.flatMap { block -> [LabLane] in
      guard case .lanes(let lanes) = block else { return [] }
      return lanes.lanes
    }
  }

  /// The names of the lanes without those of inputs. They stand out in the explanation.
  private var laneNames: [String] { lanes.filter { !$0.isInput }.map(\.label) }

  /// Returns the outcome: the use or the fault of each variant, and beside or below it the code to write. Without that
  /// code, there is no title.
  func conclusion(hasAdvice: Bool) -> [TextLine] {
    var parts: [(Int) -> [TextLine]] = []
    if !page.uses.isEmpty || !page.lesson.isEmpty {
      parts.append { (hasAdvice ? [ruleLine("what to use", $0)] : []) + useLines($0) }
    }
    if hasAdvice, let advice = page.advice {
      parts.append { [ruleLine(advice.title, $0, .good)] + codeLines(advice.lines, $0) }
    }
    // No blank line is between two parts that are below one another: each has a title.
    return columns(parts.count) { parts[$0]($1) }.filter { $0.width > 0 }
  }

  /// Returns the lesson and the variants, each with the sign of its outcome and its use or its fault.
  private func useLines(_ width: Int) -> [TextLine] {
    let column = 2 + (page.uses.map(\.word.cellWidth).max() ?? 0) + 2
    let lesson = page.lesson.isEmpty ? [] : page.lesson.wrapped(to: width).map { TextLine($0) }
    return lesson
      + page.uses.flatMap { use in
        use.meaning.wrapped(to: max(8, width - column)).enumerated().map { row, text in
          var line = TextLine()
          if row == 0 {
            let isGood = lanes.first { $0.label == use.word }?.isGood
            line.add((isGood.map(sign) ?? "").padded(to: 2), isGood == false ? .error : .good)
            line.add(use.word, .title)
          }
          line.add(String(repeating: " ", count: max(0, column - line.width)))
          line.add(text)
          return line
        }
      }
  }

  /// The marks and lines of the lanes with their meanings.
  var legendLines: [TextLine] {
    let entries = page.legend.map { entry in
      var line = TextLine()
      switch entry.subject {
      case .mark(let kind): line.add(symbols[kind], kind.role(inInputLane: false))
      case .line(let kind): line.add(symbols[kind], kind == .busy ? .warning : .faint)
      case .level(let isUsed):
        line.add(isUsed ? symbols.levels[8] : symbols.unused, isUsed ? .good : .error)
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
        let word = row == 0 ? term.word : ""
        return TextLine(word).adding(String(text.dropFirst(word.count)), .faint)
      }
    }
  }

  /// Returns a rule with a title over a part of the page.
  func ruleLine(_ title: String, _ width: Int, _ role: Role = .title) -> TextLine {
    let rest = String(repeating: symbols.rule, count: max(0, width - title.cellWidth - 3))
    return TextLine(symbols.rule + " ", .faint).adding(title, role).adding(" " + rest, .faint)
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
      TextLine(hint.commands.map(keyName).joined(separator: " "), .key)
        .adding(" \(hint.label)", .faint)
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
