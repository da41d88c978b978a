import TimerKit

/// A row that has finished blinks until a key is pressed: reversed and not, by turns. It does so for a
/// minute, and then stays reversed; who does not look by then is not there.
extension Frame {
  private static let blink: Int64 = 500_000_000
  private static let blinks: Int64 = 120

  /// Whether a row stands out at this moment.
  func showsCall(of row: Row) -> Bool {
    guard row.callsForAttention else { return false }
    return turn.map { $0 >= Self.blinks || $0 % 2 == 0 } ?? true
  }

  /// When one of the rows next blinks.
  func nextBlink(of rows: [Row]) -> TimerClock.Instant? {
    guard let turn, turn < Self.blinks, let since = dashboard.callsSince,
      rows.contains(where: \.callsForAttention)
    else { return nil }
    // It ends reversed, as the turn before is not.
    return since.advanced(by: .nanoseconds((turn + 1) * Self.blink))
  }

  /// Turns of the blinking so far; `nil` where nothing blinks.
  private var turn: Int64? {
    guard !dashboard.options.reducesMotion, let since = dashboard.callsSince else { return nil }
    return max(0, since.duration(to: now.uptime).clampedNanoseconds) / Self.blink
  }
}
