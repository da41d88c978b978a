import Dispatch
import Synchronization

/// A queue of messages from any thread to the main queue.
///
/// However many are posted meanwhile, one block of the main queue takes them all: a thousand timers that
/// fire together cost one. Their order is kept.
final class MessageQueue<Message: Sendable>: Sendable {
  private let messages = Mutex<[Message]>([])
  @MainActor private var isDelivering = false
  private let deliver: @MainActor @Sendable ([Message]) -> Void

  /// - Parameter deliver: Called on the main queue with all messages since the last call.
  init(deliver: @escaping @MainActor @Sendable ([Message]) -> Void) {
    self.deliver = deliver
  }

  func post(_ message: Message) {
    let isFirst = messages.withLock { messages in
      messages.append(message)
      return messages.count == 1
    }
    guard isFirst else { return }
    DispatchQueue.main.async { [self] in MainActor.assumeIsolated { flush() } }
  }

  /// Delivers the messages posted so far, unless a delivery is under way: their order is kept.
  @MainActor
  func flush() {
    guard !isDelivering else { return }
    let taken = messages.withLock { messages in
      let taken = messages
      messages = []
      return taken
    }
    guard !taken.isEmpty else { return }
    isDelivering = true
    deliver(taken)
    isDelivering = false
  }
}
