import TimerBoard
import TimerKit

/// The argument of a command: the timers that it names, if any, and its value.
struct CommandArgument {
  enum Value: Hashable {
    case timers(String)
    case text(String)
    case duration(Duration)
    /// One of the values that the command lists.
    case choice(String)
  }

  /// The timers that are named; `nil` if none is.
  private(set) var named: [TimerID]?
  /// The timers to which the command applies; `nil` if it applies to none.
  private(set) var targets: [TimerID]?
  private(set) var value: Value?

  init(_ command: Command, in dashboard: Dashboard) throws(CommandError) {
    let action = command.action
    var text = command.argument
    if action.takesTimer {
      // A timer without a name may have a duration as its label.
      if !action.isDuration(text),
        let (ids, rest) = dashboard.timers(in: text, allowsGroup: action.takesGroup)
      {
        // New timers may begin with the name of an existing one: `edit tea 4m`.
        if rest.isEmpty || action.value != .timers { (named, text) = (ids, rest) }
      }
      targets = named ?? dashboard.targets
    }
    guard text.isEmpty else {
      if action.value == .text, named == nil, let blank = text.firstIndex(of: " ") {
        let word = String(text[..<blank])
        let labels = dashboard.rows.all.map(\.label)
        if Suggestion.nearest(to: word, of: labels) != nil {
          throw Self.unknownTimer(word, in: dashboard)
        }
      }
      value = try Self.value(text, of: action, in: dashboard)
      return
    }
    guard action.needsValue else { return }
    throw CommandError(
      text: "'\(action.rawValue)' needs a \(action.value?.noun ?? "")"
        + (action.example.map { " (such as \($0))" } ?? ""))
  }

  private static func value(
    _ text: String, of action: Action, in dashboard: Dashboard
  ) throws(CommandError) -> Value {
    switch action.value {
    case .timers: return .timers(text)
    case .text: return .text(text)
    case .duration:
      do throws(DurationSyntaxError) {
        return .duration(try DurationText.parse(text.filter { $0 != " " }))
      } catch {
        // A word before the last one is the name of a timer.
        guard let blank = text.lastIndex(of: " "), text.first?.isLetter ?? false else {
          throw text.first?.isLetter ?? false
            ? unknownTimer(text, in: dashboard)
            : CommandError(text: "'\(text)': \(error.problem.message)")
        }
        throw unknownTimer(String(text[..<blank]), in: dashboard)
      }
    case .theme, .column, .digits, .scene:
      let names = dashboard.choices(of: action)?.all.map(\.name) ?? []
      guard !names.contains(text) else { return .choice(text) }
      let nearest = Suggestion.hint(for: text, of: names)
      throw CommandError(
        text: "unknown \(action.value?.noun ?? "") '\(text)' "
          + "(\(nearest ?? "expected \(names.joined(separator: ", "))"))")
    case nil: throw unknownTimer(text, in: dashboard)
    }
  }

  private static func unknownTimer(_ name: String, in dashboard: Dashboard) -> CommandError {
    let labels = dashboard.rows.all.map(\.label) + dashboard.rows.groups.sorted()
    let expected = Suggestion.hint(for: name, of: labels)
    return CommandError(
      text:
        "unknown timer or group '\(name)' (\(expected ?? "expected a timer or group of the board"))"
    )
  }
}

extension Action.Value {
  fileprivate var noun: String {
    switch self {
    case .timers: "timer"
    case .text: "text"
    case .duration: "duration"
    case .theme: "theme"
    case .column: "column"
    case .digits: "digit style"
    case .scene: "scene"
    }
  }
}
