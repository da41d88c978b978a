import Dashboard
import TimerKit

extension Scene {
  static let countdown = Scene(
    name: "countdown",
    keys: [.init("s", "start"), .init("x", "pause / resume"), .init("f", "step now")],
    legend: [
      .init(.character("4"), "steps left"), .init(.started, "start, resume"),
      .init(.paused, "pause"), .init(.wrong, "0 comes too late"),
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
    let late = MutexBox(Duration.zero)
    // region: countdown-by-hand
    let timer = try Repeater(interval: .seconds(1), clock: .virtual(fixture.clock)) {
      timer, tick in
      left.value -= 1
      if left.value == 0 { timer.reset() }
      // endregion
      byHand.markStep(left.value)
      // A step by a key is not late.
      guard left.value == 0, !tick.isManual, let end = end.value else { return }
      late.value = end.duration(to: fixture.clock.now)
      if late.value > .zero { byHand.mark(.wrong, wrong: late.value.lateText) }
    }
    // region: countdown
    let countdown = try Countdown(from: 5, every: .seconds(1), clock: .virtual(fixture.clock)) {
      _, left in
      lane.markStep(left)
    }
    // endregion
    countdown.observe { _, event in
      if case .state(_, .finished) = event { end.value = fixture.clock.now }
    }
    byHand.followState(of: timer)
    byHand.setNote { left.value == 0 ? late.value.lateText : "\(left.value) left" }
    lane.followState(of: countdown)
    lane.setNote {
      countdown.state == .finished ? "on time" : "\(countdown.remainingSteps) left"
    }
    return { key in
      if key == "x" {
        fixture.keyWord.value = countdown.state == .running ? "pause" : "resume"
      }
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
  fileprivate func markStep(_ left: Int) { mark(left, "\(max(0, left)) left") }
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
