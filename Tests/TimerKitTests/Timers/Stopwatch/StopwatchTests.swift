import Dispatch
import Testing

@testable import TimerKit

@Suite struct StopwatchTests {
  let timeline = VirtualClock(startingAt: TimerClock.Instant(nanoseconds: 7_000_000_000))
  let marks = Recorder<Stopwatch.Mark>()

  private func make() -> Stopwatch {
    Stopwatch(on: timeline) { [marks] _, mark in marks.append(mark) }
  }

  @Test func countsTheTimeItRuns() throws {
    let watch = make()
    #expect(watch.elapsed == .zero)
    timeline.advance(by: .seconds(5))
    #expect(try watch.start())
    #expect(try !watch.start())
    timeline.advance(by: .seconds(3))
    #expect(watch.elapsed == .seconds(3))
    #expect(try watch.pause())
    #expect(try !watch.pause())
    timeline.advance(by: .hours(1))
    #expect(watch.elapsed == .seconds(3))
    try watch.start()
    timeline.advance(by: .milliseconds(500))
    #expect(watch.elapsed == .milliseconds(3_500))
    #expect(watch.state == .running)
  }

  @Test func lapsTellTheirTimeAndTheTotal() throws {
    let watch = make()
    #expect(try watch.lap() == nil)
    try watch.start()
    timeline.advance(by: .seconds(4))
    #expect(try watch.lap() == Stopwatch.Lap(number: 1, time: .seconds(4), total: .seconds(4)))
    timeline.advance(by: .seconds(1))
    try watch.pause()
    #expect(try watch.lap() == nil)
    timeline.advance(by: .seconds(50))
    try watch.start()
    timeline.advance(by: .seconds(2))
    #expect(watch.snapshot.lapTime(at: timeline.now) == .seconds(3))
    try watch.lap()
    #expect(watch.laps.map(\.time) == [.seconds(4), .seconds(3)])
    #expect(watch.laps.map(\.total) == [.seconds(4), .seconds(7)])
    #expect(marks.all == watch.laps.map { .lap($0) })
  }

  @Test func resetForgetsTheLaps() throws {
    let watch = make()
    try watch.start()
    timeline.advance(by: .seconds(4))
    try watch.lap()
    try watch.reset()
    #expect(watch.state == .idle)
    #expect(watch.laps == [])
    #expect(watch.elapsed == .zero)
    try watch.reset(restart: true)
    timeline.advance(by: .seconds(1))
    #expect(try watch.lap()?.number == 1)
    #expect(watch.elapsed == .seconds(1))
  }

  /// A thread that read the clock first may come second.
  @Test func lapsNeverOvertakeEachOther() throws {
    var machine = StopwatchStateMachine()
    _ = try machine.start(at: 100)
    let first = try machine.lap(at: 150)
    let second = try machine.lap(at: 140)
    #expect(first?.total == .nanoseconds(50))
    #expect(second == Stopwatch.Lap(number: 2, time: .zero, total: .nanoseconds(50)))
    #expect(machine.elapsed(at: 130) == 50)
  }

  // MARK: The alarm

  /// No slot with a driver, and so no drain, no source and no wake-up.
  @Test func takesNoAlarmUnlessItIsAskedFor() throws {
    let watch = Stopwatch(on: timeline)
    try watch.start()
    timeline.advance(by: .hours(1))
    try watch.pause()
    try watch.start()
    try watch.reset(restart: true)
    #expect(timeline.alarmDriver(for: nil).usage.slots == 0)
    try watch.setAlarm(at: .seconds(1))
    #expect(timeline.alarmDriver(for: nil).usage.slots == 1)
  }

  @Test func theAlarmCountsTheTimeThatItRan() throws {
    let watch = make()
    try watch.setAlarm(at: .seconds(10))
    timeline.advance(by: .seconds(60))
    try watch.start()
    timeline.advance(by: .seconds(9))
    try watch.pause()
    #expect(watch.snapshot.timeLeft(at: timeline.now) == .seconds(1))
    timeline.advance(by: .seconds(60))
    #expect(marks.count == 0)
    try watch.start()
    timeline.advance(by: .seconds(60))
    #expect(marks.all == [.alarm(at: .seconds(10), lateness: .zero)])
    #expect(watch.snapshot.alarmHasFired)
    #expect(watch.snapshot.timeLeft(at: timeline.now) == nil)
  }

  @Test func theAlarmRingsAgainAfterAReset() throws {
    let watch = make()
    try watch.setAlarm(at: .seconds(10))
    try watch.start()
    timeline.advance(by: .seconds(60))
    try watch.reset(restart: true)
    timeline.advance(by: .seconds(60))
    #expect(marks.count == 2)
  }

