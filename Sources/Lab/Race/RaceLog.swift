import Dispatch
import Synchronization
import TimerBoard
import TimerKit

/// The events of one run, in order.
final class RaceLog: Sendable {
  enum Event: Sendable, Hashable {
    /// The child has been created and its timer started.
    case created
    /// The parent's queue is blocked by other work.
    case busy
    /// A control has been requested and is about to wait for the queue.
    case requested
    /// The timer's handler has started and is about to wait for the queue.
    case fired
    /// The timer's deadline has passed. A handler that waits on the parent's own queue records nothing before it runs.
    case deadlinePassed
    /// The other work on the queue has ended.
    case freed
    /// A control runs on the queue.
    case controlRan
    /// A handler runs on the queue and deletes the child.
    case deleted
    /// A handler runs on the queue, detects that it is stale and does nothing.
    case ignored
    /// The run is about to check whether the child exists.
    case checked
  }

  struct Entry: Sendable, Hashable {
    let event: Event
    let time: TimerClock.Instant
  }

  private let log = Mutex<[Entry]>([])
  private let handlerStarted = DispatchSemaphore(value: 0)
  private let handlerEnded = DispatchSemaphore(value: 0)

  func record(_ event: Event) {
    // The time is read under the lock, so that the times have the order of the entries.
    log.withLock { $0.append(Entry(event: event, time: TimerClock.suspending.now)) }
    switch event {
    case .fired: handlerStarted.signal()
    case .deleted, .ignored: handlerEnded.signal()
    default: break
    }
  }

  /// Waits until a handler has started, for at most a second.
  /// - Returns: False if none has.
  func awaitFire() -> Bool { handlerStarted.wait(timeout: .now() + .seconds(1)) == .success }

  /// Waits until a handler has run on the queue, for at most a second.
  /// - Returns: False if none has.
  func awaitHandler() -> Bool { handlerEnded.wait(timeout: .now() + .seconds(1)) == .success }

  var entries: [Entry] { log.withLock { $0 } }
}
