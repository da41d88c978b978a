import Dispatch
import Fuzzing
import Synchronization
import Testing

@testable import TimerKit

/// ``BackgroundTimer/performExclusively(_:)`` and the work, on every kind of queue.
@Suite struct BackgroundTimerExclusivityTests {
  let store = Store()

  enum Place: CaseIterable, Sendable {
    case shared, serial, concurrent, global, virtual

    /// A timer there, and what keeps time going.
    func timer(for store: Store, _ behavior: BackgroundBehavior = .coalesce) -> (
      BackgroundTimer<Store>, VirtualClock?
    ) {
      switch self {
      case .shared: return (BackgroundTimer(for: store, behavior), nil)
      case .serial:
        return (BackgroundTimer(for: store, behavior, queue: DispatchQueue(label: "serial")), nil)
      case .concurrent:
        let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
        return (BackgroundTimer(for: store, behavior, queue: queue), nil)
      case .global: return (BackgroundTimer(for: store, behavior, queue: .global()), nil)
      case .virtual:
        let clock = VirtualClock()
        return (BackgroundTimer(for: store, behavior, clock: .virtual(clock)), clock)
      }
    }
  }

  /// An unprotected counter would be enough if one thing at a time is done; this one shows when not.
  private final class Room: Sendable {
    private let inside = Atomic(0)
    let most = Atomic(0)
    let visits = Atomic(0)

    func visit() {
      let count = inside.add(1, ordering: .sequentiallyConsistent).newValue
      most.max(count, ordering: .sequentiallyConsistent)
      visits.add(1, ordering: .sequentiallyConsistent)
      for _ in 0..<20 { _ = TimerClock.suspending.now }
      inside.subtract(1, ordering: .sequentiallyConsistent)
    }
  }