  @Test func theAlarmCanBeMovedAndTakenAway() throws {
    let watch = make()
    try watch.start()
    try watch.setAlarm(at: .seconds(10))
    timeline.advance(by: .seconds(5))
    try watch.setAlarm(at: .seconds(20))
    timeline.advance(by: .seconds(10))
    #expect(marks.count == 0)
    try watch.setAlarm(at: nil)
    timeline.advance(by: .seconds(60))
    #expect(marks.count == 0)
    try watch.setAlarm(at: .seconds(1))
    timeline.advance(by: .zero)
    #expect(marks.all == [.alarm(at: .seconds(1), lateness: .seconds(74))])
  }

  @Test func aHandlerCanAskForTheNextAlarm() throws {
    let watch = Stopwatch(on: timeline) { [marks] watch, mark in
      marks.append(mark)
      if case .alarm(let elapsed, _) = mark, elapsed < .seconds(30) {
        #expect(throws: Never.self) { try watch.setAlarm(at: elapsed + .seconds(10)) }
      }
    }
    try watch.setAlarm(at: .seconds(10))
    try watch.start()
    timeline.advance(by: .minutes(5))
    #expect(
      marks.all == [10, 20, 30].map { .alarm(at: .seconds($0), lateness: .zero) })
  }

  // MARK: Delivery

  @Test func resetTakesLapsBackThatAreNotTold() throws {
    let watch = Stopwatch(on: timeline) { [marks] watch, mark in
      marks.append(mark)
      #expect(throws: Never.self) {
        try watch.lap()
        try watch.lap()
        try watch.reset(restart: true)
      }
    }
    try watch.start()
    try watch.lap()
    #expect(marks.count == 1)
    #expect(watch.snapshot.staleCount == 2)
  }

  @Test func aPauseTakesNoLapBack() throws {
    let watch = Stopwatch(on: timeline) { [marks] watch, mark in
      marks.append(mark)
      guard marks.count == 1 else { return }
      #expect(throws: Never.self) {
        try watch.lap()
        try watch.pause()
      }
    }
    let seen = Recorder<String>()
    watch.observe { _, event in if case .tick = event { seen.append("lap") } }
    try watch.start()
    try watch.lap()
    #expect(marks.count == 2)
    #expect(seen.count == 2)
  }

  @Test func lapsOfManyThreadsAddUpAndAreToldInOrder() throws {
    let queue = DispatchQueue(label: "laps")
    let laps = Recorder<Int>()
    let watch = Stopwatch(queue: queue) { _, mark in
      if case .lap(let lap) = mark { laps.append(lap.number) }
    }
    try watch.start()
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<200 { _ = try? watch.lap() }
    }
    let last = DispatchSemaphore(value: 0)
    watch.observe { watch, event in
      if case .tick(.lap(let lap)) = event, lap.number == 1_601 { last.signal() }
    }
    try watch.lap()
    last.wait()
    #expect(laps.all == Array(1...1_601))
    #expect(watch.laps.allSatisfy { $0.time >= .zero })
    #expect(watch.laps.reduce(.zero) { $0 + $1.time } == watch.laps.last?.total)
  }

  @Test func cancelKeepsWhatHasElapsed() throws {
    let watch = make()
    try watch.start()
    timeline.advance(by: .seconds(4))
    #expect(watch.cancel())
    #expect(!watch.cancel())
    timeline.advance(by: .seconds(4))
    #expect(watch.elapsed == .seconds(4))
    #expect(throws: TimerError.cancelled) { try watch.start() }
    #expect(throws: TimerError.cancelled) { try watch.pause() }
    #expect(throws: TimerError.cancelled) { try watch.lap() }
    #expect(throws: TimerError.cancelled) { try watch.reset() }
    #expect(throws: TimerError.cancelled) { try watch.setAlarm(at: nil) }
    let other = make()
    try other.start()
    timeline.advance(by: .seconds(2))
    other.cancelAndWait()
    #expect(other.elapsed == .seconds(2))
    #expect(watch != other)
  }

  @Test func badInputIsATypedErrorBeforeAnythingChanges() throws {
    let watch = make()
    try watch.setAlarm(at: .seconds(3))
    #expect(throws: TimerError.invalidInterval(.zero)) { try watch.setAlarm(at: .zero) }
    #expect(watch.snapshot.alarmTime == .seconds(3))
    #expect(watch.snapshot.generation == 1)
  }

  @Test func theLargestAlarmNeverComes() throws {
    let watch = make()
    try watch.setAlarm(at: .seconds(Int64.max))
    try watch.start()
    timeline.advance(by: .days(365 * 200))
    #expect(marks.count == 0)
    #expect(watch.elapsed == .days(365 * 200))
  }

  @Test func theHandlerCanBeGivenLater() throws {
    let watch = Stopwatch(on: timeline)
    try watch.start()
    try watch.lap()
    watch.setHandler { [marks] _, mark in marks.append(mark) }
    try watch.lap()
    #expect(marks.count == 1)
  }
}
