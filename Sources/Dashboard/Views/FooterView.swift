import TerminalCore
import TimerBoard
import TimerKit

extension Frame {
  func drawFooter(in area: Rect) {
    for entry in footerEntries(in: area) {
      draw(entry.line, x: entry.x, y: area.y)
    }
  }

  func footerEntries(in area: Rect) -> [KeyEntry] { allFooterEntries.fitting(area, inset: inset) }

  private var allFooterEntries: [KeyEntry] {
    var entries: [(keys: [Key], label: String, rank: Int)] = []
    let targets = dashboard.footerTargets
    // Bindings of the inner scope come first.
    for scope in dashboard.scope.selfAndOuterScopes {
      for binding in dashboard.bindings.inFooter where binding.scope == scope {
        guard let footer = binding.footer, dashboard.offers(binding, to: targets, at: now),
          let key = binding.keys.first(where: {
            dashboard.isHandled($0, by: binding, whenPressedIn: dashboard.scope)
          })
        else { continue }
        let isRows = binding.action == .wall && layout.wall != nil
        let label =
          isRows ? "rows" : dashboard.label(of: binding.action, at: now) ?? footer
        if let last = entries.last, last.label == label {
          entries[entries.count - 1].keys.append(key)
        } else {
          entries.append(([key], label, binding.rank))
        }
      }
    }
    return entries.map { KeyEntry(keys: $0.keys, label: $0.label, rank: $0.rank, symbols) }
  }
}

extension [KeyEntry] {
  /// Returns the entries that fit, chosen by rank.
  func fitting(_ area: Rect, inset: Int) -> [KeyEntry] {
    let gap = area.width >= 60 ? 2 : 1
    var chosen: Set<Int> = []
    var room = area.width - inset + gap
    for index in indices.sorted(by: { self[$0].rank < self[$1].rank }) {
      let needed = self[index].line.width + gap
      guard needed <= room else { break }
      room -= needed
      chosen.insert(index)
    }
    var x = inset
    return indices.filter(chosen.contains).map { index in
      var entry = self[index]
      entry.x = x
      x += entry.line.width + gap
      return entry
    }
  }
}

extension Dashboard {
  /// Returns true if a binding has an entry now. It has none if no target allows its action; Enter has none in a prompt
  /// with an invalid text.
  fileprivate func offers(_ binding: Binding, to targets: [TimerID], at now: ClockReading) -> Bool {
    if binding.scope == .board, let response = alertResponse(to: binding.action, at: now) {
      // Of the keys that only acknowledge, one is enough.
      return response != .acknowledge || binding.action == .startOrPause
    }
    if binding.scope == .board, let attached {
      return attached.timer(at: selected)?.allows(binding.action) ?? (binding.action == .filter)
    }
    // A fire of a cycle is a skip, which has a key of its own.
    let isSkip = binding.action == .fire && selectedRow?.machine.phases.isEmpty == false
    if binding.scope == .board {
      return !isSkip && applies(binding.action, to: targets, at: now)
    }
    if binding.action == .tour { return applies(.tour, to: targets, at: now) }
    if let view = binding.scope.view { return view.applies(self, binding.action) }
    if binding.action == .detach { return canDetach && rows.count(of: .running) > 0 }
    guard binding.scope == .prompt else { return true }
    switch binding.action {
    case .accept:
      if let commandPrompt { return commandPrompt.error == nil }
      if case .failure? = timerPrompt?.parsed { return false }
      return true
    case .complete: return !isTypingFilter
    case .previousEntry, .nextEntry: return !isTypingFilter || view.hasTimerRows
    default: return true
    }
  }

