import TerminalCore

/// The keys of a page, in one or two lines at its bottom, which can be clicked.
extension LabView {
  func keyRows(atMost limit: Int) -> [[KeyEntry]] {
    var rows = keyRows(of: page.keys)
    // A remark is worth less than a key.
    if rows.count > limit { rows = keyRows(of: page.keys.filter { !$0.commands.isEmpty }) }
    return Array(rows.prefix(limit))
  }

  func line(of row: [KeyEntry]) -> TextLine {
    row.reduce(into: TextLine()) { line, entry in
      line.pad(to: entry.x)
      line.add(contentsOf: entry.line)
    }
  }

  /// The keys after the title `keys:`, for output as plain text.
  var keyListLines: [TextLine] {
    if page.keys.isEmpty { return [] }
    let title = TextLine("keys:", .faint)
    return flowed([title] + page.keys.map { entry(of: $0).line }, gap: 2, width: width)
  }

  private func keyRows(of hints: [LabPage.KeyHint]) -> [[KeyEntry]] {
    var rows: [[KeyEntry]] = []
    var end = width + 1
    for hint in hints {
      var entry = entry(of: hint)
      if end + entry.line.width > width {
        rows.append([])
        end = 0
      }
      // A remark has no key: its line begins with the blank that separates it.
      entry.x = hint.commands.isEmpty && end > 0 ? end - 2 : end
      end = entry.x + entry.line.width + 2
      rows[rows.count - 1].append(entry)
    }
    return rows
  }

  private func entry(of hint: LabPage.KeyHint) -> KeyEntry {
    KeyEntry(keys: hint.commands.compactMap(key), label: hint.label, rank: 1, symbols)
  }

  private func key(of command: LabCommand) -> Key? {
    switch command {
    case .input(let character): .character(character)
    case .action(let action):
      bindings.firstKey(of: action, in: Binding.Scope.lab.selfOrOuter(performing: action))
    case .open, .choose: nil
    }
  }
}
