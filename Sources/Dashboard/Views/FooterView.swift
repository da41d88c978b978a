import TerminalCore
import TimerBoard

/// An entry of the footer: related keys with their label and position.
struct FooterEntry {
  var keys: [Key]
  let label: String
  let rank: Int
  var x = 0

  func line(_ symbols: Symbols) -> TextLine {
    var line = TextLine()
    line.add(keys.map { $0.name(symbols) }.joined(separator: " "), .key)
    line.add(" \(label)", .faint)
    return line
  }

  /// Returns the key whose name is at a column, or the first key if the label is; `nil` outside the entry.
  func key(at column: Int, _ symbols: Symbols) -> Key? {
    guard column >= x, column < x + line(symbols).width else { return nil }
    var end = x
    for key in keys {
      end += key.name(symbols).cellWidth + 1
      if column < end { return key }
    }
    return keys.first
  }
}

extension Frame {
  func drawFooter(on canvas: inout Canvas, in area: Rect) {
    for entry in footerEntries(in: area) {
      entry.line(symbols).draw(on: &canvas, x: entry.x, y: area.y, theme: theme)
    }
  }

  /// Returns the entries that fit, chosen by rank.
  func footerEntries(in area: Rect) -> [FooterEntry] {
    let gap = area.width >= 60 ? 2 : 1
    let entries = allFooterEntries
    let widths = entries.map { $0.line(symbols).width }
    var chosen: Set<Int> = []
    var room = area.width - inset + gap
    for index in entries.indices.sorted(by: { entries[$0].rank < entries[$1].rank }) {
      let needed = widths[index] + gap
      guard needed <= room else { break }
      room -= needed
      chosen.insert(index)
    }
    var x = inset
    return entries.indices.filter(chosen.contains).map { index in
      var entry = entries[index]
      entry.x = x
      x += widths[index] + gap
      return entry
    }
  }

  private var allFooterEntries: [FooterEntry] {
    var entries: [FooterEntry] = []
    // Bindings of the inner scope come first.
    for scope in dashboard.scope.chain {
      for binding in dashboard.bindings.all
      where binding.scope == scope && dashboard.offers(binding) {
        guard let footer = binding.footer,
          let key = binding.keys.first(where: { dashboard.reaches($0, of: binding) })
        else { continue }
        if let last = entries.last, last.label == footer.label {
          entries[entries.count - 1].keys.append(key)
        } else {
          entries.append(FooterEntry(keys: [key], label: footer.label, rank: footer.rank))
        }
      }
    }
    return entries
  }
}

extension Dashboard {
  /// Returns false for Enter in a prompt with an invalid text.
  fileprivate func offers(_ binding: Binding) -> Bool {
    guard binding.scope == .prompt, binding.action == .accept else { return true }
    if let command { return command.fault == nil }
    if case .failure? = prompt?.parsed { return false }
    return true
  }

  /// Returns true if no inner scope binds the key of a binding.
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
