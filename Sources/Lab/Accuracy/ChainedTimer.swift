import Dispatch
import TimerKit

/// Unsafe: every wait starts when the previous wait ends, so the delays of all fires add up.
final class ChainedTimer: Sendable {
  private let interval: DispatchTimeInterval
  private let queue: DispatchQueue
  private let handler: @Sendable () -> Void

  init(
    every interval: DispatchTimeInterval, queue: DispatchQueue,
    handler: @escaping @Sendable () -> Void
  ) {
    self.interval = interval
    self.queue = queue
    self.handler = handler
  }

  // region: chained-waits
  func scheduleNext() {
    queue.asyncAfter(deadline: .now() + interval) { [weak self] in
      self?.handler()
      self?.scheduleNext()
    }
  }
  // endregion
}
