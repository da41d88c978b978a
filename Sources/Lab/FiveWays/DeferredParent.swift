import Dispatch

/// Unsafe: a call that nobody can take back does not know whose child it deletes.
final class DeferredParent: Parent {
  private let child: QueueGuarded<Child?>
  private let log: RaceLog

  init(queue: DispatchQueue, log: RaceLog) {
    child = QueueGuarded(nil, on: queue)
    self.log = log
  }

  // shown
  func createChild(for lifetime: DispatchTimeInterval) {
    child.sync { child in
      log.note(.controlled)
      child = Child()
      DispatchQueue.global().asyncAfter(
        deadline: .now() + lifetime
      ) { [weak self] in self?.deleteChild() }
    }
  }

  private func deleteChild() {
    log.note(.fired)
    child.sync { child in
      log.note(.deleted)
      child = nil
    }
  }
  // end

  /// What was deferred cannot be put off.
  func resetChildTimer(to lifetime: DispatchTimeInterval) {}

  var hasChild: Bool { child.sync { $0 != nil } }
}
