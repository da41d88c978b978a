import Synchronization
import TimerKit

/// Unsafe: the `TimeLimitedContainer` of “Design patterns for safe timer usage” as it is
/// printed there, with its mistakes. Here it has a ``DeadlineTimer``, which can run on virtual time, and a mutex in place of
/// its queue.
final class PublishedContainer<Value: Sendable>: Sendable {
  // region: published-container
  private let possibleValue: MutexBox<Value?>
  private let timer: DeadlineTimer
  private let clock: VirtualClock

  init(value: Value, lifetime: Duration, on clock: VirtualClock) {
    self.clock = clock
    possibleValue = MutexBox(nil)  // not `value`
    timer = DeadlineTimer(clock: .virtual(clock)) { [possibleValue] _, _ in
      possibleValue.value = nil
    }
    timer.schedule(at: clock.now.advanced(by: lifetime))
  }

  var value: Value? { possibleValue.value }

  func resetTimer(to lifetime: Duration) {  // no error after the deadline
    timer.schedule(at: clock.now.advanced(by: lifetime))
  }
  // endregion
}

private final class MutexBox<Value: Sendable>: Sendable {
  private let stored: Mutex<Value>

  init(_ value: Value) {
    stored = Mutex(value)
  }

  var value: Value {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }
}
