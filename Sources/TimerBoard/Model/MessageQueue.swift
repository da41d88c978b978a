import Synchronization

/// A queue of messages from any thread to one reader.
///
/// The reader is woken once for all messages that arrive before it takes them, so that a thousand timers that fire
/// together need one wake-up.
final class MessageQueue<Message: Sendable>: Sendable {
  private let messages = Mutex<[Message]>([])
  private let wake: @Sendable () -> Void

  /// - Parameter wake: Called with the first message after the queue was empty, on the thread that posts it.
  init(wake: @escaping @Sendable () -> Void) {
    self.wake = wake
  }

  /// A Boolean value that indicates whether all messages have been taken.
  var isEmpty: Bool { messages.withLock { $0.isEmpty } }

  /// Adds a message to the queue, from any thread.
  func post(_ message: Message) {
    let isFirst = messages.withLock { messages in
      messages.append(message)
      return messages.count == 1
    }
    if isFirst { wake() }
  }

  /// Removes all messages and returns them in order.
  func takeAll() -> [Message] { messages.withLock { exchange(&$0, with: []) } }
}
