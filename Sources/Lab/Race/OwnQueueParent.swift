import Dispatch
import TimerKit

/// TimerKit on the parent's own queue: after a control on that queue, no handler of the old
/// schedule runs.
final class OwnQueueParent: Parent {
  private let state: QueueGuarded<(child: Child, timer: Repeater)?>
  private let log: RaceLog

  init(queue: DispatchQueue, log: RaceLog) {
    state = QueueGuarded(nil, on: queue)
    self.log = log
  }

  // region: own-queue
  func createChild(for lifetime: DispatchTimeInterval) throws {
    try state.sync { state in
      log.record(.controlRan)
      let timer = try Repeater.once(
        after: Duration(lifetime), queue: self.state.queue
      ) { [weak self] _, _ in self?.deleteChild() }
      // Releasing the old timer cancels it.
      state = (Child(), timer)
    }
  }

  func resetChildTimer(to lifetime: DispatchTimeInterval) {
    state.sync { state in
      log.record(.controlRan)
      state?.timer.restart(every: Duration(lifetime))
    }
  }

  private func deleteChild() {
    state.assumingOnQueue { state in
      log.record(.deleted)
      state = nil
    }
  }
  // endregion

  var hasChild: Bool { state.sync { $0 != nil } }
}
