import TimerBoard
import TimerKit

extension Dashboard {
  mutating func performOnCommandLine(_ action: Action, at now: ClockReading) -> [Effect] {
    guard let text = command?.text else { return [] }
    switch action {
    case .accept: return runCommand(at: now)
    case .cancel: overlay = nil
    case .complete:
      let completions = completions
      changeCommand { $0.complete(with: completions) }
    case .older:
      if let line = commandHistory.older(than: text) { changeCommand { $0.replace(with: line) } }
    case .newer:
      if let line = commandHistory.newer() { changeCommand { $0.replace(with: line) } }
    default: changeCommand { $0.perform(action) }
    }
    return []
  }

  /// The completions of the last word of the command line.
  var completions: [String] {
    guard let stem = command?.stem else { return [] }
    let words = stem.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    let word = words.last ?? ""
    guard words.count > 1 else { return Command.names.filter { $0.hasPrefix(word) } }
    guard words.count == 2, let action = Action(rawValue: words[0]) else { return [] }
    return choices(for: action).filter { $0.hasPrefix(word) }
  }

  /// Returns the values of an action's argument if they can be listed; otherwise an empty array.
  private func choices(for action: Action) -> [String] {
    switch action.takes {
    case .theme: themes.map(\.name)
    case .column: RowOrder.names
    case .digits: DigitStyle.allCases.map(\.rawValue)
    case .nothing, .timers, .timer, .text, .duration: []
    }
  }

  private mutating func runCommand(at now: ClockReading) -> [Effect] {
    guard let text = command?.text, text.contains(where: { $0 != " " }) else {
      overlay = nil
      return []
    }
    do throws(Command.Fault) {
      let effects = try run(try Command(text), at: now)
      commandHistory.add(text)
      return effects
    } catch {
      changeCommand { $0.fault = error.text }
      return []
    }
  }

  private mutating func run(_ line: Command, at now: ClockReading) throws(Command.Fault) -> [Effect]
  {
    let (action, argument) = (line.action, line.argument)
    let outer = screenScope
    guard outer.chain.contains(where: { $0.actions.contains(action) }) else {
      let scopes = Binding.Scope.allCases.filter { $0.actions.contains(action) && $0 != .help }
      throw Command.Fault(
        text: "'\(action.rawValue)' is not available here (expected in "
          + scopes.map(\.rawValue).joined(separator: ", ") + ")")
    }
    if !argument.isEmpty { return try run(action, argument, at: now) }
    overlay = nil
    return perform(action, in: outer.owner(of: action), at: now)
  }

  private mutating func run(
    _ action: Action, _ argument: String, at now: ClockReading
  ) throws(Command.Fault) -> [Effect] {
    switch action.takes {
    case .nothing: break
    case .timers: return type(argument, in: Prompt(.add, in: timerContext(at: now)), at: now)
    case .timer:
      guard let row = selectedRow else { throw Command.Fault(text: "no timer to edit") }
      let prompt = Prompt(.edit(row.id), in: timerContext(for: row, at: now))
      return type(argument, in: prompt, at: now)
    case .text where action == .filter:
      overlay = nil
      perform(filter: argument)
    case .text: return try change(action, to: argument, at: now)
    case .duration:
      let amount: Duration
      do throws(DurationSyntaxError) {
        amount = try DurationText.parse(argument)
      } catch {
        throw Command.Fault(text: "'\(argument)': \(error.problem.message)")
      }
      overlay = nil
      return control(action, by: amount, at: now)
    case .theme:
      let theme = try choice(argument, for: action, of: themes) { $0.name }
      overlay = nil
      use(theme)
    case .column:
      let name = try choice(argument, for: action, of: RowOrder.names) { $0 }
      overlay = nil
      order(by: RowOrder(named: name) ?? RowOrder())
    case .digits:
      let style = try choice(argument, for: action, of: DigitStyle.allCases) { $0.rawValue }
      overlay = nil
      digitStyle = style
    }
    return []
  }

  /// Changes the name or the note of the selected timer.
  private mutating func change(
    _ action: Action, to text: String, at now: ClockReading
  ) throws(Command.Fault) -> [Effect] {
    guard let row = selectedRow else { throw Command.Fault(text: "no timer to change") }
    var spec = row.spec
    if action == .rename { spec.name = text } else { spec.note = text }
    guard spec.isReadable else {
      throw Command.Fault(text: "invalid \(action == .rename ? "name" : "note") '\(text)'")
    }
    overlay = nil
    return perform(.edit(row.id, spec), at: now)
  }

  private func choice<Value>(
    _ name: String, for action: Action, of values: [Value], _ nameOf: (Value) -> String
  ) throws(Command.Fault) -> Value {
    if let value = values.first(where: { nameOf($0) == name }) { return value }
    let names = values.map(nameOf)
    let nearest = Suggestion.nearest(to: name, of: names).map { "did you mean '\($0)'?" }
    throw Command.Fault(
      text: "unknown \(action.rawValue) '\(name)' "
        + "(\(nearest ?? "expected \(names.joined(separator: ", "))"))")
  }

  /// Inserts a text into the prompt and accepts it. The prompt stays open if the text is invalid.
  private mutating func type(_ text: String, in prompt: Prompt, at now: ClockReading) -> [Effect] {
    overlay = .entry(.timers(prompt))
    changePrompt { $0.insert(text) }
    return performInPrompt(.accept, at: now)
  }

  private mutating func perform(filter text: String) {
    if screen == .history {
      historyFilter = Filter(LineEditor(text))
    } else if screen == .log {
      logView.filter = Filter(LineEditor(text))
    } else {
      list.origin = nil
      list.filter = Filter(LineEditor(text))
    }
    filterChanged()
  }
}
