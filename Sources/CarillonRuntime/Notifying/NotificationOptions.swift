import TimerBoard

/// The settings of notifications: the table `[notify]`.
struct NotificationOptions: Hashable, Sendable {
  /// The form of notifications by the terminal.
  enum Terminal: String, CaseIterable, Sendable {
    /// The form that the terminal probably supports; off if notifications go to the desktop.
    case auto
    case osc9, osc777, off
  }

  /// Notifications by `notify-send`, or `osascript` on macOS.
  enum Desktop: String, CaseIterable, Sendable {
    /// On in a desktop session that is not remote.
    case auto
    case on, off
  }

  var usesBell = true
  var terminal = Terminal.auto
  var desktop = Desktop.auto
  var events: Set<TimerNotification.Event> = Set(TimerNotification.Event.allCases)
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
