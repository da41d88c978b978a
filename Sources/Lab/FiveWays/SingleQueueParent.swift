import Dispatch

/// Safe: the timer fires on the queue that guards the child, so nothing can come in between.
final class SingleQueueParent: Parent {
  private let state: QueueGuarded<(child: Child, timer: any DispatchSourceTimer)?>
  private let log: RaceLog

  init(queue: DispatchQueue, log: RaceLog) {
    state = QueueGuarded(nil, on: queue)
    self.log = log
  }

  // shown
  func createChild(for lifetime: DispatchTimeInterval) {
    state.sync { state in
      log.note(.controlled)
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
      log.note(.controlled)
      state?.timer.schedule(deadline: .now() + lifetime)
    }
  }

  private func deleteChild() {
    state.onQueue { state in
      log.note(.deleted)
      state = nil
    }
  }
  // end

  var hasChild: Bool { state.sync { $0 != nil } }
}
