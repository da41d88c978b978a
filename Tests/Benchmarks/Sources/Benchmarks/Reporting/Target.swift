/// A performance target of TimerKit.
struct Target {
  /// A value that is compared with the limit.
  enum Value {
    case figure
    case toReference
    case toClock
    /// The ratio to another system in the same run.
    case toSystem(SystemName)
    /// The ratio to another measure of TimerKit.
    case to(Measure, Row, count: Int)
  }

  struct Bound {
    var value: Value
    var limit: Double
  }

  var title: String
  var row: Row
  var measure: Measure
  var count = 1
  var bounds: [Bound]

  static let all = [
    Target(
      title: "create, start, cancel, one at a time", row: .churn, measure: .cpu,
      bounds: [Bound(value: .toReference, limit: 0.2)]),
    Target(
      title: "create, start, cancel, 100k alive, CPU", row: .population, measure: .lifetime,
      count: 100_000,
      bounds: [Bound(value: .figure, limit: 450), Bound(value: .toReference, limit: 0.22)]),
    Target(
      title: "memory of a Repeater", row: .population, measure: .heap, count: 100_000,
      bounds: [Bound(value: .figure, limit: 256)]),
    Target(
      title: "memory of a Debouncer", row: .debouncers, measure: .armed, count: 100_000,
      bounds: [Bound(value: .figure, limit: 250)]),
    Target(
      title: "re-arm later", row: .population, measure: .moveLater, count: 100_000,
      bounds: [Bound(value: .toReference, limit: 0.5)]),
    Target(
      title: "re-arm anywhere", row: .population, measure: .moveAnywhere, count: 100_000,
      bounds: [Bound(value: .toReference, limit: 0.5)]),
    Target(
      title: "Debouncer call", row: .debounce, measure: .call,
      bounds: [Bound(value: .toClock, limit: 2)]),
    Target(
      title: "Debouncer call, heap growth", row: .debounce, measure: .growth,
      bounds: [Bound(value: .figure, limit: 0)]),
    Target(
      title: "Debouncer call, two threads", row: .debounce2, measure: .call,
      bounds: [Bound(value: .to(.call, .debounce, count: 1), limit: 3)]),
    Target(
      title: "dropped Throttler call", row: .throttle, measure: .call,
      bounds: [Bound(value: .toClock, limit: 1)]),
    Target(
      title: "keyed call, 100k keys, p99.9, µs", row: .keyed100k, measure: .callTail,
      bounds: [Bound(value: .figure, limit: 100)]),
    Target(
      title: "flush of 100k keys, µs", row: .keyed100k, measure: .flushAll,
      bounds: [Bound(value: .figure, limit: 100_000)]),
    Target(
      title: "cancelPending of 100k keys, µs", row: .keyed100k, measure: .cancelAll,
      bounds: [Bound(value: .figure, limit: 100_000)]),
    Target(
      title: "tick of an AsyncSequence", row: .sequences, measure: .cpu,
      bounds: [Bound(value: .toSystem(.asyncAlgorithms), limit: 1)]),
    Target(
      title: "debounced element of an AsyncSequence", row: .sequenceDebounce, measure: .cpu,
      bounds: [Bound(value: .toSystem(.asyncAlgorithms), limit: 1)]),
    Target(
      title: "fire, distinct deadlines, each", row: .distinct, measure: .cpu, count: 100_000,
      bounds: [Bound(value: .figure, limit: 500), Bound(value: .toReference, limit: 0.25)]),
    Target(
      title: "fire, same instant, each", row: .instant, measure: .cpu, count: 100_000,
      bounds: [Bound(value: .toReference, limit: 1.6)]),
    Target(
      title: "steady ticks, each", row: .steady, measure: .cpu,
      bounds: [Bound(value: .toReference, limit: 0.9)]),
    Target(
      title: "threads, all due together", row: .threads, measure: .threads, count: 1_000,
      bounds: [Bound(value: .figure, limit: 4)]),
    Target(
      title: "100 × 1 Hz with tolerance, switches/s", row: .tolerance, measure: .switches,
      bounds: [Bound(value: .figure, limit: 6)]),
    Target(
      title: "lateness at 10 ms, p50", row: .late10ms, measure: .median,
      bounds: [Bound(value: .toReference, limit: 1.1)]),
    Target(
      title: "lateness at 10 ms, p99", row: .late10ms, measure: .p99,
      bounds: [Bound(value: .toReference, limit: 1.3)]),
    Target(
      title: "missed ticks unreported, 1 ms", row: .late1ms, measure: .missed,
      bounds: [Bound(value: .figure, limit: 0)]),
    Target(
      title: "missed ticks unreported, 10 ms", row: .late10ms, measure: .missed,
      bounds: [Bound(value: .figure, limit: 0)]),
    Target(
      title: "missed ticks unreported, 1,000 × 100 ms", row: .late1000x100ms, measure: .missed,
      bounds: [Bound(value: .figure, limit: 0)]),
    // The median of the lateness is accurate to some microseconds; a drifting timer is off by
    // thousands.
    Target(
      title: "drift at 10 ms, µs", row: .late10ms, measure: .drift,
      bounds: [Bound(value: .figure, limit: 50)]),
    Target(
      title: "create at 1M, to that at 10k", row: .population, measure: .create, count: 1_000_000,
      bounds: [Bound(value: .to(.create, .population, count: 10_000), limit: 2)]),
    Target(
      title: "cancel at 1M, to that at 10k", row: .population, measure: .cancel, count: 1_000_000,
      bounds: [Bound(value: .to(.cancel, .population, count: 10_000), limit: 2)]),
  ]

  /// Returns a line for each bound of the rows that were run: passed, failed or not measured.
  static func table(of rows: [Row], _ results: Results) -> Table? {
    let lines = all.filter { rows.contains($0.row) }.flatMap { target in
      target.bounds.map { (name: target.title, cells: target.cells($0, results)) }
    }
    guard !lines.isEmpty else { return nil }
    return Table(
      title: "TimerKit's targets", columns: ["measured", "at most", ""], rows: lines)
  }

  private func cells(_ bound: Bound, _ results: Results) -> [String] {
    let limit = Table.number(bound.limit) + bound.value.suffix
    guard let value = value(bound.value, results) else { return ["–", limit, "not measured"] }
    return [
      Table.number(value) + bound.value.suffix, limit,
      value <= bound.limit ? "pass" : "FAIL",
    ]
  }

  private func value(_ value: Value, _ results: Results) -> Double? {
    func figure(
      _ measure: Measure, _ row: Row, _ count: Int, _ system: SystemName = .timerkit
    ) -> Figure? {
      results.figure(measure, Results.Key(row: row, system: system, count: count))
    }
    let own = figure(measure, row, count)
    func ratio(_ own: Figure?, _ other: Figure?) -> Double? {
      other.flatMap { other in own.map { $0.spread.median / other.spread.median } }
    }
    return switch value {
    case .figure: own?.spread.median
    case .toReference: own?.toReference
    case .toClock: own?.toClock
    case .toSystem(let system): ratio(own, figure(measure, row, count, system))
    case .to(let measure, let row, let count): ratio(own, figure(measure, row, count))
    }
  }
}

extension Target.Value {
  fileprivate var suffix: String {
    switch self {
    case .figure: ""
    case .toReference: " × raw GCD"
    case .toClock: " × a clock read"
    case .toSystem(let system): " × \(system.title)"
    case .to: " ×"
    }
  }
}
