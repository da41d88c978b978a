import Dispatch

/// Safe: every control starts a new generation, and a handler of an old generation does nothing.
final class GenerationParent: Parent {
  private struct State {
    var generation = 0
    var child: (child: Child, timer: any DispatchSourceTimer)?
  }

  private let state: QueueGuarded<State>
  private let log: RaceLog

  init(queue: DispatchQueue, log: RaceLog) {
    state = QueueGuarded(State(), on: queue)
    self.log = log
  }

  // region: generation-count
  func createChild(for lifetime: DispatchTimeInterval) {
    state.sync { state in
      log.record(.controlRan)
      state.generation += 1
      let timer =
        DispatchSource
        .makeTimerSource(queue: .global())
      let generation = state.generation
      timer.setEventHandler { [weak self] in
        self?.deleteChild(of: generation)
      }
      timer.schedule(deadline: .now() + lifetime)
      timer.activate()
      state.child = (Child(), timer)
    }
  }

  func resetChildTimer(to lifetime: DispatchTimeInterval) {
    state.sync { state in
      log.record(.controlRan)
      guard let timer = state.child?.timer else { return }
      state.generation += 1
      timer.suspend()
      let generation = state.generation
      timer.setEventHandler { [weak self] in
        self?.deleteChild(of: generation)
      }
      timer.schedule(deadline: .now() + lifetime)
      timer.resume()
    }
  }

  private func deleteChild(of generation: Int) {
    log.record(.fired)
    state.sync { state in
      guard generation == state.generation else {
        log.record(.ignored)
        return
      }
      log.record(.deleted)
      state.child = nil
    }
  }
  // endregion

  var hasChild: Bool { state.sync { $0.child != nil } }
}
