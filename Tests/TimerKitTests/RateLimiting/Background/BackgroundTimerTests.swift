import Dispatch
import Testing

@testable import TimerKit

/// An object that occasionally has work to do, the case for which MABGTimer was written.
final class Store: Sendable {
  let done = Recorder<String>()
}

@Suite struct BackgroundTimerTests {
  let clock = VirtualClock()
  let store = Store()

  private func make(_ behavior: BackgroundBehavior = .coalesce) -> BackgroundTimer<Store> {
    BackgroundTimer(for: store, behavior: behavior, clock: .virtual(clock))
  }

  // MARK: Deadlines

  /// Includes the diagrams of the documentation: `a` schedules work five steps later, `b` nine, `c` two
  /// and `z` zero.
  @Test(arguments: [
    (BackgroundBehavior.coalesce, "a-b-------------", "-----b----------"),
    (.delay, "a-b-------------", "-----------b----"),
    (.coalesce, "a--a--a--a-------", "-----a-----a-----"),
    (.delay, "a--a--a--a-------", "--------------a--"),
    (.coalesce, "b--c------------", "-----c----------"),
    (.delay, "b--c------------", "-----c----------"),
    (.coalesce, "c-b-------------", "--b-------------"),
    (.delay, "c-b-------------", "-----------b----"),
    (.coalesce, "--X-a--X--------", "----------------"),
    (.delay, "a-X-a-----------", "---------a------"),
    (.coalesce, "z---------------", "z---------------"),
  ])
  func matchesTheDiagrams(_ behavior: BackgroundBehavior, _ calls: String, _ runs: String) {
    let delays: [Character: Int] = ["a": 5, "b": 9, "c": 2, "z": 0]
    let drawn = marbles(calls) { clock, report in
      let store = Store()
      let timer = BackgroundTimer(for: store, behavior: behavior, clock: .virtual(clock))
      return { marble in
        withExtendedLifetime(store) {
          switch marble {
          case .call(let name):
            timer.perform(after: .milliseconds(delays[name] ?? 0)) { _ in report(name) }
          case .cancelPending: timer.cancelPending()
          case .flush: break
          }
        }
      }
    }
    #expect(drawn == runs)
  }

  @Test func aNegativeDelayIsImmediateAndTheLongestNeverElapses() {
    let timer = make(.delay)
    timer.perform(after: .seconds(-9)) { $0.done.append("at once") }
    #expect(timer.deadline == clock.now)
    clock.advance(by: .zero)
    #expect(store.done.count == 1)
    timer.perform(after: .seconds(Int64.max)) { $0.done.append("never") }
    clock.advance(by: .days(365 * 200))
    #expect(store.done.count == 1)
    #expect(timer.deadline == clock.instant(.max))
  }

  @Test func invalidInputThrowsATypedError() {
    #expect(throws: TimerConfigurationError.invalidDuration(.seconds(-1), parameter: .tolerance)) {
      try BackgroundTimer(for: store, tolerance: .seconds(-1), clock: .virtual(clock))
    }
  }

  // MARK: The owner

  @Test func theWorkReceivesItsOwnerWhichCanBeSetLater() {
    let timer = BackgroundTimer<Store>(clock: .virtual(clock))
    timer.perform(after: .seconds(1)) { $0.done.append("early") }
    timer.owner = store
    #expect(timer.owner === store)
    clock.advance(by: .seconds(1))
    #expect(store.done.all == ["early"])
  }

  // MARK: Controls

  /// Committed, and revoked before it started.
  @Test func committedWorkCanStillBeDropped() {
    var machine = BackgroundStateMachine<Int>(.coalesce)
    var work: Int? = 1
    machine.submit(&work, after: 5, at: 0)
    guard case .deliver = machine.handleArmedAlarm(at: 5) else {
      Issue.record("no delivery")
      return
    }
    #expect(!machine.isPending)
    #expect(machine.cancelPending() == [1])
    #expect(machine.takeDueWork() == nil)
  }

  @Test func snapshotCountsTheOutcomesOfCalls() {
    let timer = make()
    let runs = Recorder<BackgroundRun>()
    timer.observe { _, event in
      if case .delivery(let run) = event { runs.append(run) }
    }
    for _ in 0..<3 { timer.perform(after: .seconds(1)) { _ in } }
    clock.advance(by: .seconds(1))
    timer.perform(after: .seconds(5)) { _ in }
    let snapshot = timer.snapshot
    #expect(snapshot.callCount == 4)
    #expect(snapshot.deliveredCount == 1)
    #expect(snapshot.droppedCount == 2)
    #expect(snapshot.pendingCount == 1)
    #expect(snapshot.state == .pending)
    #expect(snapshot.deadline == timer.deadline)
    #expect(
      runs.all == [
        BackgroundRun(
          callCount: 3, generation: 1, deadline: clock.instant(1_000_000_000),
          lateness: .zero)
      ])
    #expect(timer.behavior == .coalesce)
  }

  @Test func statesAreReported() async {
    var timer: BackgroundTimer? = make()
    let events = timer?.events()
    timer?.perform(after: .seconds(1)) { [weak timer] _ in
      timer?.perform(after: .seconds(1)) { _ in }
    }
    await clock.advance(by: .seconds(1))
    timer?.cancelPending()
    timer = nil
    var states: [CallState] = []
    for await case .state(_, let new) in events ?? AsyncStream(unfolding: { nil }) {
      states.append(new)
    }
    #expect(states == [.pending, .idle, .cancelled])
  }

  @Test func theStateInTheWorkIsTheUnderlyingState() {
    let timer = make()
    let states = Recorder<CallState>()
    let result = timer.perform(after: .zero) { [weak timer] _ in
      guard let timer else { return }
      #expect(timer.isExecuting && timer.snapshot.isExecuting)
      states.append(timer.state)
      timer.perform(after: .seconds(1)) { _ in }
      states.append(timer.snapshot.state)
      timer.cancel()
      states.append(timer.state)
    }
    #expect(result == .changed)
    clock.advance(by: .zero)
    #expect(states.all == [.idle, .pending, .cancelled])
    #expect(!timer.snapshot.isExecuting)
  }

  @Test func removingObserversKeepsTheWork() {
    let timer = make()
    let runs = Recorder<Void>()
    timer.observe { _, _ in runs.append(()) }
    timer.onStateChanged = { _, _, _ in runs.append(()) }
    timer.removeAllObservers()
    timer.perform(after: .seconds(1)) { $0.done.append("work") }
    clock.advance(by: .seconds(1))
    #expect(store.done.count == 1)
    #expect(runs.count == 0)
  }

  /// A value that is released while the mutex is locked deadlocks, or traps, if it uses the timer.
  @Test func workIsReleasedOutsideTheMutex() {
    final class Load: Sendable {
      let timer: BackgroundTimer<Store>
      init(_ timer: BackgroundTimer<Store>) { self.timer = timer }
      deinit {
        _ = timer.isPending
        timer.owner?.done.append("released")
      }
    }
    let timer = make()
    for _ in 0..<3 { timer.perform(after: .seconds(1)) { [load = Load(timer)] _ in _ = load } }
    #expect(store.done.count == 2)
    timer.cancelPending()
    #expect(store.done.count == 3)
    timer.perform(after: .seconds(1)) { [load = Load(timer)] _ in _ = load }
    clock.advance(by: .seconds(1))
    #expect(store.done.count == 4)
  }
}
