import TerminalCore
import TimerBoard

/// The commands of the palette.
extension Dashboard {
  /// Returns the bindings of the commands that have an effect here: those of the view first, in the order of the
  /// footer, and those that are rarely typed last: see ``Action/isListedLast``.
  func commandBindings(at now: ClockReading) -> [Binding] {
    let targets = targets
    var found: [(binding: Binding, rank: Int)] = []
    for (place, scope) in viewScope.selfAndOuterScopes.enumerated() {
      for binding in Bindings.standard.all where binding.scope == scope {
        guard viewScope.selfOrOuter(performing: binding.action) == scope,
          Command.actions.contains(binding.action),
          offersCommand(binding, to: targets, at: now)
        else { continue }
        let rank = binding.action.isListedLast ? 100 : place * 10 + binding.rank
        found.append((binding, rank))
      }
    }
    return found.enumerated()
      .sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
      .map(\.element.binding)
  }

  private func offersCommand(
    _ binding: Binding, to targets: [TimerID], at now: ClockReading
  ) -> Bool {
    switch binding.scope {
    case .board: applies(binding.action, to: targets, at: now)
    case .global: binding.action != view.action && applies(binding.action, to: targets, at: now)
    default: binding.scope.view?.applies(self, binding.action) ?? true
    }
  }

  /// Returns the values of a command; `nil` if they cannot be listed.
  func values(of action: Action) -> NamedValues? {
    func values(_ title: String, _ names: [String], inUse: String) -> NamedValues {
      (title, names.map { ($0, $0 == inUse ? "in use" : "") })
    }
    return switch action.form.value {
    case .theme: values("themes", themes.map(\.name), inUse: theme.name)
    case .column: values("columns", RowOrder.names, inUse: listState.order.description)
    case .layout:
      values("layouts", BoardLayout.allCases.map(\.rawValue), inUse: boardLayout.rawValue)
    case .scene: ("scenes", scenes().map { ($0.word, $0.meaning) })
    case .timerSyntax, .text, .duration, nil: nil
    }
  }

  /// The values that a command accepts.
  typealias NamedValues = (title: String, all: [(name: String, detail: String)])

  /// Returns the timers that an argument begins with, and the rest of it; `nil` if it begins with none. A name may be
  /// quoted. A timer without a name is given by its kind in words,
  /// which is then its label, and any timer by its number: `#3`.
  /// - Parameter allowsGroup: A Boolean value that indicates whether the name can be that of a group.
  func timers(in argument: String, allowsGroup: Bool) -> (ids: [TimerID], rest: String)? {
    let text = Array(argument.utf8)
    if text.first == UInt8(ascii: "#") {
      let number = text.dropFirst().prefix { $0 != UInt8(ascii: " ") }
      let reference = "#" + String(decoding: number, as: UTF8.self)
      guard let id = TimerID(reference: reference), rows[id] != nil else { return nil }
      return ([id], argument.rest(from: number.endIndex))
    }
    let quote = text.first.flatMap {
      [UInt8(ascii: "'"), UInt8(ascii: "\"")].contains($0) ? $0 : nil
    }
    let start = quote == nil ? 0 : 1
    var found: [TimerID] = []
    var length = 0
    // The longest name wins.
    func begins(with label: String) -> Bool {
      let label = label.utf8
      return label.count >= length && label.count <= text.count
        && text[start...].starts(with: label) && isEnd(text, start + label.count, quote)
    }
    for row in rows.all where begins(with: row.label) {
      if row.label.utf8.count > length { found = [] }
      length = row.label.utf8.count
      found.append(row.id)
    }
    for group in allowsGroup ? rows.groups : []
    where group.utf8.count > length && begins(with: group) {
      length = group.utf8.count
      found = rows.ids(named: group)
    }
    return found.isEmpty ? nil : (found, argument.rest(from: length + (quote == nil ? 0 : 2)))
  }

  /// Returns true if a name ends at an index: at its closing quote or, without quotes, at a blank or the text's end.
  private func isEnd(_ text: [UInt8], _ index: Int, _ quote: UInt8?) -> Bool {
    guard index < text.count else { return quote == nil }
    return text[index] == quote ?? UInt8(ascii: " ")
  }
}

extension Action {
  /// A Boolean value that indicates whether the command moves in a list, goes back, or clears the filter or the marks.
  /// The palette lists these commands last, because they are rarely typed.
  var isListedLast: Bool {
    scrollDistance(page: 1, length: 1) != nil || [.left, .right, .leave, .dismiss].contains(self)
  }
}

extension String {
  /// Returns the text from a byte on, without leading blanks.
  fileprivate func rest(from index: Int) -> String {
    String(decoding: utf8.dropFirst(index).drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
  }
}
