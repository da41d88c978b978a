import Dispatch

/// Unsafe: cancelling a timer does not stop a handler that has started and waits for the queue.
final class CancellableParent: Parent {
  private let state: QueueGuarded<(child: Child, timer: any DispatchSourceTimer)?>
  private let log: RaceLog

  init(queue: DispatchQueue, log: RaceLog) {
    state = QueueGuarded(nil, on: queue)
    self.log = log
  }

  // region: cancellable-timer
  func createChild(for lifetime: DispatchTimeInterval) {
    state.sync { state in
      log.record(.controlRan)
      let timer =
        DispatchSource
        .makeTimerSource(queue: .global())
      timer.setEventHandler { [weak self] in
        self?.deleteChild()
      }
      timer.schedule(deadline: .now() + lifetime)
      timer.activate()
      // Releasing the old timer cancels it.
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
    log.record(.fired)
    state.sync { state in
      log.record(.deleted)
      state = nil
    }
  }
  // endregion

  var hasChild: Bool { state.sync { $0 != nil } }
}
