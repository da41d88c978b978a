import Dispatch
import Testing

@testable import TimerKit

/// Rare cases of the storage: alarms that come too late, queue changes, cancellation.
@Suite struct StorageEdgeTests {
  private let second = Duration.seconds(1)

  @Test func anAlarmOfAnEarlierScheduleIsRejected() throws {
    let clock = VirtualClock()
    let ticks = Recorder<Int>()
    let timer = try Repeater(interval: second, clock: .virtual(clock)) { _, tick in
      ticks.append(tick.iteration)
    }
    timer.start()
    let ticket = timer.storage.readGuardedState { $0.alarm.ticket }
    timer.storage.handle(timer, .alarm(ticket: ticket + 1), at: .max)
    #expect(ticks.all == [])
    timer.storage.handle(timer, .alarm(ticket: ticket), at: .max)
    #expect(ticks.all == [1])
  }

  /// Two drivers can issue the same ticket.
  @Test func anAlarmOfThePreviousDriverIsRejected() {
    let runs = Recorder<Int>()
    let (left, entered) = (DispatchQueue(label: "left"), DispatchQueue(label: "entered"))
    let timer = BackgroundTimer(for: runs, queue: left)
    timer.perform(after: .seconds(1_000)) { $0.append(1) }
    timer.setQueue(entered)
    let ticket = timer.storage.readGuardedState { $0.alarm.ticket }
    #expect(ticket != 0)
    timer.storage.handle(timer, .alarm(ticket: ticket), at: .max)
    #expect(runs.all == [])
    #expect(TimerClock.suspending.timeSource.driver(for: left).usage.freeSlots == 1)
    #expect(TimerClock.suspending.timeSource.driver(for: entered).usage.freeSlots == 0)
  }

  /// A delivery that is pending on one queue is delivered on the other.
  @Test func pendingDeliveriesMoveToTheNewQueue() {
    let (left, entered) = (DispatchQueue(label: "left"), DispatchQueue(label: "entered"))
    let reported = DispatchSemaphore(value: 0)
    let timer = BackgroundTimer(for: reported, queue: left)
    timer.observe { _, event in
      if case .state(_, to: .pending) = event { reported.signal() }
    }
    left.suspend()
    timer.perform(after: .seconds(1_000)) { _ in }
    timer.setQueue(entered)
    #expect(reported.wait(timeout: .now() + .seconds(60)) == .success)
    left.resume()
  }

  /// A drain on the old queue requests the next drain on the timer's current queue.
  @Test func deliveriesLeftByADrainMoveToTheNewQueue() {
    let (left, entered) = (DispatchQueue(label: "left"), DispatchQueue(label: "entered"))
    let reported = DispatchSemaphore(value: 0)
    let timer = BackgroundTimer(for: reported, queue: left)
    timer.observe { timer, event in
      guard case .state(_, let state) = event else { return }
      if state == .idle { reported.signal() }
      guard state == .pending else { return }
      timer.setQueue(entered)
      timer.cancelPending()
    }
    timer.perform(after: .seconds(1_000)) { _ in }
    #expect(reported.wait(timeout: .now() + .seconds(60)) == .success)
  }

  /// The slot is kept until the requested drain has run.
  @Test func cancellationBeforeTheDrainIsReported() throws {
    let queue = DispatchQueue(label: "busy")
    let states = Recorder<TimerState>()
    let ended = DispatchSemaphore(value: 0)
    let timer = try Repeater(interval: second, queue: queue) { _, _ in }
    timer.observe { _, event in
      guard case .state(_, let state) = event else { return }
      states.append(state)
      if state == .cancelled { ended.signal() }
    }
    queue.suspend()
    timer.start()
    timer.cancel()
    queue.resume()
    #expect(ended.wait(timeout: .now() + .seconds(60)) == .success)
    #expect(states.all == [.running, .cancelled])
  }

