import Dashboard
import TimerBoard
import TimerKit

extension Lane {
  /// Draws the lane as waiting while a debouncer, throttler or background timer has a call pending.
  func follow<Timer: ObservableTimer>(_ timer: Timer) where Timer.State == CallState {
    timer.observe { [self] _, event in
      guard case .state(_, let new) = event else { return }
      setLineStyle(new == .pending ? .waiting : .idle)
    }
  }

  /// Shows the number of presses beside the lane.
  func showPressCount() {
    setNote { [self] in counted(markCount, "press", plural: "presses") }
  }
}

/// The letters a to z in turn, which identify inputs in the output of a timer.
struct Letters {
  private var next = 0

  mutating func take() -> Character {
    defer { next = (next + 1) % 26 }
    return Character(Unicode.Scalar(UInt8(97 + next)))
  }
}
