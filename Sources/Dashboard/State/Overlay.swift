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

  var timerPrompt: TimerPrompt? {
    if case .timers(let prompt)? = overlay?.prompt { prompt } else { nil }
  }

  var commandPrompt: CommandPrompt? {
    if case .command(let prompt)? = overlay?.prompt { prompt } else { nil }
  }

  mutating func changeTimerPrompt(_ change: (inout TimerPrompt) -> Void) {
    guard var prompt = timerPrompt else { return }
    change(&prompt)
    overlay = .prompt(.timers(prompt))
  }

  mutating func changeCommandPrompt(_ change: (inout CommandPrompt) -> Void) {
    guard var prompt = commandPrompt else { return }
    change(&prompt)
    overlay = .prompt(.command(prompt))
  }
}
