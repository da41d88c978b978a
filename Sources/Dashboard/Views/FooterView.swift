import TerminalCore

extension Frame {
  /// The keys one can press here: as many whole entries as fit, those of the first rank always
  /// before the others.
  func drawFooter(on canvas: inout Canvas, in area: Rect) {
    let gap = area.width >= 60 ? 2 : 1
    let entries = footerEntries
    var chosen: Set<Int> = []
    var room = area.width - inset + gap
    for index in entries.indices.sorted(by: { entries[$0].rank < entries[$1].rank }) {
      let needed = entries[index].width + gap
      guard needed <= room else { break }
      room -= needed
      chosen.insert(index)
    }
    var x = inset
    for index in entries.indices where chosen.contains(index) {
      entries[index].line.draw(on: &canvas, x: x, y: area.y, theme: theme)
      x += entries[index].width + gap
    }
  }

  private struct Entry {
    var rank: Int
    var line: TextLine
    var width: Int { line.width }
  }

  private var footerEntries: [Entry] {
    var labels: [(keys: [String], label: String, rank: Int)] = []
    // What only means something here stands first.
    let scopes = sequence(first: dashboard.scope) { $0.outer }
    for binding in scopes.flatMap({ scope in dashboard.bindings.all.filter { $0.scope == scope } })
    {
      guard let footer = binding.footer,
        let key = binding.keys.first(where: { dashboard.reaches($0, of: binding) })
      else { continue }
      let name = key.name(symbols)
      if let last = labels.last, last.label == footer.label {
        labels[labels.count - 1].keys.append(name)
      } else {
        labels.append(([name], footer.label, footer.rank))
      }
    }
    return labels.map { keys, label, rank in
      var line = TextLine()
      line.add(keys.joined(separator: " "), .key)
      line.add(" \(label)", .faint)
      return Entry(rank: rank, line: line)
    }
  }
}

extension Dashboard {
  /// Whether a key comes to a binding now, and is not taken by what lies over it.
  fileprivate func reaches(_ key: Key, of binding: Binding) -> Bool {
    var inner: Binding.Scope? = scope
    while let scope = inner, scope != binding.scope {
      if bindings.action(for: key, in: scope) != nil || (scope == .prompt && key.text != nil) {
        return false
      }
      inner = scope.outer
    }
    return inner != nil
  }
}
