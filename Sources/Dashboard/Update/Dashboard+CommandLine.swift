import TimerKit

extension Dashboard {
  mutating func performOnCommandLine(_ action: Action, at now: Moment) -> [Effect] {
    guard let text = command?.text else { return [] }
    switch action {
    case .accept: return runCommand(at: now)
    case .cancel: command = nil
    case .complete:
      let completions = completions
      command?.complete(with: completions)
    case .older:
      if let line = commandHistory.older(than: text) { command?.replace(with: line) }
    case .newer: if let line = commandHistory.newer() { command?.replace(with: line) }
    default: command?.perform(action)
    }
    return []
  }

  /// What the last word of the command line can be.
  var completions: [String] {
    guard let stem = command?.stem else { return [] }
    let words = stem.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    let word = words.last ?? ""
    guard words.count > 1 else { return Command.names.filter { $0.hasPrefix(word) } }
    guard words.count == 2, let action = Action(rawValue: words[0]) else { return [] }
    return choices(for: action).filter { $0.hasPrefix(word) }
  }

  /// What an action can be told, where that is one of a few words.
  private func choices(for action: Action) -> [String] {
    switch action.takes {
    case .theme: themes.map(\.name)
    case .column: RowOrder.names
    case .digits: DigitStyle.allCases.map(\.rawValue)
    case .nothing, .timers, .timer, .text, .duration: []
    }
  }

  private mutating func runCommand(at now: Moment) -> [Effect] {
    guard let text = command?.text, text.contains(where: { $0 != " " }) else {
      command = nil
      return []
    }
    do throws(Command.Fault) {
      let effects = try run(try Command(text), at: now)
      commandHistory.add(text)
      return effects
    } catch {
      command?.fault = error.text
      return []
    }
  }

  private mutating func run(_ line: Command, at now: Moment) throws(Command.Fault) -> [Effect] {
    let (action, argument) = (line.action, line.argument)
    let outer = screenScope
    guard outer.chain.contains(where: { $0.actions.contains(action) }) else {
      let homes = Binding.Scope.allCases.filter { $0.actions.contains(action) && $0 != .help }
      throw Command.Fault(
        text: "\(action.rawValue) means nothing here, but in: "
          + homes.map(\.rawValue).joined(separator: ", "))
    }
    if !argument.isEmpty { return try run(action, argument, at: now) }
    command = nil
    return perform(action, in: outer.owner(of: action), at: now)
  }

  private mutating func run(
    _ action: Action, _ argument: String, at now: Moment
  ) throws(Command.Fault) -> [Effect] {
    switch action.takes {
    case .nothing: break
    case .timers: return type(argument, in: Prompt(.add, in: timerContext(at: now)), at: now)
    case .timer:
      guard let row = selectedRow else { throw Command.Fault(text: "no timer is here to edit") }
      return type(
        argument, in: Prompt(.edit(row.id), in: timerContext(for: row, at: now)), at: now)
    case .text:
      command = nil
      perform(filter: argument)
    case .duration:
      let amount: Duration
      do throws(DurationSyntaxError) {
        amount = try DurationText.parse(argument)
      } catch {
        throw Command.Fault(text: "\(argument): \(error.problem.message)")
      }
      command = nil
      return ask(action, by: amount, at: now)
    case .theme:
      let theme = try choice(argument, for: action, of: themes) { $0.name }
      command = nil
      use(theme)
    case .column:
      let name = try choice(argument, for: action, of: RowOrder.names) { $0 }
      command = nil
      order(by: RowOrder(named: name) ?? RowOrder())
    case .digits:
      let style = try choice(argument, for: action, of: DigitStyle.allCases) { $0.rawValue }
      command = nil
      digitStyle = style
    }
    return []
  }

  private func choice<Value>(
    _ name: String, for action: Action, of values: [Value], _ nameOf: (Value) -> String
  ) throws(Command.Fault) -> Value {
    if let value = values.first(where: { nameOf($0) == name }) { return value }
    let names = values.map(nameOf)
    let nearest = Spelling.nearest(to: name, of: names).map { "did you mean “\($0)”?" }
    throw Command.Fault(
      text: "\(action.rawValue) “\(name)”: "
        + (nearest ?? "there are \(names.joined(separator: ", "))"))
  }

  /// As if it were typed in the prompt, which stays open where something is wrong with it.
  private mutating func type(_ text: String, in prompt: Prompt, at now: Moment) -> [Effect] {
    command = nil
    self.prompt = prompt
    self.prompt?.insert(text)
    return performInPrompt(.accept, at: now)
  }

  private mutating func perform(filter text: String) {
    if screen == .log {
      logView.filter = Filter(editor: LineEditor(text))
    } else {
      list.origin = nil
      list.filter = Filter(editor: LineEditor(text))
    }
    filterChanged()
  }
}
