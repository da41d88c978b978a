import Dispatch

/// Safe: the timer fires on the queue that guards the child, so no control runs between the fire and the
/// deletion.
final class SingleQueueParent: Parent {
  private let state: QueueGuarded<(child: Child, timer: any DispatchSourceTimer)?>
  private let log: RaceLog

  init(queue: DispatchQueue, log: RaceLog) {
    state = QueueGuarded(nil, on: queue)
    self.log = log
  }

  // region: single-queue
  func createChild(for lifetime: DispatchTimeInterval) {
    state.sync { state in
      log.record(.controlRan)
      let timer =
        DispatchSource
        .makeTimerSource(queue: self.state.queue)
      timer.setEventHandler { [weak self] in
        self?.deleteChild()
      }
      timer.schedule(deadline: .now() + lifetime)
      timer.activate()
      state = (Child(), timer)
    }
  }

  func resetChildTimer(to lifetime: DispatchTimeInterval) {
    state.sync { state in
      log.record(.controlRan)
      state?.timer.schedule(deadline: .now() + lifetime)
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
