import TerminalCore
import TimerBoard
import TimerKit

/// The keys while a timer has an alert.
extension Dashboard {
  /// The timer whose alert the header shows, by priority: the selected timer if it waits, the timer with the newest
  /// alert if it waits, the selected timer if it has an alert, the timer with the newest alert.
  var alertingRow: BoardTimer? {
    guard rows.alertCount > 0 else { return nil }
    if let row = selectedRow, row.standsReady { return row }
    let newest = board.timerWithNewestAlert
    // A key starts a waiting timer, so its alert comes before those that are only acknowledged.
    if newest?.standsReady == true { return newest }
    if let row = selectedRow, row.alert != nil { return row }
    return newest
  }

  /// The effect of an action while a timer has an alert. The raw value is its label.
  enum AlertResponse: String {
    case snooze, start, restart, acknowledge
  }

  /// Returns the effect of an action while a timer has an alert; `nil` for the usual one.
  func alertResponse(to action: Action, at now: ClockReading) -> AlertResponse? {
    guard let row = alertingRow else { return nil }
    switch action {
    case .moreTime where row.canBeSnoozed(at: now): return .snooze
    case .startOrPause where row.standsReady: return .start
    case .restart: return .restart
    case .pauseAll, .delete, .undo, .redo, .dismiss: return .acknowledge
    default: return TimerAction(action, amount: nil) == nil ? nil : .acknowledge
    }
  }

  /// Performs an action during an alert. ``Action/moreTime`` snoozes a finished timer, ``Action/startOrPause`` starts a
  /// waiting one, and ``Action/restart`` restarts the timer. Other actions that would control or delete a timer only
  /// acknowledge, so that nothing is paused by accident; so do undo, redo and Esc.
  /// - Returns: False if the action has its usual effect.
  mutating func respondToAlert(with action: Action, at now: ClockReading) -> Bool {
    guard let row = alertingRow, let response = alertResponse(to: action, at: now) else {
      return false
    }
    switch response {
    case .snooze: perform(.control(.adjustTime(.more), [row.id]), at: now)
    case .start:
      perform(.acknowledgeAllButWaiting, at: now)
      perform(.control(.start, [row.id]), at: now)
    case .restart: perform(.control(.reset(restart: true), [row.id]), at: now)
    case .acknowledge: acknowledge(row, by: action, at: now)
    }
    return true
  }

  private mutating func acknowledge(_ row: BoardTimer, by action: Action, at now: ClockReading) {
    if row.standsReady, action != .dismiss {
      // The timer still waits: only a start, a restart or Esc ends that.
      perform(.acknowledgeAllButWaiting, at: now)
      let hints = [
        keyHint(for: .startOrPause, in: .board, "starts it"),
        keyHint(for: .dismiss, in: .board, "leaves it paused"),
      ].compactMap { $0 }.joined(separator: ", ")
      notice = .success("\(row.label): ready" + (hints.isEmpty ? "" : "; \(hints)"))
      return
    }
    let others = rows.alertCount - 1
    perform(.acknowledge, at: now)
    let time =
      row.overtimeOrigin.flatMap { _ in timeText(of: row, at: now) }.map { " at \($0)" } ?? ""
    let rest = others > 0 ? "; \(counted(others, "other")) too" : ""
    notice = .success("\(row.label): acknowledged\(time)\(rest)")
  }
}
