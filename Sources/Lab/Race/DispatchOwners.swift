import Dispatch

/// Unsafe: a deferred call cannot be cancelled and deletes whichever object it finds.
final class DeferredOwner: Owner {
  let queue = OwnerQueue<Never>()

  // region: deferred-call
  func createObject(milliseconds ms: Int) {
    queue.sync(as: .control) { state in
      state.object = Object()
      DispatchQueue.global().asyncAfter(
        deadline: .now() + .milliseconds(ms)
      ) { [weak self] in self?.deleteObject() }
    }
  }

  private func deleteObject() {
    queue.sync(as: .handler) { state in
      state.object = nil
    }
  }
  // endregion

  /// Does nothing: a deferred call cannot be reset.
  func resetTimer(milliseconds ms: Int) {}
}

/// Unsafe: cancelling a timer does not stop a handler that has started and waits for the queue.
final class CancellingOwner: Owner {
  let queue = OwnerQueue<any DispatchSourceTimer>()

  // region: cancellable-timer
  func createObject(milliseconds ms: Int) {
    queue.sync(as: .control) { state in
      let timer =
        DispatchSource
        .makeTimerSource(queue: .global())
      timer.setEventHandler { [weak self] in
        self?.deleteObject()
      }
      timer.schedule(deadline: .now() + .milliseconds(ms))
      timer.activate()
      state.object = Object()
      // Releasing the old timer cancels it.
      state.timer = timer
    }
  }

  func resetTimer(milliseconds ms: Int) {
    queue.sync(as: .control) { state in
      state.timer?.schedule(
        deadline: .now() + .milliseconds(ms))
    }
  }

  private func deleteObject() {
    queue.sync(as: .handler) { state in
      state.object = nil
    }
  }
  // endregion
}

/// Unsafe if timers are reset: such a timer keeps its identity.
final class IdentityOwner: Owner {
  let queue = OwnerQueue<any DispatchSourceTimer>()

  // region: identity-check
  func createObject(milliseconds ms: Int) {
    queue.sync(as: .control) { state in
      let timer =
        DispatchSource
        .makeTimerSource(queue: .global())
      let source = timer as AnyObject
      timer.setEventHandler { [weak self, weak source] in
        self?.deleteObject(of: source)
      }
      timer.schedule(deadline: .now() + .milliseconds(ms))
      timer.activate()
      state.object = Object()
      state.timer = timer
    }
  }

  func resetTimer(milliseconds ms: Int) {
    queue.sync(as: .control) { state in
      state.timer?.schedule(
        deadline: .now() + .milliseconds(ms))
    }
  }

  private func deleteObject(of timer: AnyObject?) {
    let fired = timer.map(ObjectIdentifier.init)
    queue.sync(as: .handler) { state in
      let current = state.timer.map { $0 as AnyObject }
      guard current.map(ObjectIdentifier.init) == fired
      else { return }
      state.object = nil
    }
  }
  // endregion
}

/// Safe: every control starts a new generation, and a handler of an old generation does nothing.
final class GenerationOwner: Owner {
  let queue = OwnerQueue<any DispatchSourceTimer>()

  // region: generation-count
  func createObject(milliseconds ms: Int) {
    queue.sync(as: .control) { state in
      state.generation += 1
      let timer =
        DispatchSource
        .makeTimerSource(queue: .global())
      let generation = state.generation
      timer.setEventHandler { [weak self] in
        self?.deleteObject(of: generation)
      }
      timer.schedule(deadline: .now() + .milliseconds(ms))
      timer.activate()
      state.object = Object()
      state.timer = timer
    }
  }

  func resetTimer(milliseconds ms: Int) {
    queue.sync(as: .control) { state in
      state.generation += 1
      let generation = state.generation
      state.timer?.suspend()
      state.timer?.setEventHandler { [weak self] in
        self?.deleteObject(of: generation)
      }
      state.timer?.schedule(
        deadline: .now() + .milliseconds(ms))
      state.timer?.resume()
    }
  }

  private func deleteObject(of generation: Int) {
    queue.sync(as: .handler) { state in
      guard generation == state.generation else { return }
      state.object = nil
    }
  }
  // endregion
}

/// Safe: the timer fires on the queue that guards the object, so no control runs between the fire and the deletion.
final class SingleQueueOwner: Owner {
  let queue = OwnerQueue<any DispatchSourceTimer>()

  // region: single-queue
  func createObject(milliseconds ms: Int) {
    queue.sync(as: .control) { state in
      let timer =
        DispatchSource
        .makeTimerSource(queue: queue.queue)
      timer.setEventHandler { [weak self] in
        self?.deleteObject()
      }
      timer.schedule(deadline: .now() + .milliseconds(ms))
      timer.activate()
      state.object = Object()
      state.timer = timer
    }
  }

  func resetTimer(milliseconds ms: Int) {
    queue.sync(as: .control) { state in
      state.timer?.schedule(
        deadline: .now() + .milliseconds(ms))
    }
  }

  private func deleteObject() {
    queue.handle { state in
      state.object = nil
    }
  }
  // endregion
}
