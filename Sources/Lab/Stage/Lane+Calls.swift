import Dashboard
import TimerKit

extension Lane {
  /// Shows on the lane whether a timer that limits calls has one pending.
  func follow<Timer: ObservableTimer>(_ timer: Timer) where Timer.State == CallState {
    timer.observe { [self] _, event in
      guard case .state(_, let new) = event, new != .executing else { return }
      line(new == .pending ? .waiting : .idle)
    }
  }
}

extension Lane {
  /// Counts beside the lane what was pressed.
  func notePresses() {
    note { [self] in counted(markCount, "press", "presses") }
  }
}

/// Names inputs by letters, so that an output can say which of them it is.
struct Letters {
  private var next = 0

  mutating func take() -> Character {
    defer { next = (next + 1) % 26 }
    return Character(Unicode.Scalar(UInt8(97 + next)))
  }
}
