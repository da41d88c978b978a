import Dispatch
import Fuzzing
import Synchronization
import Testing

@testable import TimerKit

/// ``BackgroundTimer/performExclusively(_:)`` and the work, on queues of every kind.
@Suite struct BackgroundTimerExclusivityTests {
  let store = Store()

  enum QueueKind: CaseIterable, Sendable {
    case shared, serial, concurrent, global, virtual

    /// Creates a timer on such a queue, and the virtual clock that it uses, if any.
    func timer(for store: Store, _ behavior: BackgroundBehavior = .coalesce) -> (
      BackgroundTimer<Store>, VirtualClock?
    ) {
      switch self {
      case .shared: return (BackgroundTimer(for: store, behavior: behavior), nil)
      case .serial:
        return (
          BackgroundTimer(for: store, behavior: behavior, queue: DispatchQueue(label: "serial")),
          nil
        )
      case .concurrent:
        let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
        return (BackgroundTimer(for: store, behavior: behavior, queue: queue), nil)
      case .global: return (BackgroundTimer(for: store, behavior: behavior, queue: .global()), nil)
      case .virtual:
        let clock = VirtualClock()
        return (BackgroundTimer(for: store, behavior: behavior, clock: .virtual(clock)), clock)
      }
    }
  }

  /// Detects concurrent execution.
  private final class ConcurrencyCheck: Sendable {
    private let current = Atomic(0)
    let highest = Atomic(0)
    let total = Atomic(0)

    func run() {
      let count = current.add(1, ordering: .sequentiallyConsistent).newValue
      highest.max(count, ordering: .sequentiallyConsistent)
      total.add(1, ordering: .sequentiallyConsistent)
      for _ in 0..<20 { _ = TimerClock.suspending.now }
      current.subtract(1, ordering: .sequentiallyConsistent)
    }
  }

