import Dashboard
import TimerKit

extension Scene {
  static let countdown = Scene(
    name: "countdown",
    keys: [.init("s", "start"), .init("x", "pause / resume"), .init("f", "step now")],
    legend: [
      .init(.character("4"), "steps left"), .init(.started, "start, resume"),
      .init(.paused, "pause"), .init(.wrong, "wrong"),
    ],
    listings: [
      LabCode("a countdown by hand", region: "countdown-by-hand", isCounterexample: true),
      LabCode("a countdown", region: "countdown"),
    ],
    script: Script("--s------x-x------x-x-------------------")
  ) { fixture in
    let byHand = fixture.lane("by hand")
    let lane = fixture.lane("countdown")
    let left = MutexBox(0)
    let end = MutexBox<TimerClock.Instant?>(nil)
    // region: countdown-by-hand
    let timer = try Repeater(interval: .seconds(1), clock: .virtual(fixture.clock)) {
      timer, _ in
      left.value -= 1
      byHand.mark(left.value, lateSince: left.value == 0 ? end.value : nil)
      if left.value == 0 { timer.reset() }
    }
    // endregion
    // region: countdown
    let countdown = try Countdown(from: 5, every: .seconds(1), clock: .virtual(fixture.clock)) {
      _, left in
      lane.mark(left)
    }
    // endregion
    countdown.observe { _, event in
      if case .state(_, .finished) = event { end.value = fixture.clock.now }
    }
    byHand.followState(of: timer)
    byHand.setNote { "\(left.value) left" }
    lane.followState(of: countdown)
    lane.setNote { "\(countdown.state), \(countdown.remainingSteps) left" }
    return { key in
      switch key {
      // region: countdown-by-hand
      case "s":
        left.value = 5
        timer.restart()
      case "x" where timer.state == .running:
        timer.reset()  // forgets the time left
        // endregion
        byHand.mark(.paused)
      // region: countdown-by-hand
      case "x": timer.start()
      // endregion
      default: timer.fire()
      }
      countdown.perform(key)
    }
  }
}

extension Lane {
  /// Marks the number of steps that are left.
  /// - Parameter end: The time at which there should have been none.
  fileprivate func mark(_ left: Int, lateSince end: TimerClock.Instant? = nil) {
    let late = end.map { $0.duration(to: clock.now) } ?? .zero
    mark(.character(Character("\(max(0, left) % 10)")))
    if late > .zero { mark(.wrong, wrong: "\(late.tenths) late") }
  }
}

extension Countdown {
  fileprivate func perform(_ key: Character) {
    switch key {
    // region: countdown
    case "s": restart()
    case "x" where state == .running: pause()  // keeps the rest of the step
    case "x" where state == .paused: start()
    case "f": step()
    // endregion
    default: break
    }
  }
}
