import Dispatch
import Testing

@testable import TimerKit

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A thread that holds the lock of a ``BackgroundTimer`` never waits for it, wherever the timer
/// moves.
@Suite(.timeLimit(.minutes(20))) struct BackgroundTimerDeadlockTests {
  let store = Store()

  /// The new queue is busy with a block that waits for the same lock.
  @Test func exclusiveAccessCanNestAfterAQueueChange() {
    let timer = BackgroundTimer(for: store, queue: DispatchQueue(label: "old"))
    let new = DispatchQueue(label: "new")
    let (waits, entered) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    timer.performExclusively {
      timer.setQueue(new)
      new.async {
        waits.signal()
        timer.performExclusively { _ = entered.signal() }
      }
      waits.wait()
      #expect(timer.performExclusively { entered.wait(timeout: .now()) == .timedOut })
    }
    entered.wait()
  }

  @Test func workCanAcquireTheLockAfterAQueueChange() {
    let timer = BackgroundTimer(for: store, queue: DispatchQueue(label: "old"))
    let new = DispatchQueue(label: "new")
    let (waits, entered) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let done = DispatchSemaphore(value: 0)
    timer.perform(after: .zero) { _ in
      timer.setQueue(new)
      new.async {
        waits.signal()
        timer.performExclusively { _ = entered.signal() }
      }
      waits.wait()
      timer.performExclusively { _ = done.signal() }
    }
    done.wait()
    entered.wait()
  }

  /// The work of each timer runs on the other timer's queue.
  @Test func twoTimersCanUseEachOthersQueue() {
    let queues = (0..<2).map { DispatchQueue(label: "\($0)") }
    let timers = queues.map { BackgroundTimer(for: store, queue: $0) }
    let (moved, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let done = DispatchSemaphore(value: 0)
    for (index, timer) in timers.enumerated() {
      timer.perform(after: .zero) { _ in
        timer.setQueue(queues[1 - index])
        moved.signal()
        goOn.wait()
        timer.performExclusively { _ = done.signal() }
      }
    }
    for _ in timers { moved.wait() }
    for _ in timers { goOn.signal() }
    for _ in timers { done.wait() }
  }

  /// The first thread has acquired `first`, and no longer waits for `second`.
  @Test func aWaitThatHasEndedIsInNoDeadlock() {
    let first = BackgroundTimer(for: store, clock: .virtual(VirtualClock()))
    let second = BackgroundTimer(for: store, clock: .virtual(VirtualClock()))
    let (begun, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    DispatchQueue(label: "other").async {
      begun.wait()
      second.performExclusively { first.performExclusively {} }
      done.signal()
    }
    first.performExclusively {
      second.performExclusively {}
      begun.signal()
      // Until the other thread waits.
      while first.storage.readGuardedState(\.coldState.isUnused) { usleep(100) }
    }
    done.wait()
  }

  enum Nesting: Int, CaseIterable, Codable, Sendable { case lock, work }

  /// One thread holds `first` and acquires `second`, another thread the other way round.
  @Test(arguments: Nesting.allCases)
  func oppositeNestingTraps(_ nesting: Nesting) async {
    await #expect(processExitsWith: .failure) { [nesting] in
      let store = Store()
      let timers = (0..<2).map { BackgroundTimer(for: store, queue: DispatchQueue(label: "\($0)")) }
      let begun = DispatchSemaphore(value: 0)
      let goOn = DispatchSemaphore(value: 0)
      let done = DispatchSemaphore(value: 0)
      for index in 0..<2 {
        let (own, other) = (timers[index], timers[1 - index])
        let body: @Sendable () -> Void = {
          begun.signal()
          goOn.wait()
          other.performExclusively {}
          done.signal()
        }
        switch nesting {
        case .lock: DispatchQueue.global().async { own.performExclusively(body) }
        case .work: own.perform(after: .zero) { _ in body() }
        }
      }
      for _ in 0..<2 { begun.wait() }
      for _ in 0..<2 { goOn.signal() }
      // Without the trap both threads wait forever: the process then exits normally and the test
      // fails.
      _ = done.wait(timeout: .now() + 20)
      exit(EXIT_SUCCESS)
    }
  }

  /// Waiting for one another by drains is no deadlock.
  @Test func nestingInOneOrderDoesNotTrap() {
    let timers = (0..<3).map { BackgroundTimer(for: store, queue: DispatchQueue(label: "\($0)")) }
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for round in 0..<300 {
        switch (thread + round) % 3 {
        case 0:
          timers[0].performExclusively {
            timers[1].performExclusively { timers[2].performExclusively {} }
          }
        case 1: timers[0].performExclusively { timers[2].performExclusively {} }
        default:
          timers[1].performExclusively { timers[2].performExclusively {} }
          timers[0].perform(after: .zero) { _ in timers[1].performExclusively {} }
        }
      }
    }
    timers[0].performExclusively { _ = timers[0].cancel() }
  }
}
