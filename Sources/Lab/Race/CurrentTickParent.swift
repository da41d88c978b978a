import Dispatch
import TimerKit

/// TimerKit's generation count: the timer keeps the count, and the handler checks its tick on
/// the parent's queue.
final class CurrentTickParent: Parent {
  private static let timerQueue = DispatchQueue(label: "lab.timers")

  private let state: QueueGuarded<(child: Child, timer: Repeater)?>
  private let log: RaceLog

  init(queue: DispatchQueue, log: RaceLog) {
    state = QueueGuarded(nil, on: queue)
    self.log = log
  }

  // region: current-tick
  func createChild(for lifetime: DispatchTimeInterval) throws {
    try state.sync { state in
      log.record(.controlRan)
      state?.timer.cancel()
      let timer = try Repeater.once(
        after: Duration(lifetime), queue: Self.timerQueue
      ) { [weak self] timer, tick in
        self?.deleteChild(timer, tick)
      }
      state = (Child(), timer)
    }
  }

  func resetChildTimer(to lifetime: DispatchTimeInterval) {
    state.sync { state in
      log.record(.controlRan)
      state?.timer.restart(every: Duration(lifetime))
    }
  }

  private func deleteChild(
    _ timer: Repeater, _ tick: Repeater.Tick
  ) {
    log.record(.fired)
    state.sync { state in
      guard timer.isCurrent(tick) else {
        log.record(.ignored)
        return
      }
      log.record(.deleted)
      state = nil
    }
  }
  // endregion

  var hasChild: Bool { state.sync { $0 != nil } }
}

extension Duration {
  init(_ interval: DispatchTimeInterval) {
    switch interval {
    case .seconds(let count): self = .seconds(count)
    case .milliseconds(let count): self = .milliseconds(count)
    case .microseconds(let count): self = .microseconds(count)
    case .nanoseconds(let count): self = .nanoseconds(count)
    case .never: self = .nanoseconds(Int64.max)
    @unknown default: self = .nanoseconds(Int64.max)
    }
  }
}
