import TimerBoard
import TimerKit

/// A row that needs attention blinks until a key is pressed, reversed and not. After a minute it stays
/// reversed: nobody is looking.
extension Frame {
  private static let blink: Int64 = 500_000_000
  private static let blinks: Int64 = 120

  /// A Boolean value that indicates whether a row stands out at this instant.
  func showsAlert(of row: BoardTimer) -> Bool {
    guard row.needsAttention else { return false }
    return turn.map { $0 >= Self.blinks || $0 % 2 == 0 } ?? true
  }

  /// The instant at which a row next blinks.
  func nextBlink(of row: BoardTimer) -> TimerClock.Instant? {
    guard let turn, turn < Self.blinks, let since = dashboard.board.alertsSince,
      row.needsAttention
    else { return nil }
    // It ends reversed, as the turn before is not.
    return since.advanced(by: .nanoseconds((turn + 1) * Self.blink))
  }

  /// Turns of the blinking so far; `nil` where nothing blinks.
  private var turn: Int64? {
    guard !dashboard.options.reducesMotion, let since = dashboard.board.alertsSince else {
      return nil
    }
    return max(0, since.duration(to: now.uptime).clampedNanoseconds) / Self.blink
  }
}
