import Dashboard
import TimerKit

/// A player of the accuracy scene, on real queues and in real time.
struct AccuracyPlayer: Player {
  /// The interval between two frames while the timers run.
  private static let frameInterval = Duration.milliseconds(100)
  fileprivate static let periods = 3000

  private var run: AccuracyRun?

  mutating func handle(_ command: LabCommand, at now: TimerClock.Instant) {
    if [.action(.restartScene), .action(.playToEnd), .input("x")].contains(command) { run = nil }
  }

  mutating func playToEnd() {
    let run = AccuracyRun(periods: Self.periods)
    run.wait()
    self.run = run
  }

  mutating func snapshot(at now: TimerClock.Instant) -> LabPage {
    let run = run ?? AccuracyRun(periods: Self.periods)
    self.run = run
    let (repeater, chained) = run.traces
    return LabPage(
      status: LabPage.Status(
        run.isOver ? .ended : .running,
        details: run.isOver ? ["real time"] : ["\(Int(run.progress * 100)) %", "real time"]),
      lanes: lanes(repeater, chained))
  }

  func nextChange(after now: TimerClock.Instant) -> TimerClock.Instant? {
    run?.isOver == true ? nil : now.advanced(by: Self.frameInterval)
  }

  /// Returns the lateness of the fires over time, both timers on one scale.
  private func lanes(_ repeater: AccuracyRun.Trace, _ chained: AccuracyRun.Trace) -> LabLanes {
    let length = AccuracyRun.interval * Self.periods
    let scale = Double(max(chained.fires.last?.lateness ?? 0, 1_000_000))
    let lanes = [("TimerKit", repeater), ("chained", chained)].map { name, trace in
      var lane = LabLane(name)
      let sampled = stride(from: 0, to: trace.fires.count, by: Self.periods / 80)
      lane.levels = sampled.map { index in
        let fire = trace.fires[index]
        return .init(
          AccuracyRun.interval * (fire.period - 1),
          min(1, Double(max(0, fire.lateness)) / scale))
      }
      if let (first, last) = trace.medians {
        lane.note = "\(last.milliseconds) ms late, first \(first.milliseconds)"
        // A timer that falls behind is later at its end, by many intervals.
        let isGood = last - first < AccuracyRun.interval.clampedNanoseconds
        lane.isGood = run?.isOver == true || !isGood ? isGood : nil
      }
      lane.scale = "\(Int64(scale) / 1_000_000) ms"
      if name == "chained" { lane.levelRole = .error }
      return lane
    }
    return LabLanes(
      lanes, cellDuration: length / 80, length: length,
      now: AccuracyRun.interval * min(repeater.periods, chained.periods))
  }
}

extension Int64 {
  /// The nanoseconds as a number of milliseconds, with decimals if there are less than ten: `0.12`.
  fileprivate var milliseconds: String {
    let hundredths = Swift.max(0, self) / 10_000
    let fraction = hundredths % 100
    let whole = "\(hundredths / 100)"
    return hundredths < 1000 ? "\(whole).\(fraction < 10 ? "0" : "")\(fraction)" : whole
  }
}

extension Scene {
  static let accuracy = Scene(
    name: "accuracy",
    keys: [.init("x", "run again")],
    legend: [
      .init(isUsed: true, "lateness of each fire"), .init(.wrong, "falls behind"),
    ],
    listings: [
      LabCode("chained waits", region: "chained-waits", isCounterexample: true),
      LabCode("a grid", region: "grid"),
    ],
    duration: AccuracyRun.interval * AccuracyPlayer.periods,
    open: { AccuracyPlayer() })
}
