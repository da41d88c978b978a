import Dispatch
import Synchronization

/// Where the model's queue leaves its events for the main queue.
///
/// However many are posted meanwhile, one turn of the main queue takes them all: a thousand timers
/// that fire together cost one turn. Their order is kept.
final class Mailbox<Letter: Sendable>: Sendable {
  private let letters = Mutex<[Letter]>([])
  private let deliver: @MainActor @Sendable ([Letter]) -> Void

  /// - Parameter deliver: called on the main queue with everything that was posted since last time.
  init(deliver: @escaping @MainActor @Sendable ([Letter]) -> Void) {
    self.deliver = deliver
  }

  /// Leaves a letter; from any thread.
  func post(_ letter: Letter) {
    let isFirst = letters.withLock { letters in
      letters.append(letter)
      return letters.count == 1
    }
    guard isFirst else { return }
    DispatchQueue.main.async { [self] in
      let taken = letters.withLock { letters in
        let taken = letters
        letters = []
        return taken
      }
      deliver(taken)
    }
  }
}
