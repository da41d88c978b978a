import Dispatch
import Synchronization

/// A queue of messages from any thread to the main queue.
///
/// One block on the main queue delivers all messages that were posted before it, in order, so that a thousand
/// timers that fire together need only one block.
final class MessageQueue<Message: Sendable>: Sendable {
  private let messages = Mutex<[Message]>([])
  @MainActor private var isDelivering = false
  private let deliver: @MainActor @Sendable ([Message]) -> Void

  /// - Parameter deliver: Called on the main queue with all messages since the last call.
  init(deliver: @escaping @MainActor @Sendable ([Message]) -> Void) {
    self.deliver = deliver
  }

  /// A Boolean value that indicates whether all messages have been delivered.
  var isEmpty: Bool { messages.withLock { $0.isEmpty } }

  /// Adds a message to the queue, from any thread.
  func post(_ message: Message) {
    let isFirst = messages.withLock { messages in
      messages.append(message)
      return messages.count == 1
    }
    guard isFirst else { return }
    DispatchQueue.main.async { [self] in MainActor.assumeIsolated { flush() } }
  }

  /// Delivers the messages that were posted so far. Does nothing during a delivery, to keep their order.
  @MainActor
  func flush() {
    guard !isDelivering else { return }
    let pending = messages.withLock { messages in
      let all = messages
      messages = []
      return all
    }
    guard !pending.isEmpty else { return }
    isDelivering = true
    deliver(pending)
    isDelivering = false
  }
}
