import Dispatch
import Testing

@testable import TimerKit

@Suite struct StopwatchTests {
  let clock = VirtualClock(startingAt: .nanoseconds(7_000_000_000))
  let marks = Recorder<Stopwatch.Delivery>()

  private func make() -> Stopwatch {
    Stopwatch(clock: .virtual(clock)) { [marks] _, mark in marks.append(mark) }
  }

  @Test func countsTheRunningTime() throws {
    let watch = make()
    #expect(watch.elapsed == .zero)
    clock.advance(by: .seconds(5))
    #expect(watch.start() == .changed)
    #expect(watch.start() == .unchanged)
    clock.advance(by: .seconds(3))
    #expect(watch.elapsed == .seconds(3))
    #expect(watch.pause() == .changed)
    #expect(watch.pause() == .unchanged)
    clock.advance(by: .hours(1))
    #expect(watch.elapsed == .seconds(3))
    watch.start()
    clock.advance(by: .milliseconds(500))
    #expect(watch.elapsed == .milliseconds(3_500))
    #expect(watch.state == .running)
  }

  @Test func lapsReportTheirTimeAndTheTotal() throws {
    let watch = make()
    #expect(watch.lap() == nil)
    watch.start()
    clock.advance(by: .seconds(4))
    #expect(watch.lap() == Stopwatch.Lap(number: 1, time: .seconds(4), total: .seconds(4)))
    clock.advance(by: .seconds(1))
    watch.pause()
    #expect(watch.lap() == nil)
    clock.advance(by: .seconds(50))
    watch.start()
    clock.advance(by: .seconds(2))
    #expect(watch.snapshot.lapTime(at: clock.now) == .seconds(3))
    watch.lap()
    #expect(watch.laps.map(\.time) == [.seconds(4), .seconds(3)])
    #expect(watch.laps.map(\.total) == [.seconds(4), .seconds(7)])
    #expect(marks.all == watch.laps.map { .lap($0) })
  }

  @Test func resetRemovesTheLaps() throws {
    let watch = make()
    watch.start()
    clock.advance(by: .seconds(4))
    watch.lap()
    watch.reset()
    #expect(watch.state == .idle)
    #expect(watch.laps == [])
    #expect(watch.elapsed == .zero)
    watch.restart()
    clock.advance(by: .seconds(1))
    #expect(watch.lap()?.number == 1)
    #expect(watch.elapsed == .seconds(1))
  }

  /// A thread that read the clock first may be second to lap.
  @Test func lapsStayInOrder() throws {
    var machine = StopwatchStateMachine()
    _ = machine.start(at: 100)
    let first = machine.lap(at: 150)
    let second = machine.lap(at: 140)
    #expect(first?.total == .nanoseconds(50))
    #expect(second == Stopwatch.Lap(number: 2, time: .zero, total: .nanoseconds(50)))
    #expect(machine.elapsed(at: 130) == 50)
  }

  // MARK: The alarm

  /// No slot in a driver, and therefore no drain, no source and no wake-up.
  @Test func usesNoAlarmUnlessRequested() throws {
    let watch = Stopwatch(clock: .virtual(clock))
    watch.start()
    clock.advance(by: .hours(1))
    watch.pause()
    watch.start()
    watch.restart()
    #expect(clock.driver.usage.slots == 0)
    watch.setAlarm(at: .seconds(1))
    #expect(clock.driver.usage.slots == 1)
  }

  @Test func theAlarmCountsTheRunningTime() throws {
    let watch = make()
    watch.setAlarm(at: .seconds(10))
    clock.advance(by: .seconds(60))
    watch.start()
    clock.advance(by: .seconds(9))
    watch.pause()
    #expect(watch.snapshot.timeLeft(at: clock.now) == .seconds(1))
    clock.advance(by: .seconds(60))
    #expect(marks.count == 0)
    watch.start()
    clock.advance(by: .seconds(60))
    #expect(marks.all == [.alarm(at: .seconds(10), lateness: .zero)])
    #expect(watch.snapshot.alarmHasFired)
    #expect(watch.snapshot.timeLeft(at: clock.now) == nil)
  }

  // MARK: Delivery

