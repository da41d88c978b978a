import Dispatch
import Synchronization

/// A `DispatchSourceTimer` for each timer, the reference system.
struct DispatchSourceSystem: TimerSystem {
  static let creationCost: Int64 = 5_000

  /// `nil` if each timer has its own queue.
  private let shared: DispatchQueue?

  init(ownQueues: Bool) {
    shared = ownQueues ? nil : DispatchQueue(label: "timers")
  }

  init(queue: DispatchQueue) { shared = queue }

  private var queue: DispatchQueue { shared ?? DispatchQueue(label: "timer") }

  func once(after delay: Int64, _ number: Int, _ tally: Tally) -> any DispatchSourceTimer {
    timer(at: .now() + .nanoseconds(Int(delay)), number, tally)
  }

  func once(at instant: Int64, _ number: Int, _ tally: Tally) -> any DispatchSourceTimer {
    timer(at: DispatchTime(uptimeNanoseconds: UInt64(instant)), number, tally)
  }

  private func timer(
    at deadline: DispatchTime, _ number: Int, _ tally: Tally
  ) -> any DispatchSourceTimer {
    let source = DispatchSource.makeTimerSource(queue: queue)
    source.setEventHandler { tally.add(number) }
    source.schedule(deadline: deadline)
    source.activate()
    return source
  }

  func move(
    _ timer: inout any DispatchSourceTimer, after delay: Int64, _ number: Int, _ tally: Tally
  ) {
    timer.schedule(deadline: .now() + .nanoseconds(Int(delay)))
  }

  func cancel(_ timer: any DispatchSourceTimer) { timer.cancel() }

  func every(
    _ interval: Int64, from first: Int64, tolerance: Int64,
    _ body: @escaping @Sendable (_ missed: Int) -> Void
  ) -> any DispatchSourceTimer {
    let source = DispatchSource.makeTimerSource(queue: queue)
    source.setEventHandler { body(Int(source.data) - 1) }
    source.schedule(
      deadline: DispatchTime(uptimeNanoseconds: UInt64(first)),
      repeating: .nanoseconds(Int(interval)), leeway: .nanoseconds(Int(tolerance)))
    source.activate()
    return source
  }

  func debouncer(quiet: Int64, _ inbox: Inbox) -> SourceDebouncer {
    SourceDebouncer(quiet: .nanoseconds(Int(quiet)), queue: queue, inbox)
  }

  func throttler(interval: Int64, _ inbox: Inbox) -> HandwrittenThrottler {
    HandwrittenThrottler(interval: UInt64(interval), queue: queue, inbox)
  }
}

/// A typical handwritten debouncer: each call reschedules the source.
final class SourceDebouncer: Debouncing {
  private struct State {
    var source: (any DispatchSourceTimer)?
    var value: Int?
  }

  private let state = Mutex(State())
  private let quiet: DispatchTimeInterval

  init(quiet: DispatchTimeInterval, queue: DispatchQueue, _ inbox: Inbox) {
    self.quiet = quiet
    state.withLock { state in
      let source = DispatchSource.makeTimerSource(queue: queue)
      source.setEventHandler { [weak self] in
        if let value = self?.take() { inbox.deliver(value) }
      }
      source.schedule(deadline: .distantFuture)
      source.activate()
      state.source = source
    }
  }

  func submit(_ value: Int) {
    state.withLock { state in
      state.value = value
      state.source?.schedule(deadline: .now() + quiet)
    }
  }

  private func take() -> Int? { state.withLock { $0.value.take() } }
}

/// A typical handwritten throttler, which compares each call's time with that of the last delivery.
final class HandwrittenThrottler: Throttling {
  private let next = Mutex<UInt64>(0)
  private let interval: UInt64
  private let queue: DispatchQueue
  private let inbox: Inbox

  init(interval: UInt64, queue: DispatchQueue, _ inbox: Inbox) {
    self.interval = interval
    self.queue = queue
    self.inbox = inbox
  }

  func submit(_ value: Int) {
    let now = DispatchTime.now().uptimeNanoseconds
    let isDue = next.withLock { next in
      guard now >= next else { return false }
      next = now + interval
      return true
    }
    guard isDue else { return }
    queue.async { [inbox] in inbox.deliver(value) }
  }
}
