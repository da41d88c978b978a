import Dashboard
import TimerKit

/// A player of the accuracy scene, on real queues and in real time.
struct AccuracyPlayer: Player {
  /// The interval between two frames while the timers run.
  private static let frameInterval = Duration.milliseconds(100)
  fileprivate static let periods = 3000

  private var run: AccuracyRun?

  mutating func handle(_ command: LabCommand, at now: TimerClock.Instant) {
    switch command {
    case .action(.restartScene), .action(.playToEnd), .input("x"): run = nil
    default: break
    }
  }

  mutating func playToEnd() {
    let run = AccuracyRun(periods: Self.periods)
    run.start()
    run.wait()
    self.run = run
  }

  mutating func snapshot(at now: TimerClock.Instant) -> Snapshot {
    let run = run ?? AccuracyRun(periods: Self.periods)
    if self.run == nil {
      run.start()
      self.run = run
    }
    let (repeater, chained) = run.traces
    let percent = Int(run.progress * 100)
    return Snapshot(
      blocks: [
        .lanes(lanes(repeater, chained)), .table(histogram(repeater, chained)),
        .table(summary(repeater, chained)),
      ],
      status: LabPage.Status(
        run.isOver ? .ended : .running,
        details: run.isOver ? ["real time"] : ["\(percent) %", "real time"]),
      keys: [.init("x", "run again")])
  }

  func nextChange(after now: TimerClock.Instant) -> TimerClock.Instant? {
    run?.isOver == true ? nil : now.advanced(by: Self.frameInterval)
  }
}

// MARK: - Contents
extension AccuracyPlayer {
  /// Returns the lateness of the fires over time, both timers on one scale.
  private func lanes(_ repeater: AccuracyRun.Trace, _ chained: AccuracyRun.Trace) -> LabLanes {
    let length = AccuracyRun.interval * Self.periods
    let cell = length / 80
    let scale = Double(max(chained.fires.last?.lateness ?? 0, 1_000_000))
    let lanes = [("TimerKit", repeater), ("chained", chained)].map { name, trace in
      var lane = LabLane(name, rows: 3)
      let sampled = stride(from: 0, to: trace.fires.count, by: Self.periods / 80)
      lane.levels = sampled.map { index in
        let fire = trace.fires[index]
        return .init(
          AccuracyRun.interval * (fire.period - 1),
          min(1, Double(max(0, fire.lateness)) / scale))
      }
      lane.note = "\(trace.fires.last?.lateness.inMilliseconds ?? "–") late at the end"
      lane.scale = "\(Int64(scale) / 1_000_000) ms"
      lane.isGood = name == "TimerKit"
      if name == "chained" { lane.levelRole = .error }
      return lane
    }
    return LabLanes(
      lanes, cellDuration: cell, length: length,
      now: AccuracyRun.interval * min(repeater.periods, chained.periods))
  }

  private static let bounds: [(name: String, below: Int64)] = [
    ("under 0.1 ms", 100_000), ("under 0.2 ms", 200_000), ("under 0.5 ms", 500_000),
    ("under 1 ms", 1_000_000), ("under 10 ms", 10_000_000), ("under 100 ms", 100_000_000),
    ("more", .max),
  ]

  private func histogram(_ repeater: AccuracyRun.Trace, _ chained: AccuracyRun.Trace) -> LabTable {
    let columns = [repeater, chained].map { trace in
      Self.bounds.indices.map { index in
        let floor = index == 0 ? Int64.min : Self.bounds[index - 1].below
        let bound = Self.bounds[index].below
        return trace.fires.count { floor <= $0.lateness && $0.lateness < bound }
      }
    }
    let scale = Double(max(1, columns.flatMap(\.self).max() ?? 1))
    return LabTable(
      [
        .init("late by"), .init("TimerKit: fires", isNumeric: true), .init("", width: 16),
        .init("chained: fires", isNumeric: true), .init("", width: 16),
      ],
      Self.bounds.indices.map { index in
        [
          .init(Self.bounds[index].name, .faint),
          .init("\(columns[0][index])"), .init(bar: Double(columns[0][index]) / scale, .good),
          .init("\(columns[1][index])"), .init(bar: Double(columns[1][index]) / scale, .error),
        ]
      })
  }

  private func summary(_ repeater: AccuracyRun.Trace, _ chained: AccuracyRun.Trace) -> LabTable {
    let drift = repeater.fires.last?.drift ?? 0
    return LabTable(
      [
        .init(""), .init("periods", isNumeric: true), .init("joined", isNumeric: true),
        .init("drift", isNumeric: true), .init("", width: 1),
      ],
      [
        [
          .init("TimerKit", .title), .init("\(repeater.periods)"), .init("\(repeater.missed)"),
          .init(drift == 0 ? "0" : drift.inMilliseconds, drift == 0 ? .good : .error),
          .init(drift == 0 ? .finished : .wrong),
        ],
        [
          .init("chained"), .init("\(chained.periods)"), .init("–", .faint),
          .init(chained.fires.last?.lateness.inMilliseconds ?? "–", .error), .init(.wrong),
        ],
      ])
  }
}

extension Int64 {
  /// The nanoseconds as text in milliseconds: `0.12 ms`.
  fileprivate var inMilliseconds: String {
    let hundredths = Swift.max(0, self) / 10_000
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction) ms"
  }
}

extension Scene {
  static let accuracy = Scene(
    name: "accuracy",
    keys: [],
    legend: [
      .init(isUsed: true, "lateness of each fire"), .init(.finished, "good"), .init(.wrong, "bad"),
    ],
    listings: [
      LabCode("chained waits", region: "chained-waits", isCounterexample: true),
      LabCode("a grid", region: "grid"),
    ],
    duration: AccuracyRun.interval * AccuracyPlayer.periods,
    open: { AccuracyPlayer() })
}
