import Dashboard
import TimerKit

extension Scene {
  static let modes = Scene(
    name: "modes",
    keys: [
      .init("s", "start"), .init("x", "pause / resume"), .init("f", "fire"), .init("z", "cancel"),
    ],
    legend: [
      .init(.started, "start, resume"), .init(.fired, "fire"), .init(.paused, "pause"),
      .init(.ignored, "ignored: has finished"), .init(.ended, "cancelled"),
      .init(.wrong, "late fire"),
    ],
    listings: [LabCode("one timer type, three modes", region: "modes")],
    script: Script("--s-------x-----x----------f------------")
  ) { fixture in
    let interval = Duration.seconds(1.5)
    let byHand = fixture.lane("by hand")
    let late = MutexBox(Duration.zero)
    let latest = MutexBox(Duration.zero)
    let timer = try Repeater(interval: interval, clock: .virtual(fixture.clock)) { _, tick in
      // A fire by a key is not late, and does not end the wait for the one that is.
      let late = tick.isManual ? .zero : late.exchange(.zero)
      latest.value = max(latest.value, late)
      byHand.mark(.fired, wrong: late > .zero ? "\(late.tenths) late" : nil)
    }
    byHand.followState(of: timer)
    byHand.setNote { "\(timer.state), \(latest.value.lateText)" }
    let modes: [(String, Repeater.Mode)] = [
      ("once", .once), ("finite 3", .finite(3)), ("infinite", .infinite),
    ]
    let timers = try modes.map { name, mode in
      // region: modes
      let timer = try Repeater(
        interval: .seconds(1.5), mode: mode, clock: .virtual(fixture.clock)
      ) { _, _ in }
      // endregion
      let lane = fixture.lane(name)
      lane.follow(timer)
      return (timer: timer, lane: lane)
    }
    return { key in
      let running = timers.last?.timer.state == .running
      if key == "x" { fixture.keyWord.value = running ? "pause" : "resume" }
      switch key {
      case "x" where timer.state == .running:
        late.value += interval - (timer.snapshot.timeLeft(at: fixture.clock.now) ?? .zero)
        timer.reset()  // as if it were a new timer after the pause
        byHand.mark(.paused)
      case "s", "x": timer.start()
      default: timer.perform(key)
      }
      for (timer, lane) in timers {
        if case .refused = timer.perform(key) { lane.mark(.ignored) }
      }
    }
  }
}

extension Repeater {
  /// Performs the control of a key. A finished timer ignores a fire, and a cancelled one all of them.
  @discardableResult
  fileprivate func perform(_ key: Character) -> ControlResult? {
    switch key {
    // region: modes
    case "s": start()  // also resumes, or restarts a finished timer
    case "x" where state == .running: pause()  // keeps the time left
    case "x" where state == .paused: start()
    case "f": fire()  // does not move the next deadline
    case "z": cancel()
    // endregion
    default: nil
    }
  }
}

extension Lane {
  /// Marks the fires and the state changes of a timer, and shows its state beside the lane.
  func follow(_ timer: Repeater) {
    followState(of: timer)
    timer.observe { [self] _, event in
      if case .delivery = event { mark(.fired) }
    }
    setNote { [weak timer] in
      guard let now = timer?.snapshot else { return "" }
      return "\(now.state), on time"
    }
  }

  /// Marks the starts, the pauses and the end of a timer, and draws a line while it runs.
  func followState<Timer: ObservableTimer>(of timer: Timer) where Timer.State == TimerState {
    setLine(.none)
    timer.observe { [self] _, event in
      guard case .state(let old, let new) = event else { return }
      switch new {
      case .running where old != .running: mark(.started)
      case .paused: mark(.paused)
      case .cancelled where old != .finished: mark(.ended)
      default: break
      }
      setLine(new == .running ? .idle : .none)
    }
  }
}

extension Duration {
  /// The delay as text: `0.5 s late`.
  var lateText: String { self > .zero ? "\(tenths) late" : "on time" }
}