  @Test(arguments: Place.allCases)
  func keepsTheWorkAway(_ place: Place) {
    let (timer, virtual) = place.timer(for: store)
    let room = Room()
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for round in 0..<150 {
        switch (thread + round) % 4 {
        case 0: timer.performExclusively { room.visit() }
        case 1:
          timer.performExclusively {
            timer.performExclusively { room.visit() }
            timer.after(.microseconds(1)) { _ in room.visit() }
          }
        case 2: virtual?.advance(by: .microseconds(2))
        default:
          timer.after(.microseconds(round % 9)) { _ in
            timer.performExclusively { room.visit() }
            if round % 5 == 0 { timer.after(.zero) { _ in room.visit() } }
          }
        }
      }
    }
    timer.performExclusively { _ = timer.cancelPending() }
    #expect(room.most.load(ordering: .sequentiallyConsistent) == 1)
    #expect(room.visits.load(ordering: .sequentiallyConsistent) >= 8 * 150 / 2)
  }

  @Test(arguments: Place.allCases)
  func answersWhatTheBodyAnswersAndThrowsWhatItThrows(_ place: Place) throws {
    let (timer, _) = place.timer(for: store)
    #expect(timer.performExclusively { 42 } == 42)
    #expect(throws: TimeLimitedError.expired) {
      try timer.performExclusively { () throws(TimeLimitedError) in throw .expired }
    }
    // It has let go of the timer.
    #expect(timer.performExclusively { timer.performExclusively { true } })
  }

  /// Once it has returned inside the lock, none runs and none will.
  @Test(arguments: Place.allCases)
  func cancelPendingInsideTheBodyLeavesNoWorkRunning(_ place: Place) {
    let (timer, virtual) = place.timer(for: store)
    let room = Atomic(0)
    for _ in 0..<100 {
      timer.after(.microseconds(1)) { _ in room.add(1, ordering: .sequentiallyConsistent) }
      virtual?.advance(by: .microseconds(1))
      let atCancel = timer.performExclusively {
        timer.cancelPending()
        return room.load(ordering: .sequentiallyConsistent)
      }
      #expect(room.load(ordering: .sequentiallyConsistent) == atCancel)
    }
  }

  @Test func runsOnTheQueueAndInlineThere() {
    let queue = DispatchQueue(label: "here")
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    let timer = BackgroundTimer(for: store, queue: queue)
    #expect(timer.performExclusively { DispatchQueue.getSpecific(key: key) } == true)
    queue.sync {
      #expect(timer.performExclusively { DispatchQueue.getSpecific(key: key) } == true)
    }
  }

  /// A queue that targets the timer's is the timer's, also when it has timers of its own.
  @Test func onAQueueThatTargetsTheTimersQueue() throws {
    let target = DispatchQueue(label: "target")
    let queue = DispatchQueue(label: "queue", target: target)
    let timer = BackgroundTimer(for: store, queue: target)
    let other = DeadlineTimer(queue: queue) { _, _ in }
    queue.sync { #expect(timer.performExclusively { true }) }
    // What is due on the other clocks there is nearer as well.
    let onBoot = BackgroundTimer(for: store, clock: .continuous, queue: target)
    let otherOnBoot = DeadlineTimer(clock: .continuous, queue: queue) { _, _ in }
    queue.sync { #expect(onBoot.performExclusively { timer.performExclusively { true } }) }
    withExtendedLifetime((other, otherOnBoot)) {}
  }

  /// The time that passes in the body is the body's.
  @Test func workThatComesDueInTheBodyRunsAfterIt() {
    let clock = VirtualClock()
    let timer = BackgroundTimer(for: store, clock: .virtual(clock))
    timer.after(.seconds(1)) { $0.done.append("work") }
    timer.performExclusively {
      clock.advance(by: .seconds(5))
      store.done.append("body")
    }
    #expect(store.done.all == ["body", "work"])
    #expect(!timer.isPending)
  }

  /// So does what observers receive, and what another thread's advance makes due.
  @Test func workThatAnotherThreadMakesDueRunsAfterTheBody() {
    let clock = VirtualClock()
    let timer = BackgroundTimer(for: store, clock: .virtual(clock))
    timer.after(.seconds(1)) { $0.done.append("work") }
    timer.performExclusively {
      DispatchQueue.concurrentPerform(iterations: 2) { _ in clock.advance(by: .seconds(5)) }
      store.done.append("body")
    }
    #expect(store.done.all == ["body", "work"])
  }

  @Test func aSuspendedQueueHoldsEverythingBack() {
    let queue = DispatchQueue(label: "suspended")
    let timer = BackgroundTimer(for: store, queue: queue)
    queue.suspend()
    timer.after(.milliseconds(1)) { $0.done.append("work") }
    stayBusy(for: .milliseconds(5))
    #expect(store.done.count == 0)
    #expect(timer.isPending)
    queue.resume()
    while store.done.count == 0 { timer.performExclusively {} }
    #expect(store.done.all == ["work"])
  }

  // MARK: Another queue

  private static func marked(_ label: String) -> DispatchQueue {
    let queue = DispatchQueue(label: label)
    queue.setSpecific(key: queueName, value: label)
    return queue
  }

  private static let queueName = DispatchSpecificKey<String>()

  @Test func movesWhatIsPendingToAnotherQueue() async {
    let (done, continuation) = AsyncStream.makeStream(of: String.self)
    let (old, new) = (Self.marked("old"), Self.marked("new"))
    let timer = BackgroundTimer(for: store, queue: old)
    for queue in [old, new] { queue.suspend() }
    timer.after(.milliseconds(2)) { _ in
      continuation.yield(DispatchQueue.getSpecific(key: Self.queueName) ?? "none")
      continuation.finish()
    }
    let deadline = timer.deadline
    timer.setQueue(new)
    #expect(timer.deadline == deadline)
    for queue in [old, new] { queue.resume() }
    for await queue in done { #expect(queue == "new") }
    #expect(timer.performExclusively { DispatchQueue.getSpecific(key: Self.queueName) } == "new")
    timer.setQueue(nil)
    #expect(timer.performExclusively { DispatchQueue.getSpecific(key: Self.queueName) } == nil)
  }

  /// The work on the old queue continues; what comes due on the new one waits for it, and so does who
  /// asks for the lock.
  @Test func workThatRunsKeepsTheNextAwayAcrossTheMove() {
    let timer = BackgroundTimer(for: store, queue: Self.marked("old"))
    let (begun, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let ended = DispatchSemaphore(value: 0)
    timer.after(.zero) { store in
      begun.signal()
      goOn.wait()
      store.done.append("old ends")
    }
    begun.wait()
    let new = Self.marked("new")
    timer.setQueue(new)
    timer.after(.zero) { store in
      store.done.append("new begins")
      ended.signal()
    }
    // The new queue has woken, and is free for others.
    let woken = DeadlineTimer(queue: new) { _, _ in ended.signal() }
    woken.schedule(at: TimerClock.suspending.now.advanced(by: .milliseconds(2)))
    ended.wait()
    #expect(store.done.count == 0)
    goOn.signal()
    timer.performExclusively { #expect(store.done.all.first == "old ends") }
    ended.wait()
    #expect(store.done.all == ["old ends", "new begins"])
  }

  @Test func movesFromAnyThreadAndInsideTheWork() {
    let queues = (0..<3).map { Self.marked("\($0)") }
    let timer = BackgroundTimer(for: store, .delay, queue: queues[0])
    let room = Room()
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      var random = SplitMix(state: UInt64(thread))
      for _ in 0..<150 {
        switch random.below(4) {
        case 0: timer.setQueue(queues[random.below(3)])
        case 1: timer.performExclusively { room.visit() }
        default:
          let next = queues[random.below(3)]
          timer.after(.microseconds(random.below(3))) { _ in
            room.visit()
            timer.setQueue(next)
          }
        }
      }
    }
    timer.performExclusively { _ = timer.cancelPending() }
    for queue in queues { queue.sync {} }
    #expect(room.most.load(ordering: .sequentiallyConsistent) == 1)
  }
}
