import Dispatch
import Synchronization
import TimerBoard
import TimerKit

/// What happened in one run, in the order in which it happened.
final class RaceLog: Sendable {
  enum Event: Sendable, Hashable {
    /// The child's timer is set.
    case created
    /// The parent's queue has something else to do.
    case busy
    /// A control is about to wait for the queue.
    case asked
    /// The timer's handler has begun; it has not got the queue yet.
    case fired
    /// Time enough has gone by for a handler that would have to wait on the queue itself.
    case waited
    /// The queue has nothing else to do any more.
    case freed
    /// A control has the queue.
    case controlled
    /// A handler has the queue, and deletes the child that it finds.
    case deleted
    /// A handler has the queue, and knows that it is too late.
    case ignored
    /// Somebody is about to look whether the child is there.
    case looked
  }

  struct Entry: Sendable, Hashable {
    let event: Event
    let time: TimerClock.Instant
  }

  private let log = Mutex<[Entry]>([])
  private let handlerBegan = DispatchSemaphore(value: 0)
  private let handlerEnded = DispatchSemaphore(value: 0)

  func note(_ event: Event) {
    let now = TimerClock.suspending.now
    log.withLock { $0.append(Entry(event: event, time: now)) }
    switch event {
    case .fired: handlerBegan.signal()
    case .deleted, .ignored: handlerEnded.signal()
    default: break
    }
  }

  /// Waits until a handler has begun.
  /// - Returns: false if none did in time.
  func awaitFire() -> Bool { handlerBegan.wait(timeout: .now() + .seconds(1)) == .success }

  /// Waits until a handler has had the queue.
  /// - Returns: false if none did in time.
  func awaitHandler() -> Bool { handlerEnded.wait(timeout: .now() + .seconds(1)) == .success }

  var entries: [Entry] { log.withLock { $0 } }
}
