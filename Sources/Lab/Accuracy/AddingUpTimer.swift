import Dispatch
import TimerKit

/// Unsafe: every wait begins when the last one has ended, so whatever each fire is late adds up.
final class AddingUpTimer: Sendable {
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

  // shown
  func wait() {
    queue.asyncAfter(deadline: .now() + interval) { [weak self] in
      self?.handler()
      self?.wait()
    }
  }
  // end
}
