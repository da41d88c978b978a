import TerminalCore
import TimerBoard

/// One message for everything that happened at about the same time.
struct NotificationMessage: Hashable, Sendable {
  var title: String
  var text: String

  /// - Parameter leftOut: how many there are besides.
  init(_ notifications: [TimerNotification], leftOut: Int = 0) {
    if let only = notifications.first, notifications.count == 1, leftOut == 0 {
      title = only.timer
      text = only.text
    } else {
      title = "carillon: \(notifications.count + leftOut) timers"
      text = notifications.map { "\($0.timer) \($0.text)" }.joined(separator: " · ")
    }
    title = title.plainLine(maxBytes: 60)
    text = text.plainLine(maxBytes: 160)
    if title.isEmpty { title = "carillon" }
  }

  /// `notify-send` with its arguments. The desktop takes the text for markup, and `notify-send`
  /// itself takes a backslash in it for the begin of an escape.
  var desktopCommand: [String] {
    ["notify-send", "--app-name=carillon", "--", title, escapedText]
  }

  private var escapedText: String {
    text.escapedForMarkup.replacing("\\", with: "\\\\")
  }
}
