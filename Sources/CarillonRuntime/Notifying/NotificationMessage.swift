import TerminalCore
import TimerBoard

/// A message that combines notifications of about the same time.
struct NotificationMessage: Hashable, Sendable {
  var title: String
  var text: String

  /// - Parameter droppedCount: The number of further notifications, which the message only counts.
  init(_ notifications: [TimerNotification], droppedCount: Int = 0) {
    if let only = notifications.first, notifications.count == 1, droppedCount == 0 {
      title = only.timer
      text = only.text
    } else {
      title = "carillon: \(notifications.count + droppedCount) timers"
      text = notifications.map { "\($0.timer) \($0.text)" }.joined(separator: " · ")
    }
    title = title.plainLine(maxBytes: 60)
    text = text.plainLine(maxBytes: 160)
    if title.isEmpty { title = "carillon" }
  }
}