  /// Returns the label of an action that depends on the state, such as `resume` for a paused timer; `nil` for the label
  /// of its binding.
  fileprivate func label(of action: Action, at now: ClockReading) -> String? {
    if isTyping {
      switch action {
      case .accept: return commandPrompt == nil ? nil : "run"
      case .previousEntry, .nextEntry:
        return commandPrompt != nil ? "choose" : isTypingFilter ? "select" : nil
      default: return nil
      }
    }
    if helpOffset == nil, let label = view.footerLabel(self, action) { return label }
    if helpOffset == nil, let response = alertResponse(to: action, at: now), view.hasTimerRows {
      return response.rawValue
    }
    let state = attached.map { $0.timer(at: selected)?.state } ?? selectedRow?.state
    guard let state else { return nil }
    switch action {
    case .startOrPause:
      return switch state {
      case .running: "pause"
      case .paused: "resume"
      case .idle: "start"
      case .finished, .cancelled: "restart"
      }
    case .moreTime where selectedRow?.canBeSnoozed(at: now) == true: return "snooze"
    case .fire where selectedRow?.machine.calls != nil: return "trigger"
    default: break
    }
    return nil
  }
}

/// Related keys with their label and position, in the footer or in the header.
struct KeyEntry {
  private let keys: [Key]
  /// The rank in the footer: if not all entries fit, those with the lowest ranks are shown.
  let rank: Int
  var x = 0
  let isCurrent: Bool
  /// The names of the keys and the label.
  let line: TextLine

  /// - Parameter isCurrent: True if the key's view is the current one.
  init(
    keys: [Key], label: String, rank: Int, isCurrent: Bool = false, x: Int = 0, _ symbols: Symbols
  ) {
    self.keys = keys
    self.rank = rank
    self.x = x
    self.isCurrent = isCurrent
    var line = TextLine(keys.map { $0.name(symbols) }.joined(separator: " "), .key)
    if !label.isEmpty {
      // The blank is not underlined with the label.
      line.add(" ")
      line.add(label, isCurrent ? .title : .faint)
    }
    self.line = line
  }

  /// Returns the key whose name is at a column, or the first key for a column of the label; `nil` outside the entry.
  func key(at column: Int, _ symbols: Symbols) -> Key? {
    guard column >= x, column < x + line.width else { return nil }
    var end = x
    for key in keys {
      end += key.name(symbols).cellWidth + 1
      if column < end { return key }
    }
    return keys.first
  }
}

/// A line of text in several styles.
struct TextLine {
  /// The place of a text: on the screen, on a plane in the color of its role, or at the edge of such a plane.
  enum Surface {
    case screen, plane, edge
  }

  private(set) var spans: [(text: String, role: Role, surface: Surface)] = []
  private(set) var width = 0

  init() {}

  /// Creates a line with a text.
  init(_ text: String, _ role: Role = .text) {
    add(text, role)
  }

  mutating func add(_ text: String, _ role: Role = .text, on surface: Surface = .screen) {
    spans.append((text, role, surface))
    width += text.cellWidth
  }

  /// Adds a text with the blanks that fill `width` cells, which do not have its style.
  mutating func add(
    _ text: String, _ role: Role = .text, filling width: Int, alignedRight: Bool = false
  ) {
    let blanks = String(repeating: " ", count: max(0, width - text.cellWidth))
    if alignedRight { add(blanks) }
    add(text, role)
    if !alignedRight { add(blanks) }
  }

  /// Returns the line with a text at its end.
  func adding(_ text: String, _ role: Role = .text) -> TextLine {
    var line = self
    line.add(text, role)
    return line
  }

  mutating func add(contentsOf line: TextLine) {
    for (text, role, surface) in line.spans { add(text, role, on: surface) }
  }

  /// Adds a text if the line is then no wider than `limit`.
  mutating func add(_ text: String, _ role: Role, within limit: Int) {
    if width + text.cellWidth <= limit { add(text, role) }
  }

  /// Draws the line in at most `limit` cells, with `…` at the end if it does not fit.
  func draw(on canvas: inout Canvas, x: Int, y: Int, theme: Theme, limit: Int = .max) {
    var x = x
    var room = limit
    for (text, role, surface) in spans {
      guard room > 0 else { return }
      let isCut = width > limit && text.cellWidth >= room
      let text = isCut ? "\(text)…".truncated(to: room) : text
      let style = theme.style(of: role, on: surface)
      canvas.write(text, x: x, y: y, style: style, limit: room)
      let taken = text.cellWidth
      x += taken
      room -= taken
    }
  }
}
