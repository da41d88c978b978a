import TimerBoard

/// How a person wants to be told of what happened while they look elsewhere: the table `[notify]`.
struct NotificationOptions: Hashable, Sendable {
  /// By a message of the terminal's own, outside the screen.
  enum Terminal: String, CaseIterable, Sendable {
    /// In the form that the terminal probably knows, where the desktop is not told.
    case auto
    case osc9, osc777, off
  }

  /// By `notify-send`.
  enum Desktop: String, CaseIterable, Sendable {
    /// Where there is a desktop and the person sits at it.
    case auto
    case on, off
  }

  var usesBell = true
  var terminal = Terminal.auto
  var desktop = Desktop.auto
  var events: Set<TimerNotification.Event> = [.finished, .ring, .failed]
}

extension NotificationOptions {
  init(_ table: ConfigurationTable) throws(ConfigurationFault) {
    try table.check(known: ["mute", "bell", "terminal", "desktop", "on"])
    usesBell = try table.bool("bell") ?? usesBell
    if let word = try table.choice("terminal", of: Terminal.allCases.map(\.rawValue)) {
      terminal = Terminal(rawValue: word) ?? terminal
    }
    if let word = try table.choice("desktop", of: Desktop.allCases.map(\.rawValue)) {
      desktop = Desktop(rawValue: word) ?? desktop
    }
    if let words = try table.choices("on", of: TimerNotification.Event.allCases.map(\.rawValue)) {
      events = Set(words.compactMap(TimerNotification.Event.init))
    }
  }
}
