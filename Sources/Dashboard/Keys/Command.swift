import TerminalCore
import TimerBoard

/// A parsed line of the command palette: an action and its argument.
struct Command {
  let action: Action
  let argument: String
  /// A Boolean value that indicates whether the command was given as `snooze`, which is for the timer with an alert.
  let isSnooze: Bool

  /// The words of the screen that stand for another command's name.
  static let synonyms: [String: Action] = [
    "snooze": .moreTime, "trigger": .fire, "demo": .showLab, "ack": .acknowledge,
    "bell": .mute, "sound": .mute,
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
    /// The arguments in an example, which can go on with a second one.
    var example = "tea"

    var takesTimer: Bool { target != .board }
  }

  /// The control of `carillon ctl` with the same name; `nil` if there is none.
  var verb: ControlVerb? { ControlVerb(rawValue: rawValue) }

  var form: Form {
    switch self {
    case .edit:
      return Form(target: .oneTimer, value: .timerSyntax, example: "tea, edit every 30s x8")
    case .filter: return Form(value: .text, example: "paused")
    case .theme: return Form(value: .theme, example: "light")
    case .sort: return Form(value: .column, example: "name")
    case .wall: return Form(value: .layout, example: "wall")
    case .scene: return Form(value: .scene, needsValue: true, example: "debounce")
    case .showFocus: return Form(target: .oneTimer)
    case .duplicate, .mark: return Form(target: .timers)
    default:
      guard let verb = verb?.form else {
        return Form(target: timerAction == nil ? .board : .timers)
      }
      return Form(
        target: verb.target, value: ValueKind(rawValue: verb.argument.rawValue),
        needsValue: verb.target != .board && verb.argument != .none && verb.action == nil,
        example: verb.example)
    }
  }

  /// The action that live timers perform without a value; `nil` if there is none.
  var timerAction: TimerAction? {
    switch self {
    case .fireAndPause: .fire(pausing: true)
    case .longerInterval: .stepInterval(longer: true)
    case .shorterInterval: .stepInterval(longer: false)
    case .moreIterations: .adjustIterations(by: 1)
    case .fewerIterations: .adjustIterations(by: -1)
    default: verb?.form.action
    }
  }

  /// An example with the arguments, or two.
  var example: String { "\(rawValue) \(form.example)" }

  /// A Boolean value that indicates whether an argument follows the name.
  var takesArgument: Bool { form.takesTimer || form.value != nil }

  /// Returns true if the command takes a duration and a text is one.
  func isDuration(_ text: String) -> Bool {
    form.value == .duration && (try? DurationText.parse(words: text)) != nil
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
