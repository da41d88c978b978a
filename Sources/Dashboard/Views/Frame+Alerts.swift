import TerminalCore
import TimerBoard
import TimerKit

/// Alerts: the name of a timer that needs attention blinks until it is acknowledged. After a minute it stays
/// highlighted, so that an unattended screen is not redrawn.
extension Frame {
  private static let blinkInterval: Int64 = 500_000_000
  private static let blinkLimit: Int64 = 120

  /// Returns true if the name of a timer is highlighted at this instant.
  func showsAlert(of row: BoardTimer) -> Bool {
    guard row.needsAttention else { return false }
    return blinkIndex.map { $0 >= Self.blinkLimit || $0 % 2 == 0 } ?? true
  }

  /// Returns the alert of a timer for the header: `tea +1:22 over  Space acknowledge  + snooze  r restart`.
  func alertText(of row: BoardTimer, hasKeys: Bool) -> TextLine {
    var line = TextLine()
    line.add(row.label.truncated(to: hasKeys ? 20 : 12), .alert)
    if row.overtimeOrigin != nil {
      line.add(" \(dashboard.timeText(of: row, at: now) ?? "")")
      line.add(" over", .faint)
    } else {
      line.add(Self.alertWord(for: row), .faint)
    }
    let others = dashboard.rows.alertCount - 1
    if others > 0 { line.add(", \(others) more", .faint) }
    guard hasKeys else { return line }
    for action in [Action.startOrPause, .moreTime, .restart] {
      // Views, prompts and the help can have other actions on the same keys.
      let key = dashboard.alertKeyName(of: action)
      guard !key.isEmpty, let response = dashboard.alertResponse(to: action, at: now),
        action == .startOrPause || response != .acknowledge
      else { continue }
      line.add("  ")
      line.add(key, .key)
      line.add(" \(response.rawValue)", .faint)
    }
    return line
  }

  private static func alertWord(for row: BoardTimer) -> String {
    switch row.alert?.cause {
    case .standsReady?: (row.status.phaseName.map { " \($0)" } ?? "") + " ready"
    case .fired?: " fired"
    case .finished?, nil: " finished"
    }
  }

  /// Returns the instant at which a row next blinks; `nil` if it does not.
  func nextBlink(of row: BoardTimer) -> TimerClock.Instant? {
    guard row.needsAttention, let blinkIndex, blinkIndex < Self.blinkLimit,
      let since = dashboard.board.newestAlertStart
    else { return nil }
    // The index before the limit is odd, so the last change highlights the name.
    return since.advanced(by: .nanoseconds((blinkIndex + 1) * Self.blinkInterval))
  }

  /// The number of blink intervals since the newest alert; `nil` if nothing blinks.
  private var blinkIndex: Int64? {
    guard !dashboard.options.reducesMotion, let since = dashboard.board.newestAlertStart else {
      return nil
    }
    return max(0, since.duration(to: now.suspending).clampedNanoseconds) / Self.blinkInterval
  }
}
