import TimerBoard

/// The argument of a command: the timers that it names, if any, and its value.
struct CommandArgument {
  /// The timers that are named; `nil` if none is.
  private(set) var namedTimers: [TimerID]?
  /// The named timers, or else the marked ones or the selected one; `nil` for a command that takes no timer. A command for
  /// one timer takes no marked ones.
  private(set) var targets: [TimerID]?
  /// The value, which is valid unless it is in the timer syntax.
  private(set) var value: String?

  init(_ command: Command, in dashboard: Dashboard) throws(ControlRefusal) {
    let action = command.action
    let form = action.form
    var text = command.argument
    if form.takesTimer {
      // A duration is the value, even if a timer or a group has it as its name.
      if !action.isDuration(text),
        let (ids, rest) = dashboard.timers(in: text, allowsGroup: form.target == .timers)
      {
        // In `edit tea 4m` the whole text is the new text of the selected timer, even if there is a timer `tea`.
        if rest.isEmpty || form.value != .timerSyntax { (namedTimers, text) = (ids, rest) }
      }
      if command.isSnooze, namedTimers == nil {
        namedTimers = dashboard.alertingRow.map { [$0.id] }
      }
      let selected = [dashboard.selectedRow].compactMap { $0?.id }
      targets = namedTimers ?? (form.target == .oneTimer ? selected : dashboard.targets)
    }
    guard text.isEmpty else {
      // A misspelled name would become a part of the new name or note of the selected timer.
      if form.value == .text, form.takesTimer, namedTimers == nil,
        let blank = text.firstIndex(of: " ")
      {
        let word = String(text[..<blank])
        let labels = dashboard.rows.all.map(\.label)
        if Suggestion.nearest(to: word, of: labels) != nil {
          throw Self.unknownTimer(word, for: action, in: dashboard)
        }
      }
      value = try Self.value(text, of: action, in: dashboard)
      return
    }
    guard form.needsValue else { return }
    throw ControlRefusal(
      "'\(action.rawValue)' needs a \(form.value?.rawValue ?? "")"
        + " (such as '\(action.example)')")
  }

  private static func value(
    _ text: String, of action: Action, in dashboard: Dashboard
  ) throws(ControlRefusal) -> String {
    switch action.form.value {
    case .timerSyntax, .text: return text
    case .duration:
      do throws(TimeSyntaxError) {
        return DurationText.text(try DurationText.parse(words: text))
      } catch {
        // A text that begins with a letter is a name, or a name and an invalid duration.
        guard text.first?.isLetter ?? false else {
          throw ControlRefusal("'\(text)': \(error.message)")
        }
        let end = text.lastIndex(of: " ") ?? text.endIndex
        throw unknownTimer(String(text[..<end]), for: action, in: dashboard)
      }
    case .theme, .column, .layout, .scene:
      let names = dashboard.values(of: action)?.all.map(\.name) ?? []
      guard !names.contains(text) else { return text }
      let nearest = Suggestion.hint(for: text, of: names)
      throw ControlRefusal(
        "unknown \(action.form.value?.rawValue ?? "") '\(text)' "
          + "(\(nearest ?? "expected \(names.joined(separator: ", "))"))")
    case nil: throw unknownTimer(text, for: action, in: dashboard)
    }
  }

  private static func unknownTimer(
    _ name: String, for action: Action, in dashboard: Dashboard
  ) -> ControlRefusal {
    let noun = action.form.target == .timers ? "timer or group" : "timer"
    let groups = action.form.target == .timers ? dashboard.rows.groups.sorted() : []
    let nearest = Suggestion.hint(for: name, of: dashboard.rows.all.map(\.label) + groups)
    return ControlRefusal(
      "unknown \(noun) '\(name)' (\(nearest ?? "expected a \(noun) of the board"))")
  }
}
