import Dispatch

/// Unsafe: a handler that has begun and waits for the queue is no longer to be cancelled.
final class CancellableParent: Parent {
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
        .makeTimerSource(queue: .global())
      timer.setEventHandler { [weak self] in
        self?.deleteChild()
      }
      timer.schedule(deadline: .now() + lifetime)
      timer.activate()
      // The old timer is cancelled by being released.
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
    log.note(.fired)
    state.sync { state in
      log.note(.deleted)
      state = nil
    }
  }
  // end

  var hasChild: Bool { state.sync { $0 != nil } }
}