  @Test func resetRevokesUndeliveredLaps() throws {
    let watch = Stopwatch(clock: .virtual(clock)) { [marks] watch, mark in
      marks.append(mark)
      watch.lap()
      watch.lap()
      watch.restart()
    }
    watch.start()
    watch.lap()
    #expect(marks.count == 1)
    #expect(watch.snapshot.staleCount == 2)
  }

  @Test func lapsFromManyThreadsAddUpAndAreDeliveredInOrder() throws {
    let queue = DispatchQueue(label: "laps")
    let laps = Recorder<Int>()
    let watch = Stopwatch(queue: queue) { _, mark in
      if case .lap(let lap) = mark { laps.append(lap.number) }
    }
    watch.start()
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<100 { watch.lap() }
    }
    let last = DispatchSemaphore(value: 0)
    watch.observe { watch, event in
      if case .delivery(.lap(let lap)) = event, lap.number == 801 { last.signal() }
    }
    watch.lap()
    last.wait()
    #expect(laps.all == Array(1...801))
    #expect(watch.laps.allSatisfy { $0.time >= .zero })
    #expect(watch.laps.reduce(.zero) { $0 + $1.time } == watch.laps.last?.total)
  }

  @Test func cancelKeepsTheElapsedTime() throws {
    let watch = make()
    watch.start()
    clock.advance(by: .seconds(4))
    #expect(watch.cancel() == .changed)
    #expect(watch.cancel() == .unchanged)
    clock.advance(by: .seconds(4))
    #expect(watch.elapsed == .seconds(4))
    #expect(watch.start() == .refused(.cancelled))
    #expect(watch.pause() == .refused(.cancelled))
    #expect(watch.lap() == nil)
    #expect(watch.reset() == .refused(.cancelled))
    #expect(watch.setAlarm(at: nil) == .refused(.cancelled))
    let other = make()
    other.start()
    clock.advance(by: .seconds(2))
    other.cancelAndWait()
    #expect(other.elapsed == .seconds(2))
    #expect(watch != other)
  }

  @Test func invalidInputThrowsATypedErrorAndChangesNothing() throws {
    let watch = make()
    watch.setAlarm(at: .seconds(3))
    #expect(
      watch.setAlarm(at: .zero)
        == .refused(.invalid(.invalidDuration(.zero, parameter: .alarmTime))))
    #expect(watch.snapshot.alarmTime == .seconds(3))
    #expect(watch.snapshot.generation == 1)
  }

  @Test func theLargestAlarmNeverFires() throws {
    let watch = make()
    watch.setAlarm(at: .seconds(Int64.max))
    watch.start()
    clock.advance(by: .days(365 * 200))
    #expect(marks.count == 0)
    #expect(watch.elapsed == .days(365 * 200))
  }

  @Test(arguments: [Int128.min, .max]) func extremeDurationsAreClamped(_ extreme: Int128) throws {
    let (extreme, longest) = (Duration(attoseconds: extreme), Duration(attoseconds: .max))
    let laps = [Stopwatch.Lap(number: 1, time: extreme, total: extreme)]
    var checkpoint = Stopwatch.Checkpoint(
      state: .running, elapsed: longest, laps: laps, alarmTime: longest, takenAt: clock.wallNow)
    clock.advance(by: .seconds(1))
    let watch = try Stopwatch(restoring: checkpoint, clock: .virtual(clock))
    #expect(watch.elapsed == .nanoseconds(Int64.max))
    let lap = try #require(watch.lap())
    #expect(lap.time >= .zero && lap.total == watch.elapsed)
    #expect(checkpoint.catchUp(to: clock.wallNow) == 0)
    #expect(checkpoint.elapsed == .nanoseconds(Int64.max))
    let snapshot = Stopwatch.Snapshot(
      state: .paused, elapsedWhenStopped: longest, laps: laps, alarmTime: extreme)
    #expect(snapshot.lapTime(at: clock.now) == (extreme < .zero ? .nanoseconds(Int64.max) : .zero))
    #expect(snapshot.timeLeft(at: clock.now) == .zero)
  }

  @Test func theHandlerCanBeSetLater() throws {
    let watch = Stopwatch(clock: .virtual(clock))
    watch.start()
    watch.lap()
    watch.setHandler { [marks] _, mark in marks.append(mark) }
    watch.lap()
    #expect(marks.count == 1)
  }
}
