import Dispatch

/// Unsafe where timers are rescheduled: a timer that was put off is still the same timer.
final class IdentityParent: Parent {
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
      let identity = timer as AnyObject
      timer.setEventHandler { [weak self, weak identity] in
        self?.deleteChild(of: identity)
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

  private func deleteChild(of timer: AnyObject?) {
    log.note(.fired)
    let late = timer.map(ObjectIdentifier.init)
    state.sync { state in
      guard let current = state?.timer,
        ObjectIdentifier(current as AnyObject) == late
      else {
        log.note(.ignored)
        return
      }
      log.note(.deleted)
      state = nil
    }
  }
  // end

  var hasChild: Bool { state.sync { $0 != nil } }
}
