import Dashboard
import TimerKit

extension Scene {
  static let stopwatch = Scene(
    name: "stopwatch",
    keys: [.init("x", "lap"), .init("s", "pause / resume")],
    legend: [
      .init(.fired, "second counted"), .init(.character("1"), "end of lap 1"),
      .init(.paused, "pause"), .init(.started, "start, resume"), .init(.wrong, "wrong lap"),
    ],
    listings: [
      LabCode("a stopwatch that counts ticks", region: "counted-ticks", isCounterexample: true),
      LabCode("a stopwatch with laps", region: "stopwatch"),
    ],
    script: Script("-------x------x----s-----s---x------x---")
  ) { fixture in
    let counted = fixture.lane("ticks")
    let lane = fixture.lane("stopwatch")
    let seconds = MutexBox(0)
    // region: counted-ticks
    let ticks = try Repeater.every(.seconds(1), clock: .virtual(fixture.clock)) { _, _ in
      seconds.value += 1
      counted.mark(.fired)
    }
    // endregion
    // region: stopwatch
    let stopwatch = Stopwatch(clock: .virtual(fixture.clock)) { _, _ in }
    stopwatch.start()
    // endregion
    lane.followState(of: stopwatch)
    lane.setLine(.idle)
    lane.setNote { "shows \(stopwatch.elapsed.tenths)" }
    counted.setNote { "shows \(seconds.value).0 s" }
    var start = 0
    return { key in
      guard key == "x" else {
        let isRunning = stopwatch.state == .running
        fixture.keyWord.value = isRunning ? "pause" : "resume"
        // region: stopwatch
        _ = isRunning ? stopwatch.pause() : stopwatch.start()
        // endregion
        _ = isRunning ? ticks.pause() : ticks.start()
        counted.mark(isRunning ? .paused : .started)
        counted.setLine(isRunning ? .none : .idle)
        return
      }
      // region: stopwatch
      guard let lap = stopwatch.lap() else { return }
      // endregion
      lane.mark(lap.number, "lap \(lap.number)")
      // region: counted-ticks
      let counts = seconds.value - start
      start = seconds.value
      // endregion
      let isRight = (lap.time - .seconds(counts)).clampedNanoseconds.magnitude < 100_000_000
      counted.mark(
        .character(Character("\(lap.number % 10)")),
        word: "lap \(lap.number)",
        wrong: isRight ? nil : "counts \(counts) s of \(lap.time.tenths)")
    }
  }
}