  /// The generation is correct however often the alarm was superseded.
  @Test func aStaleAlarmReportsItsGeneration() throws {
    let clock = VirtualClock()
    let refused = Recorder<UInt64>()
    let other = Guarded<Repeater?>(nil)
    let expected = Guarded<UInt64>(0)
    let first = try Repeater.once(after: second, clock: .virtual(clock)) { _, _ in
      guard let other = other.withLock({ $0 }) else { return }
      expected.withLock { $0 = other.storage.readGuardedState { $0.machine.generation } }
      // Deferred, due again, and deferred again.
      other.adjustTimeLeft(by: .seconds(1))
      other.adjustTimeLeft(by: .seconds(-1))
      other.restart()
    }
    let late = try Repeater.every(second, clock: .virtual(clock)) { _, _ in }
    late.observe { _, event in
      if case .stale(let generation) = event { refused.append(generation) }
    }
    other.withLock { $0 = late }
    clock.advance(by: second)
    #expect(first.state == .finished)
    #expect(expected.withLock { $0 } > 0)
    #expect(refused.all == [expected.withLock { $0 }])
  }

  @Test func aCancelledTimerReleasesItsSlot() throws {
    let clock = VirtualClock()
    let timer = try Repeater.every(second, clock: .virtual(clock)) { _, _ in }
    let inHandler = try Repeater.every(second, clock: .virtual(clock)) { timer, _ in timer.cancel()
    }
    let observed = try Repeater.every(second, clock: .virtual(clock)) { _, _ in }
    observed.observe { _, _ in }
    func usedSlots() -> Int {
      let usage = clock.driver.usage
      return usage.slots - usage.freeSlots
    }
    #expect(usedSlots() == 3)
    timer.cancel()
    #expect(usedSlots() == 2)
    inHandler.fire()
    #expect(inHandler.state == .cancelled)
    #expect(usedSlots() == 1)
    observed.cancel()
    #expect(usedSlots() == 0)
    withExtendedLifetime((timer, inHandler, observed)) {}
  }

  @Test func aMovedTimerReleasesItsSlot() {
    let store = Recorder<Int>()
    let timer = BackgroundTimer(for: store)
    timer.setQueue(DispatchQueue(label: "new"))
    let driver = timer.storage.readGuardedState { $0.driver(of: timer) }
    timer.perform(after: .hours(1)) { _ in }
    #expect(driver.usage.slots - driver.usage.freeSlots == 1)
    timer.cancel()
    #expect(driver.usage.slots - driver.usage.freeSlots == 0)
  }

  /// Cancelled during a delivery: streams end after they have received the cancellation.
  @Test func aStreamReceivesTheCancellationBeforeItEnds() async throws {
    let timer = try Repeater.every(second, clock: .virtual(VirtualClock())) { _, _ in }
    timer.onStateChanged = { timer, _, to in
      if to == .paused { timer.cancel() }
    }
    let events = timer.events()
    timer.pause()
    var states: [TimerState] = []
    for await case .state(_, let to) in events { states.append(to) }
    #expect(states == [.paused, .cancelled])
  }

  @Test func anUnreadStreamIsRemoved() throws {
    let timer = try Repeater(interval: second, clock: .virtual(VirtualClock())) { _, _ in }
    _ = timer.events()
    #expect(timer.storage.readGuardedState { $0.observers.all.count } == 1)
  }

  /// A source that fires while another thread runs a wake leaves its work to that thread.
  @Test func handlersOnAConcurrentQueueRunOneAtATime() throws {
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    for attempt in 1... {
      let wait = 50 * attempt
      let (other, passed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let done = DispatchSemaphore(value: 0)
      let outcomes = Recorder<DispatchTimeoutResult>()
      let late = try Repeater.once(after: .milliseconds(wait), queue: queue) { _, _ in
        other.signal()
      }
      let first = try Repeater(interval: .days(1), queue: queue) { _, _ in
        // On a busy machine the other thread may have been first.
        if late.state == .running {
          // Waits until a thread runs for the source, which is due earlier.
          queue.asyncAfter(deadline: .now() + .milliseconds(2 * wait)) { passed.signal() }
          passed.wait()
          outcomes.append(other.wait(timeout: .now() + .milliseconds(50)))
        }
        done.signal()
      }
      first.fire()
      done.wait()
      if let outcome = outcomes.all.first {
        #expect(outcome == .timedOut)
        #expect(other.wait(timeout: .now() + .seconds(60)) == .success)
        return
      }
    }
  }
}
