import Dashboard
import TimerKit

/// The accuracy scene: on real queues, in real time.
struct AccuracyPerformance: Performance {
  /// How often the picture moves while the timers run.
  private static let frame = Duration.milliseconds(100)
  fileprivate static let periods = 3000

  private var run: AccuracyRun?

  mutating func perform(_ command: LabCommand, at now: TimerClock.Instant) {
    switch command {
    case .again, .hundred, .input("x"): run = nil
    default: break
    }
  }

  mutating func playOut() {
    let run = AccuracyRun(periods: Self.periods)
    run.start()
    run.wait()
    self.run = run
  }

  mutating func picture(at now: TimerClock.Instant) -> Picture {
    let run = run ?? AccuracyRun(periods: Self.periods)
    if self.run == nil {
      run.start()
      self.run = run
    }
    let (ours, theirs) = run.traces
    let percent = Int(run.progress * 100)
    return Picture(
      blocks: [
        .lanes(lanes(ours, theirs)), .table(histogram(ours, theirs)), .table(summary(ours, theirs)),
      ],
      status: LabFrame.Status(
        run.isOver ? .ended : .running,
        words: run.isOver ? ["real time"] : ["\(percent) %", "real time"]),
      keys: [.init("x", "run again")])
  }

  func staleAt(_ now: TimerClock.Instant) -> TimerClock.Instant? {
    run?.isOver == true ? nil : now.advanced(by: Self.frame)
  }
}

// MARK: - What it shows
extension AccuracyPerformance {
  /// How late the fires are, as time goes by, to a common scale.
  private func lanes(_ ours: AccuracyRun.Trace, _ theirs: AccuracyRun.Trace) -> LabLanes {
    let length = AccuracyRun.interval * Self.periods
    let cell = length / 80
    let scale = Double(max(theirs.fires.last?.lateness ?? 0, 1_000_000))
    let lanes = [("TimerKit", ours), ("adding up", theirs)].map { name, trace in
      var lane = LabLane(name, rows: 3)
      let sampled = stride(from: 0, to: trace.fires.count, by: Self.periods / 80)
      lane.levels = sampled.map { index in
        let fire = trace.fires[index]
        return .init(
          from: AccuracyRun.interval * (fire.period - 1),
          min(1, Double(max(0, fire.lateness)) / scale))
      }
      lane.note = "late \(trace.fires.last?.lateness.inMilliseconds ?? "–")"
      return lane
    }
    return LabLanes(
      lanes, cell: cell, length: length,
      now: AccuracyRun.interval * min(ours.periods, theirs.periods))
  }

  private static let bounds: [(name: String, below: Int64)] = [
    ("under 0.1 ms", 100_000), ("under 0.2 ms", 200_000), ("under 0.5 ms", 500_000),
    ("under 1 ms", 1_000_000), ("under 10 ms", 10_000_000), ("under 100 ms", 100_000_000),
    ("more", .max),
  ]

  private func histogram(_ ours: AccuracyRun.Trace, _ theirs: AccuracyRun.Trace) -> LabTable {
    let columns = [ours, theirs].map { trace in
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
        .init("adding up: fires", isNumeric: true), .init("", width: 16),
      ],
      Self.bounds.indices.map { index in
        [
          .init(Self.bounds[index].name, .faint),
          .init("\(columns[0][index])"), .init(bar: Double(columns[0][index]) / scale, .good),
          .init("\(columns[1][index])"), .init(bar: Double(columns[1][index]) / scale, .bad),
        ]
      })
  }

  private func summary(_ ours: AccuracyRun.Trace, _ theirs: AccuracyRun.Trace) -> LabTable {
    let drift = ours.fires.last?.drift ?? 0
    return LabTable(
      [
        .init(""), .init("periods", isNumeric: true), .init("missed", isNumeric: true),
        .init("drift", isNumeric: true), .init("", width: 1),
      ],
      [
        [
          .init("TimerKit", .strong), .init("\(ours.periods)"), .init("\(ours.missed)"),
          .init(drift == 0 ? "0" : drift.inMilliseconds, drift == 0 ? .good : .bad),
          .init(drift == 0 ? .finished : .wrong),
        ],
        [
          .init("adding up"), .init("\(theirs.periods)"), .init("–", .faint),
          .init(theirs.fires.last?.lateness.inMilliseconds ?? "–", .bad), .init(.wrong),
        ],
      ])
  }
}

extension Int64 {
  /// Nanoseconds as `0.12 ms`.
  fileprivate var inMilliseconds: String {
    let hundredths = Swift.max(0, self) / 10_000
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction) ms"
  }
}

extension Scene {
  static let accuracy = Scene(
    id: "accuracy", about: "3000 periods of a millisecond: lateness and drift",
    look: [
      "The curves show how late each fire is, both to one scale: a fire is always a little late, and"
        + " what counts is what becomes of that.",
      "TimerKit plans every fire from the grid, so nothing adds up: the plan has not drifted by a"
        + " nanosecond, and a period that went by without a fire is counted as missed.",
      "A timer that begins each wait when the last one has ended adds up what each was late: watch"
        + " its curve climb.",
    ],
    keys: [],
    legend: [],
    exhibits: [
      Exhibit(
        "waits that are added up", isUnsafe: true, source: PackageResources.AddingUpTimer_txt),
      Exhibit("a grid", source: PackageResources.AccuracyRun_txt),
    ],
    duration: AccuracyRun.interval * AccuracyPerformance.periods,
    open: { AccuracyPerformance() })
}
