import Dispatch

/// Unsafe if timers are rescheduled: a rescheduled timer keeps its identity.
final class IdentityParent: Parent {
  private let state: QueueGuarded<(child: Child, timer: any DispatchSourceTimer)?>
  private let log: RaceLog

  init(queue: DispatchQueue, log: RaceLog) {
    state = QueueGuarded(nil, on: queue)
    self.log = log
  }

  // region: identity-check
  func createChild(for lifetime: DispatchTimeInterval) {
    state.sync { state in
      log.record(.controlRan)
      let timer =
        DispatchSource
        .makeTimerSource(queue: .global())
      let timerObject = timer as AnyObject
      timer.setEventHandler { [weak self, weak timerObject] in
        self?.deleteChild(of: timerObject)
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

  private func deleteChild(of timer: AnyObject?) {
    log.record(.fired)
    let firedTimer = timer.map(ObjectIdentifier.init)
    state.sync { state in
      guard let current = state?.timer,
        ObjectIdentifier(current as AnyObject) == firedTimer
      else {
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
