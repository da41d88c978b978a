import Testing

@testable import TimerKit

@Suite struct CountdownTests {
  let timeline = VirtualClock()
  let heard = Recorder<Int>()

  private func make(
    from steps: Int, every interval: Duration = .seconds(1),
    missed: Repeater.MissedTicks = .skip,
    handler: @escaping @Sendable (Countdown) -> Void = { _ in }
  ) throws -> Countdown {
    try Countdown(from: steps, every: interval, missed: missed, on: timeline) {
      [heard] countdown, stepsLeft in
      heard.append(stepsLeft)
      handler(countdown)
    }
  }

  @Test func tellsTheStepsLeftAndFinishes() throws {
    let countdown = try make(from: 5)
    #expect(countdown.stepsLeft == 5)
    try countdown.start()
    timeline.advance(by: .seconds(2))
    #expect(countdown.stepsLeft == 3)
    timeline.advance(by: .seconds(60))
    #expect(heard.all == [4, 3, 2, 1, 0])
    #expect(countdown.state == .finished)
    #expect(countdown.stepsLeft == 0)
  }

  @Test func oneStepIsEnough() throws {
    let countdown = try make(from: 1)
    try countdown.start()
    timeline.advance(by: .seconds(1))
    #expect(heard.all == [0])
    #expect(countdown.state == .finished)
  }

  @Test func startsAnewWhenItIsOver() throws {
    let countdown = try make(from: 2)
    try countdown.start()
    timeline.advance(by: .seconds(5))
    #expect(try countdown.start())
    timeline.advance(by: .seconds(5))
    #expect(heard.all == [1, 0, 1, 0])
  }

  @Test func pauseKeepsWhatIsLeftOfTheStep() throws {
    let countdown = try make(from: 3)
    try countdown.start()
    timeline.advance(by: .milliseconds(1_700))
    #expect(try countdown.pause())
    #expect(try !countdown.pause())
    #expect(countdown.timeLeft == .milliseconds(300))
    timeline.advance(by: .hours(1))
    try countdown.start()
    timeline.advance(by: .milliseconds(299))
    #expect(heard.all == [2])
    timeline.advance(by: .milliseconds(1))
    #expect(heard.all == [2, 1])
  }

  @Test func controlsOfTheSchedule() throws {
    let countdown = try make(from: 4)
    try countdown.start()
    timeline.advance(by: .seconds(1))
    try countdown.setInterval(.seconds(10))
    timeline.advance(by: .seconds(9))
    #expect(try countdown.adjustTimeLeft(by: .seconds(4)))
    timeline.advance(by: .seconds(4))
    #expect(heard.all == [3])
    timeline.advance(by: .seconds(1))
    #expect(heard.all == [3, 2])
    #expect(try countdown.setStepsLeft(5))
    #expect(try countdown.step())
    #expect(heard.all == [3, 2, 4])
    try countdown.reset(interval: .seconds(1), restart: false)
    #expect(countdown.stepsLeft == 4)
    timeline.advance(by: .seconds(9))
    #expect(heard.count == 3)
    #expect(try countdown.step(andPause: true))
    #expect(heard.all.last == 3)
  }

  @Test func everyNumberIsToldWhateverIsMissed() throws {
    for policy in [Repeater.MissedTicks.skip, .delay, .burst(limit: 9)] {
      let late = Recorder<Int>()
      let countdown = try Countdown(
        from: 6, every: .seconds(1), missed: policy, on: timeline
      ) { [timeline] _, stepsLeft in
        late.append(stepsLeft)
        if stepsLeft == 4 { timeline.advance(by: .milliseconds(2_500)) }
      }
      try countdown.start()
      timeline.advance(by: .seconds(20))
      #expect(late.all == [5, 4, 3, 2, 1, 0], "\(policy)")
    }
  }

  @Test func isCurrentOfATickThatObserversAreGiven() throws {
    let countdown = try make(from: 3)
    let ticks = Recorder<Countdown.Tick>()
    countdown.observe { _, event in
      if case .tick(let tick) = event { ticks.append(tick) }
    }
    try countdown.start()
    timeline.advance(by: .seconds(1))
    #expect(ticks.all.map(\.remainingIterations) == [2])
    #expect(countdown.isCurrent(ticks.all[0]))
    try countdown.adjustTimeLeft(by: .seconds(1))
    #expect(!countdown.isCurrent(ticks.all[0]))
  }

  @Test func theHandlerCanBeReplacedAndCancels() throws {
    let countdown = try make(from: 3) { $0.cancel() }
    let other = Recorder<Int>()
    countdown.setHandler { countdown, stepsLeft in
      other.append(stepsLeft)
      if stepsLeft == 1 { countdown.cancel() }
    }
    try countdown.start()
    timeline.advance(by: .seconds(9))
    #expect(other.all == [2, 1])
    #expect(heard.count == 0)
    #expect(countdown.state == .cancelled)
    #expect(throws: TimerError.cancelled) { try countdown.start() }
  }

  @Test func badInputIsATypedErrorBeforeAnythingChanges() throws {
    #expect(throws: TimerError.invalidCount(0)) { _ = try make(from: 0) }
    #expect(throws: TimerError.invalidCount(-3)) { _ = try make(from: -3) }
    #expect(throws: TimerError.invalidInterval(.zero)) { _ = try make(from: 3, every: .zero) }
    #expect(throws: TimerError.invalidTolerance(.seconds(-1))) {
      _ = try Countdown(from: 3, every: .seconds(1), tolerance: .seconds(-1)) { _, _ in }
    }
    let countdown = try make(from: 3)
    try countdown.start()
    let before = countdown.snapshot
    #expect(throws: TimerError.invalidInterval(.zero)) { try countdown.reset(interval: .zero) }
    #expect(throws: TimerError.invalidInterval(.zero)) { try countdown.setInterval(.zero) }
    #expect(throws: TimerError.invalidCount(0)) { try countdown.setStepsLeft(0) }
    #expect(countdown.snapshot == before)
  }

  @Test func equalOnlyToItself() throws {
    let countdown = try make(from: 1)
    #expect(countdown == countdown)
    #expect(try countdown != make(from: 1))
  }
}
