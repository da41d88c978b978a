import Dispatch
import Testing
import TimerKit

/// The requests of manual ticks and skips that wait for their delivery.
@Suite struct PendingRequestTests {
  /// Inside the handler, nothing is delivered.
  @Test func theNumberOfRequestsThatWaitIsLimited() throws {
    let clock = VirtualClock()
    let refused = ControlResult.refused(.tooManyPending)
    let results = Recorder<ControlResult>()
    let repeater = try Repeater(interval: .seconds(1), clock: .virtual(clock)) {
      [results] timer, _ in
      guard results.count == 0 else { return }
      for _ in 0..<1025 { results.append(timer.fire()) }
      results.append(timer.fire(pausing: true))
    }
    repeater.start()
    repeater.fire()
    #expect(results.all == Array(repeating: .changed, count: 1024) + [refused, refused])
    #expect(repeater.snapshot.deliveredCount == 1025)
    #expect(repeater.state == .running)
    #expect(repeater.fire() == .changed)

    let cycle = try Cycle([.init("a", .seconds(1))], rounds: 3000, clock: .virtual(clock)) {
      [results] cycle, tick in
      guard tick.ended.round == 1 else { return }
      for _ in 0..<1025 { results.append(cycle.skip()) }
    }
    cycle.skip()
    #expect(results.all.last == refused)
    #expect(results.all.filter { $0 == refused }.count == 3)
  }

  @Test func theNumberOfLapsThatWaitIsLimited() {
    let clock = VirtualClock()
    let taken = Recorder<Int>()
    let watch = Stopwatch(clock: .virtual(clock)) { [taken] watch, _ in
      guard taken.count == 0 else { return }
      for _ in 0..<1025 { taken.append(watch.lap()?.number ?? 0) }
    }
    watch.start()
    #expect(watch.lap()?.number == 1)
    #expect(taken.all == Array(2...1025) + [0])
    #expect(watch.laps.count == 1025 && watch.snapshot.deliveredCount == 1025)
    #expect(watch.lap()?.number == 1026)
  }

  /// Nobody receives them.
  @Test func theLapsOfAStopwatchWithoutHandlerWaitForNoQueue() {
    let queue = DispatchQueue(label: "suspended")
    queue.suspend()
    let watch = Stopwatch(queue: queue)
    watch.start()
    for _ in 0..<3_000 { watch.lap() }
    #expect(watch.laps.count == 3_000 && watch.snapshot.deliveredCount == 3_000)
    queue.resume()
  }

  @Test func theNumberOfCallsThatWaitWithoutAnIntervalIsLimited() throws {
    let clock = VirtualClock()
    let accepted = Recorder<Bool>()
    let last = Recorder<Int>()
    let throttler = try Throttler<Int>(interval: .zero, clock: .virtual(clock)) {
      [accepted, last] throttler, value in
      last.append(value)
      guard accepted.count == 0 else { return }
      for value in 1...1025 { accepted.append(throttler.call(value)) }
    }
    throttler.call(0)
    #expect(accepted.all == Array(repeating: true, count: 1024) + [false])
    #expect(last.all == Array(0...1024))
    #expect(throttler.snapshot.droppedCount == 1)
    #expect(throttler.call(1))
  }
}
