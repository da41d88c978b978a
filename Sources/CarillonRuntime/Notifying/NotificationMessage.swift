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
      let count = notifications.count + droppedCount
      title = "carillon: \(counted(count, "notification"))"
      text = notifications.map { "\($0.timer) \($0.text)" }.joined(separator: " · ")
    }
    title = title.plainLine(maxBytes: 60)
    text = text.plainLine(maxBytes: 160)
    if title.isEmpty { title = "carillon" }
  }
}
