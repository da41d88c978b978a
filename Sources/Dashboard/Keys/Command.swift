import TerminalCore
import TimerBoard
import TimerKit

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
    return Set(scopes.flatMap(\.actions)).subtracting([.commandPalette])
  }()

  static let names = actions.map(\.rawValue).sorted()

  /// Parses a line. A name may be shortened as long as it is unique.
  init(_ line: String) throws(ControlRefusal) {
    let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
    action = try Self.action(named: parts.first ?? "")
    isSnooze = parts.first == "snooze"
    argument = parts.count > 1 ? String(parts[1].drop { $0 == " " }).withoutTrailingSpaces : ""
    guard argument.isEmpty || action.takesArgument else {
      throw ControlRefusal("'\(action.rawValue)' takes no argument")
    }
  }

  /// Returns the action with a name or a synonym.
  static func exactAction(named name: String) -> Action? {
    Action(rawValue: name).flatMap { actions.contains($0) ? $0 : nil } ?? synonyms[name]
  }

  /// Returns the action with a name or a synonym, or the only one whose name begins with it.
  static func action(named name: String) throws(ControlRefusal) -> Action {
    if let action = exactAction(named: name) { return action }
    let matches = names.filter { $0.hasPrefix(name) }
    guard let action = matches.first.flatMap(Action.init) else {
      let hint = Suggestion.hint(for: name, of: names) ?? "expected a command of the palette"
      throw ControlRefusal("unknown command '\(name)' (\(hint))")
    }
    guard matches.count == 1 else {
      throw ControlRefusal(
        "ambiguous command '\(name)' (expected \(matches.joined(separator: ", ")))")
    }
    return action
  }
}

extension Action {
  /// The kind of value that a command takes; the raw value names it.
  enum ValueKind: String {
    case timerSyntax = "timer"
    case text, duration, theme, column, layout, scene
  }

  /// The arguments of a command.
  struct Form {
    /// The timers that it may name before its value. `edit` names one in place of its value.
    var target = ControlVerb.Target.board
    /// The kind of its value; `nil` if it takes none.
    var value: ValueKind?
    /// A Boolean value that indicates whether it has no meaning without its value.
    var needsValue = false
    /// One or two examples with the arguments.
    var example: String?

    var takesTimer: Bool { target != .board }
  }

  var form: Form {
    switch self {
    case .add: return Form(value: .timerSyntax, example: "add tea=3m")
    case .edit:
      return Form(target: .oneTimer, value: .timerSyntax, example: "edit tea, edit every 30s x8")
    case .filter: return Form(value: .text, example: "filter paused")
    case .rename:
      return Form(target: .oneTimer, value: .text, needsValue: true, example: "rename tea chai")
    case .note:
      return Form(target: .oneTimer, value: .text, needsValue: true, example: "note tea two bags")
    case .moreTime, .lessTime:
      let example = "\(rawValue) tea 1m, \(rawValue) 1m"
      return Form(target: .timers, value: .duration, example: example)
    case .interval:
      return Form(target: .timers, value: .duration, needsValue: true, example: "interval sets 30s")
    case .theme: return Form(value: .theme, example: "theme light")
    case .sort: return Form(value: .column, example: "sort name")
    case .wall: return Form(value: .layout, example: "layout wall")
    case .scene: return Form(value: .scene, needsValue: true, example: "scene debounce")
    case .showFocus: return Form(target: .oneTimer, example: "focus tea")
    default:
      let appliesToTimers =
        self == .duplicate || self == .delete || self == .mark
        || TimerAction(self, amount: nil) != nil
      return appliesToTimers ? Form(target: .timers, example: "\(rawValue) tea") : Form()
    }
  }

  /// A Boolean value that indicates whether an argument follows the name.
  var takesArgument: Bool { form.takesTimer || form.value != nil }

  /// Returns true if the command takes a duration and a text is one.
  func isDuration(_ text: String) -> Bool {
    form.value == .duration && (try? DurationText.parse(text.filter { $0 != " " })) != nil
  }

  /// The form of the command: `more [TIMER] [DURATION]`.
  var usage: String {
    // The value is the new text of the selected timer, in place of the name of another one.
    if self == .edit { return "\(rawValue) [TIMER or TEXT]" }
    var words = [rawValue]
    let form = form
    if form.takesTimer { words.append("[TIMER]") }
    if let value = form.value?.rawValue.uppercased() {
      words.append(form.needsValue ? value : "[\(value)]")
    }
    return words.joined(separator: " ")
  }
}

extension RowOrder: LosslessStringConvertible {
  /// The names of the orders: `board` for the board's own, or a sort column.
  static let names = ["board"] + columns.map(\.orderName)

  /// The name of the sort column, or `board`.
  var description: String { column?.orderName ?? "board" }

  init?(_ name: String) {
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
