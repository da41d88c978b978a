/// An overlay over a view, which receives the keys.
enum Overlay: Sendable {
  case entry(TextEntry)
  /// The help, with the number of lines it is scrolled by, and the text entry that it covers.
  case help(Int, over: TextEntry?)

  /// A text entry.
  enum TextEntry: Sendable {
    case timers(TimerPrompt)
    case command(CommandPrompt)
    /// The filter of the view.
    case filter
  }

  var entry: TextEntry? {
    switch self {
    case .entry(let entry): entry
    case .help(_, let entry): entry
    }
  }
}

extension Dashboard {
  /// The number of lines by which the help is scrolled; `nil` while it is closed.
  var help: Int? {
    if case .help(let offset, _)? = overlay { offset } else { nil }
  }

  /// Opens the help, scrolls it, or closes it with `nil`.
  mutating func setHelp(_ offset: Int?) {
    let entry = overlay?.entry
    overlay = offset.map { .help($0, over: entry) } ?? entry.map { .entry($0) }
  }

  /// A Boolean value that indicates whether a text entry is open, even if the help covers it.
  var isTyping: Bool { overlay?.entry != nil }

  var isTypingFilter: Bool { if case .filter? = overlay?.entry { true } else { false } }

  var prompt: TimerPrompt? {
    if case .timers(let prompt)? = overlay?.entry { prompt } else { nil }
  }

  var command: CommandPrompt? {
    if case .command(let command)? = overlay?.entry { command } else { nil }
  }

  mutating func changePrompt(_ change: (inout TimerPrompt) -> Void) {
    guard var prompt else { return }
    change(&prompt)
    overlay = .entry(.timers(prompt))
  }

  mutating func changeCommand(_ change: (inout CommandPrompt) -> Void) {
    guard var command else { return }
    change(&command)
    overlay = .entry(.command(command))
  }
}
