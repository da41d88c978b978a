import TimerBoard

/// The settings of notifications: the table `[notify]`.
struct NotificationOptions: Hashable, Sendable {
  /// The terminal's own message, outside the screen.
  enum Terminal: String, CaseIterable, Sendable {
    /// In the form that the terminal probably knows, where no message goes to the desktop.
    case auto
    case osc9, osc777, off
  }

  /// A message by `notify-send`, or `osascript` on macOS.
  enum Desktop: String, CaseIterable, Sendable {
    /// On where there is a desktop and the person sits at it.
    case auto
    case on, off
  }

  var usesBell = true
  var terminal = Terminal.auto
  var desktop = Desktop.auto
  var events: Set<TimerNotification.Event> = [.finished, .ring, .failed]
}

extension NotificationOptions {
  /// Reads the table `[notify]`.
  mutating func read(_ table: ConfigurationTable) {
    usesBell = table.bool("bell") ?? usesBell
    terminal = table.choice("terminal", of: Terminal.allCases, named: \.rawValue) ?? terminal
    desktop = table.choice("desktop", of: Desktop.allCases, named: \.rawValue) ?? desktop
    if let chosen = table.choices("on", of: TimerNotification.Event.allCases, named: \.rawValue) {
      events = Set(chosen)
    }
  }
}
