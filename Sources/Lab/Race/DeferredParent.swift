import Dispatch

/// Unsafe: a deferred call cannot be cancelled and deletes whichever child it finds.
final class DeferredParent: Parent {
  private let child: QueueGuarded<Child?>
  private let log: RaceLog

  init(queue: DispatchQueue, log: RaceLog) {
    child = QueueGuarded(nil, on: queue)
    self.log = log
  }

  // region: deferred-call
  func createChild(for lifetime: DispatchTimeInterval) {
    child.sync { child in
      log.record(.controlRan)
      child = Child()
      DispatchQueue.global().asyncAfter(
        deadline: .now() + lifetime
      ) { [weak self] in self?.deleteChild() }
    }
  }

  private func deleteChild() {
    log.record(.fired)
    child.sync { child in
      log.record(.deleted)
      child = nil
    }
  }
  // endregion

  /// Does nothing: a deferred call cannot be rescheduled.
  func resetChildTimer(to lifetime: DispatchTimeInterval) {}

  var hasChild: Bool { child.sync { $0 != nil } }
}
