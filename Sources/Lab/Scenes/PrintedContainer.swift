import Synchronization
import TimerKit

/// Unsafe: S0's `TimeLimitedContainer`, with the faults it was printed with. (Its timer is an alarm
/// here, so that it can run on virtual time, and its queue a mutex.)
final class PrintedContainer<Value: Sendable>: Sendable {
  // shown
  private let possibleValue: Possible<Value>
  private let timer: DeadlineTimer
  private let clock: VirtualClock

  init(value: Value, lifetime: Duration, on clock: VirtualClock) {
    self.clock = clock
    possibleValue = Possible(nil)  // never `value`
    timer = DeadlineTimer(clock: .virtual(clock)) { [possibleValue] _, _ in
      possibleValue.value = nil
    }
    timer.schedule(at: clock.now.advanced(by: lifetime))
  }

  var value: Value? { possibleValue.value }

  func resetTimer(to lifetime: Duration) {  // without a word when the time is over
    timer.schedule(at: clock.now.advanced(by: lifetime))
  }
  // end
}

private final class Possible<Value: Sendable>: Sendable {
  private let stored: Mutex<Value?>

  init(_ value: Value?) {
    stored = Mutex(value)
  }

  var value: Value? {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }
}
