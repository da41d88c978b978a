import TerminalCore
import TimerBoard
import TimerKit

/// An error in a line of the command palette.
struct CommandError: Error {
  let text: String
}

/// A parsed line of the command palette: an action and its argument.
struct Command {
  let action: Action
  let argument: String
  /// A Boolean value that indicates whether the command was given as `snooze`, which is for the timer with an alert.
  let isSnooze: Bool

  /// The words of the screen that stand for another command's name.
  static let synonyms: [String: Action] = [
    "snooze": .moreTime, "trigger": .fire, "demo": .showLab, "ack": .acknowledge,
  ]

  /// The actions of all scopes except prompts and the help, without the one that opens the palette.
  static let actions: Set<Action> = {
    let scopes = Binding.Scope.allCases.filter { $0 != .prompt && $0 != .help }
    return scopes.reduce(into: Set<Action>()) { $0.formUnion($1.actions) }.subtracting([
      .commandPalette
    ])
  }()

  static let names = actions.map(\.rawValue).sorted()

  /// Parses a line. A name may be shortened as long as it is unique.
  init(_ line: String) throws(CommandError) {
    let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
    action = try Self.action(named: parts.first ?? "")
    isSnooze = parts.first == "snooze"
    argument = parts.count > 1 ? parts[1].trimmed : ""
    guard argument.isEmpty || action.takesTimer || action.valueKind != nil else {
      throw CommandError(text: "'\(action.rawValue)' takes no argument")
    }
  }

  /// Returns the action with a name or a synonym.
  static func exactAction(named name: String) -> Action? {
    Action(rawValue: name).flatMap { actions.contains($0) ? $0 : nil } ?? synonyms[name]
  }

  /// Returns the action with a name or a synonym, or the only one whose name begins with it.
  static func action(named name: String) throws(CommandError) -> Action {
    if let action = exactAction(named: name) { return action }
    let matches = names.filter { $0.hasPrefix(name) }
    guard let action = matches.first.flatMap(Action.init) else {
      let hint = Suggestion.hint(for: name, of: names) ?? "expected a command of the palette"
      throw CommandError(text: "unknown command '\(name)' (\(hint))")
    }
    guard matches.count == 1 else {
      throw CommandError(
        text: "ambiguous command '\(name)' (expected \(matches.joined(separator: ", ")))")
    }
    return action
  }
}

extension Action {
  /// The kind of value that a command takes.
  enum ValueKind: Hashable {
    case timerSyntax, text, duration, theme, column, digits, scene

    /// The name in a usage text.
    var name: String {
      switch self {
      case .timerSyntax: "TIMERS"
      case .text: "TEXT"
      case .duration: "DURATION"
      case .theme: "THEME"
      case .column: "COLUMN"
      case .digits: "STYLE"
      case .scene: "SCENE"
      }
    }
  }

  /// The kind of the command's value; `nil` if it takes none.
  var valueKind: ValueKind? {
    switch self {
    case .add, .edit: .timerSyntax
    case .filter, .rename, .note: .text
    case .moreTime, .lessTime, .interval: .duration
    case .theme: .theme
    case .sort: .column
    case .digits: .digits
    case .scene: .scene
    default: nil
    }
  }

  /// A Boolean value that indicates whether the command has no meaning without its value.
  var needsValue: Bool { [.interval, .rename, .note, .scene].contains(self) }

  /// A Boolean value that indicates whether the command applies to timers, and may name one before its value. `edit`
  /// names one in place of its value.
  var takesTimer: Bool {
    switch self {
    case .edit, .duplicate, .delete, .rename, .note, .mark, .showFocus, .interval: true
    default: TimerAction(self, amount: nil) != nil
    }
  }

  /// A Boolean value that indicates whether the command may name a group of timers.
  var takesGroup: Bool {
    switch self {
    case .edit, .rename, .note, .showFocus: false
    default: takesTimer
    }
  }

  /// Returns true if the command takes a duration and a text is one.
  func isDuration(_ text: String) -> Bool {
    valueKind == .duration && (try? DurationText.parse(text.filter { $0 != " " })) != nil
  }

  /// The form of the command: `more [TIMER] [DURATION]`.
  var usage: String {
    // The value is the new text of the selected timer, in place of the name of another one.
    if self == .edit { return "\(rawValue) [TIMER or TEXT]" }
    var words = [rawValue]
    if takesTimer { words.append("[TIMER]") }
    if let valueKind { words.append(needsValue ? valueKind.name : "[\(valueKind.name)]") }
    return words.joined(separator: " ")
  }

  /// One or two examples of the command with its arguments; `nil` if it takes none.
  var example: String? {
    switch self {
    case .add: "add tea=3m"
    case .edit: "edit tea, edit every 30s x8"
    case .filter: "filter paused"
    case .rename: "rename tea chai"
    case .note: "note tea two bags"
    case .moreTime, .lessTime: "\(rawValue) tea 1m, \(rawValue) 1m"
    case .interval: "interval sets 30s"
    case .theme: "theme light"
    case .sort: "sort name"
    case .digits: "digits round"
    case .scene: "scene debounce"
    default: takesTimer ? "\(rawValue) tea" : nil
    }
  }
}

extension RowOrder {
  /// The names of the orders: `board` for the board's own, or a sort column.
  static let names = ["board"] + columns.map(\.orderName)

  /// The name of the sort column, or `board`.
  var name: String { column?.orderName ?? "board" }

  init?(named name: String) {
    guard name != "board" else {
      self.init()
      return
    }
    guard let column = Self.columns.first(where: { $0.orderName == name }) else { return nil }
    self.init(column: column)
  }
}

extension TableColumns.Column {
  fileprivate var orderName: String {
    title.lowercased().split(separator: " ").first.map(String.init) ?? ""
  }
}

extension String {
  fileprivate var trimmed: String {
    String(drop { $0 == " " }).withoutTrailingSpaces
  }
}