  @Test(arguments: QueueKind.allCases)
  func excludesTheWork(_ queueKind: QueueKind) {
    let (timer, virtual) = queueKind.timer(for: store)
    let check = ConcurrencyCheck()
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for round in 0..<150 {
        switch (thread + round) % 4 {
        case 0: timer.performExclusively { check.run() }
        case 1:
          timer.performExclusively {
            timer.performExclusively { check.run() }
            timer.perform(after: .microseconds(1)) { _ in check.run() }
          }
        case 2: virtual?.advance(by: .microseconds(2))
        default:
          timer.perform(after: .microseconds(round % 9)) { _ in
            timer.performExclusively { check.run() }
            if round % 5 == 0 { timer.perform(after: .zero) { _ in check.run() } }
          }
        }
      }
    }
    timer.performExclusively { _ = timer.cancelPending() }
    #expect(check.highest.load(ordering: .sequentiallyConsistent) == 1)
    #expect(check.total.load(ordering: .sequentiallyConsistent) >= 8 * 150 / 2)
  }

  @Test(arguments: QueueKind.allCases)
  func returnsTheResultOfTheBodyAndRethrowsItsErrors(_ queueKind: QueueKind) throws {
    let (timer, _) = queueKind.timer(for: store)
    #expect(timer.performExclusively { 42 } == 42)
    #expect(throws: TimeLimitedError.expired) {
      try timer.performExclusively { () throws(TimeLimitedError) in throw .expired }
    }
    // The body has released the timer's lock.
    #expect(timer.performExclusively { timer.performExclusively { true } })
  }

  /// After `cancelPending()` returns in the body, no work runs and none will start.
  @Test(arguments: QueueKind.allCases)
  func cancelPendingInsideTheBodyLeavesNoWorkRunning(_ queueKind: QueueKind) {
    let (timer, virtual) = queueKind.timer(for: store)
    let runs = Atomic(0)
    for _ in 0..<100 {
      timer.perform(after: .microseconds(1)) { _ in runs.add(1, ordering: .sequentiallyConsistent) }
      virtual?.advance(by: .microseconds(1))
      let atCancel = timer.performExclusively {
        timer.cancelPending()
        return runs.load(ordering: .sequentiallyConsistent)
      }
      #expect(runs.load(ordering: .sequentiallyConsistent) == atCancel)
    }
  }

  /// The handler of another timer on the same queue, and a lock that it may take, do not matter.
  @Test(.timeLimit(.minutes(20))) func waitsForNoOtherTimer() throws {
    let (begun, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let other = try Repeater.once(after: .zero) { _, _ in
      begun.signal()
      goOn.wait()
    }
    begun.wait()
    BackgroundTimer(for: store).performExclusively { _ = goOn.signal() }
    other.cancelAndWait()
  }

  /// Time that passes in the body belongs to the body.
  @Test func workThatBecomesDueInTheBodyRunsAfterIt() {
    let clock = VirtualClock()
    let timer = BackgroundTimer(for: store, clock: .virtual(clock))
    timer.perform(after: .seconds(1)) { $0.done.append("work") }
    timer.performExclusively {
      clock.advance(by: .seconds(5))
      store.done.append("body")
    }
    #expect(store.done.all == ["body", "work"])
    #expect(!timer.isPending)
  }

  /// The same holds for observers, and for work that another thread's advance makes due.
  @Test func workThatAnotherThreadMakesDueRunsAfterTheBody() {
    let clock = VirtualClock()
    let timer = BackgroundTimer(for: store, clock: .virtual(clock))
    timer.perform(after: .seconds(1)) { $0.done.append("work") }
    timer.performExclusively {
      DispatchQueue.concurrentPerform(iterations: 2) { _ in clock.advance(by: .seconds(5)) }
      store.done.append("body")
    }
    #expect(store.done.all == ["body", "work"])
  }

  @Test func aSuspendedQueueDelaysTheWorkAndNotTheBody() {
    let queue = DispatchQueue(label: "suspended")
    let timer = BackgroundTimer(for: store, queue: queue)
    let done = DispatchSemaphore(value: 0)
    queue.suspend()
    timer.perform(after: .zero) { store in
      store.done.append("work")
      done.signal()
    }
    timer.performExclusively { store.done.append("body") }
    #expect(timer.isPending)
    queue.resume()
    done.wait()
    #expect(store.done.all == ["body", "work"])
  }

  // MARK: Another queue

  private static func marked(_ label: String) -> DispatchQueue {
    let queue = DispatchQueue(label: label)
    queue.setSpecific(key: queueName, value: label)
    return queue
  }

  private static let queueName = DispatchSpecificKey<String>()

  @Test func pendingWorkMovesToAnotherQueue() async {
    let (done, continuation) = AsyncStream.makeStream(of: String.self)
    let (old, new) = (Self.marked("old"), Self.marked("new"))
    let timer = BackgroundTimer(for: store, queue: old)
    for queue in [old, new] { queue.suspend() }
    timer.perform(after: .milliseconds(2)) { _ in
      continuation.yield(DispatchQueue.getSpecific(key: Self.queueName) ?? "none")
      continuation.finish()
    }
    let deadline = timer.deadline
    timer.setQueue(new)
    #expect(timer.deadline == deadline)
    for queue in [old, new] { queue.resume() }
    for await queue in done { #expect(queue == "new") }
    let (onShared, shared) = AsyncStream.makeStream(of: Bool.self)
    timer.setQueue(nil)
    timer.perform(after: .zero) { _ in
      shared.yield(DispatchQueue.getSpecific(key: Self.queueName) == nil)
      shared.finish()
    }
    for await isShared in onShared { #expect(isShared) }
  }

  /// Work that runs on the old queue continues; work that becomes due on the new queue waits for it, and
  /// so does a thread that requests the lock.
  @Test func runningWorkExcludesTheNextAcrossAQueueChange() {
    let timer = BackgroundTimer(for: store, queue: Self.marked("old"))
    let (begun, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let ended = DispatchSemaphore(value: 0)
    timer.perform(after: .zero) { store in
      begun.signal()
      goOn.wait()
      store.done.append("old ends")
    }
    begun.wait()
    let new = Self.marked("new")
    timer.setQueue(new)
    timer.perform(after: .zero) { store in
      store.done.append("new begins")
      ended.signal()
    }
    // The new queue has woken and is free for other blocks.
    let woken = DeadlineTimer(queue: new) { _, _ in ended.signal() }
    woken.schedule(at: TimerClock.suspending.now.advanced(by: .milliseconds(2)))
    ended.wait()
    #expect(store.done.count == 0)
    goOn.signal()
    timer.performExclusively { #expect(store.done.all.first == "old ends") }
    ended.wait()
    #expect(store.done.all == ["old ends", "new begins"])
  }

  @Test func queueChangesFromAnyThreadAndInTheWork() {
    let queues = (0..<3).map { Self.marked("\($0)") }
    let timer = BackgroundTimer(for: store, behavior: .delay, queue: queues[0])
    let check = ConcurrencyCheck()
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      var random = SplitMix(state: UInt64(thread))
      for _ in 0..<150 {
        switch random.below(4) {
        case 0: timer.setQueue(queues[random.below(3)])
        case 1: timer.performExclusively { check.run() }
        default:
          let next = queues[random.below(3)]
          timer.perform(after: .microseconds(random.below(3))) { _ in
            check.run()
            timer.setQueue(next)
          }
        }
      }
    }
    timer.performExclusively { _ = timer.cancelPending() }
    for queue in queues { queue.sync {} }
    #expect(check.highest.load(ordering: .sequentiallyConsistent) == 1)
  }
}
