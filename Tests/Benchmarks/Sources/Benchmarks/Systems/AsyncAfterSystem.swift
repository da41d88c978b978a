import Dispatch
import Synchronization

/// `DispatchQueue.asyncAfter` with a work item for each timer.
struct AsyncAfterSystem: TimerSystem {
  static let creationCost: Int64 = 5_000

  private let queue = DispatchQueue(label: "timers")

  func once(after delay: Int64, _ number: Int, _ tally: Tally) -> DispatchWorkItem {
    let item = DispatchWorkItem { tally.add(number) }
    queue.asyncAfter(deadline: .now() + .nanoseconds(Int(delay)), execute: item)
    return item
  }

  func once(at instant: Int64, _ number: Int, _ tally: Tally) -> DispatchWorkItem {
    let item = DispatchWorkItem { tally.add(number) }
    queue.asyncAfter(deadline: DispatchTime(uptimeNanoseconds: UInt64(instant)), execute: item)
    return item
  }

  func move(
    _ timer: inout DispatchWorkItem, after delay: Int64, _ number: Int, _ tally: Tally
  ) {
    timer.cancel()
    timer = once(after: delay, number, tally)
  }

  func cancel(_ timer: DispatchWorkItem) { timer.cancel() }

  func every(
    _ interval: Int64, from first: Int64, tolerance: Int64,
    _ body: @escaping @Sendable (_ missed: Int) -> Void
  ) {
    queue.asyncAfter(deadline: DispatchTime(uptimeNanoseconds: UInt64(first))) {
      body(0)
      every(interval, from: first + interval, tolerance: tolerance, body)
    }
  }

  func debouncer(quiet: Int64, _ inbox: Inbox) -> WorkItemDebouncer {
    WorkItemDebouncer(quiet: .nanoseconds(Int(quiet)), queue: queue, inbox)
  }
}

/// The most common debouncer: each call cancels a work item and submits another.
final class WorkItemDebouncer: Debouncing {
  private let item = Mutex<DispatchWorkItem?>(nil)
  private let quiet: DispatchTimeInterval
  private let queue: DispatchQueue
  private let inbox: Inbox

  init(quiet: DispatchTimeInterval, queue: DispatchQueue, _ inbox: Inbox) {
    self.quiet = quiet
    self.queue = queue
    self.inbox = inbox
  }

  func submit(_ value: Int) {
    item.withLock { [inbox] item in
      item?.cancel()
      let next = DispatchWorkItem { inbox.deliver(value) }
      queue.asyncAfter(deadline: .now() + quiet, execute: next)
      item = next
    }
  }
}
