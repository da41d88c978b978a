import Dispatch
import TimerKit

/// TimerKit's generation count: the timer keeps the count, and the handler checks its tick on the owner's queue.
final class CurrentTickOwner: Owner {
  private static let timerQueue = DispatchQueue(label: "lab.timers")

  let queue = OwnerQueue<Repeater>()

  // region: current-tick
  func createObject(milliseconds ms: Int) throws {
    try queue.sync(as: .control) { state in
      state.timer?.cancel()
      state.timer = try Repeater.once(
        after: .milliseconds(ms), queue: Self.timerQueue
      ) { [weak self] timer, tick in
        self?.deleteObject(timer, tick)
      }
      state.object = Object()
    }
  }

  func resetTimer(milliseconds ms: Int) {
    queue.sync(as: .control) { state in
      state.timer?.restart(every: .milliseconds(ms))
    }
  }

  private func deleteObject(
    _ timer: Repeater, _ tick: Repeater.Tick
  ) {
    queue.sync(as: .handler) { state in
      guard timer.isCurrent(tick) else { return }
      state.object = nil
    }
  }
  // endregion
}

/// TimerKit on the owner's own queue: after a control on that queue, no handler of the old schedule runs.
final class OwnQueueOwner: Owner {
  let queue = OwnerQueue<Repeater>()

  // region: own-queue
  func createObject(milliseconds ms: Int) throws {
    try queue.sync(as: .control) { state in
      state.timer = try Repeater.once(
        after: .milliseconds(ms), queue: queue.queue
      ) { [weak self] _, _ in self?.deleteObject() }
      state.object = Object()
    }
  }

  func resetTimer(milliseconds ms: Int) {
    queue.sync(as: .control) { state in
      state.timer?.restart(every: .milliseconds(ms))
    }
  }

  private func deleteObject() {
    queue.handle { state in
      state.object = nil
    }
  }
  // endregion
}

/// Unsafe: the guard of the article's `resetChildTimer`, which is the wrong way round.
final class InvertedGuardOwner: Owner {
  private let owner = CurrentTickOwner()

  var queue: OwnerQueue<Repeater> { owner.queue }

  func createObject(milliseconds ms: Int) throws { try owner.createObject(milliseconds: ms) }

  // region: inverted-guard
  func resetTimer(milliseconds ms: Int) {
    queue.sync(as: .control) { state in
      // As printed. It must be: != nil
      guard state.object == nil else { return }
      state.timer?.restart(every: .milliseconds(ms))
    }
  }
  // endregion
}
