import TerminalCore
import TimerBoard

/// The keys while a timer has an alert.
extension Dashboard {
  /// The timer whose alert is the band, by priority: the selected timer if it waits, the timer with the newest
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
    case snooze = "5 min more"
    case start
    case restart = "again"
    case acknowledge = "done"
  }

  /// Returns the effect of an action while a timer has an alert; `nil` for the usual one.
  func alertResponse(to action: Action, at now: ClockReading) -> AlertResponse? {
    guard let row = alertingRow else { return nil }
    switch action {
    case .moreTime where row.canBeSnoozed(at: now): return .snooze
    case .startOrPause where row.standsReady: return .start
    case .restart: return .restart
    // Esc clears the filter first, as the message line says.
    case .dismiss where !listState.filter.isEmpty: return nil
    case .pauseAll, .delete, .dismiss: return .acknowledge
    default: return action.timerAction == nil ? nil : .acknowledge
    }
  }

  /// Returns true if a key answers an alert in every view, even if the view or the help has another action for it: a key
  /// that pauses on the board. In a prompt it types.
  func acknowledgesFirst(_ key: Key) -> Bool {
    !isTyping && bindings.action(for: key, in: .board) == .startOrPause
  }

  /// Returns the name of the first key that performs an action of the board during an alert; empty if none does.
  func alertKeyName(of action: Action) -> String {
    action == .startOrPause && !isTyping
      ? bindings.keyName(of: action, in: .board, symbols)
      : keyName(of: action, in: .board, from: scope)
  }

  /// Performs an action during an alert. ``Action/moreTime`` snoozes a finished timer, ``Action/startOrPause`` starts a
  /// waiting one, and ``Action/restart`` restarts the timer. Other actions that would control or delete a timer only
  /// acknowledge, so that nothing is paused by accident; so does Esc.
  /// - Returns: False if the action has its usual effect.
  mutating func respondToAlert(with action: Action, at now: ClockReading) -> Bool {
    guard let row = alertingRow, let response = alertResponse(to: action, at: now) else {
      return false
    }
    switch response {
    case .snooze: perform(.control(.adjustTime(.more), [row.id]), at: now)
    case .start:
      perform(.acknowledge, at: now)
      perform(.control(.start, [row.id]), at: now)
    case .restart:
      // Unlike the alert of an end, that of a fire does not end with the restart.
      if row.alert?.cause == .fired { perform(.acknowledge, at: now) }
      perform(.control(.reset(restart: true), [row.id]), at: now)
    case .acknowledge: acknowledge(row, by: action, at: now)
    }
    return true
  }

  private mutating func acknowledge(_ row: BoardTimer, by action: Action, at now: ClockReading) {
    if row.standsReady, action == .dismiss {
      perform(.dismiss(row.id), at: now)
      notice = .success("\(row.label): left paused")
      return
    }
    let others = rows.alertCount - rows.readyCount - 1
    // As the row shows it now: the acknowledgement ends the overtime.
    let time =
      (row.countsOvertime ? timeText(of: row, at: now) : nil).map { " at \($0)" } ?? ""
    perform(.acknowledge, at: now)
    if row.standsReady {
      // The timer still waits: only a start, a restart or Esc ends that.
      let hints = [
        keyHint(for: .startOrPause, in: .board, "starts it"),
        listState.filter.isEmpty
          ? keyHint(for: .dismiss, in: .board, "leaves it paused") : nil,
      ].compactMap { $0 }.joined(separator: ", ")
      notice = .success("\(row.label): ready" + (hints.isEmpty ? "" : "; \(hints)"))
      return
    }
    let rest = others > 0 ? "; \(counted(others, "other")) too" : ""
    notice = .success("\(row.label): acknowledged\(time)\(rest)")
  }
}
