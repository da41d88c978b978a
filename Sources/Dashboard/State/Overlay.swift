/// An overlay over a view, which receives the keys.
enum Overlay: Sendable {
  case prompt(Prompt)
  /// The help, with the number of lines it is scrolled by, and the prompt that it covers.
  case help(Int, over: Prompt?)

  /// A line of text that the user types.
  enum Prompt: Sendable {
    case timers(TimerPrompt)
    case command(CommandPrompt)
    /// The filter of the view.
    case filter
  }

  /// The prompt, even if the help covers it.
  var prompt: Prompt? {
    switch self {
    case .prompt(let prompt): prompt
    case .help(_, let prompt): prompt
    }
  }
}

extension Dashboard {
  /// The number of lines by which the help is scrolled; `nil` while it is closed.
  var helpOffset: Int? {
    if case .help(let offset, _)? = overlay { offset } else { nil }
  }

  /// Opens the help, scrolls it, or closes it with `nil`.
  mutating func setHelpOffset(_ offset: Int?) {
    let prompt = overlay?.prompt
    overlay = offset.map { .help($0, over: prompt) } ?? prompt.map { .prompt($0) }
  }

  /// A Boolean value that indicates whether a prompt is open, even if the help covers it.
  var isTyping: Bool { overlay?.prompt != nil }

  var isTypingFilter: Bool { if case .filter? = overlay?.prompt { true } else { false } }

  /// The open prompt for timers. Changing it closes the help over it.
  var timerPrompt: TimerPrompt? {
    get { if case .timers(let prompt)? = overlay?.prompt { prompt } else { nil } }
    set { overlay = newValue.map { .prompt(.timers($0)) } }
  }

  /// The open prompt of the command palette. Changing it closes the help over it.
  var commandPrompt: CommandPrompt? {
    get { if case .command(let prompt)? = overlay?.prompt { prompt } else { nil } }
    set { overlay = newValue.map { .prompt(.command($0)) } }
  }

  /// Changes the text of the open prompt.
  mutating func edit(_ change: (inout LineEditor) -> Void) {
    switch overlay?.prompt {
    case .timers(var prompt)?:
      change(&prompt.editor)
      timerPrompt = prompt
    case .command(var prompt)?:
      change(&prompt.editor)
      commandPrompt = prompt
    case .filter?: editFilter(change)
    case nil: break
    }
  }
}
