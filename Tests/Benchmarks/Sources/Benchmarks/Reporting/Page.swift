/// The tables of the documentation's page in Markdown, with the most important figures of a run.
struct Page {
  let document: Document

  /// A line of the comparison.
  private struct Line {
    var title: String
    var row: Row
    var measure: Measure
  }

  private static let lines = [
    Line(title: "create, start, cancel, one at a time: CPU", row: .churn, measure: .cpu),
    Line(title: "create, start, then cancel, all alive: CPU", row: .population, measure: .lifetime),
    Line(title: "cancel in random order: CPU", row: .population, measure: .cancelShuffled),
    Line(title: "re-arm, later: CPU", row: .population, measure: .moveLater),
    Line(title: "re-arm, anywhere: CPU", row: .population, measure: .moveAnywhere),
    Line(title: "memory of a running timer", row: .population, measure: .heap),
    Line(title: "fire, distinct deadlines within 0.9 ms: CPU", row: .distinct, measure: .cpu),
    Line(title: "fire, all at one instant: CPU", row: .instant, measure: .cpu),
    Line(title: "threads, all at one instant", row: .threads, measure: .threads),
    Line(title: "tick, 1,000 timers at one instant: CPU", row: .steady, measure: .cpu),
    Line(title: "tick, 150 timers one by one: CPU", row: .sparse, measure: .cpu),
    Line(title: "1,000 queues, one timer each: CPU", row: .queues, measure: .cpu),
    Line(title: "create to release, eight threads: CPU", row: .threads8, measure: .cpu),
    Line(title: "created here, cancelled on another thread: CPU", row: .handOver, measure: .cpu),
    Line(title: "late at 1 ms, p50", row: .late1ms, measure: .median),
    Line(title: "late at 1 ms, p99", row: .late1ms, measure: .p99),
    Line(title: "late at 10 ms, p50", row: .late10ms, measure: .median),
    Line(title: "late at 10 ms, p99", row: .late10ms, measure: .p99),
    Line(title: "drift at 10 ms", row: .late10ms, measure: .drift),
    Line(title: "late, 1,000 timers at 100 ms, p50", row: .late1000x100ms, measure: .median),
    Line(title: "late, 1,000 timers at 100 ms, p99", row: .late1000x100ms, measure: .p99),
    Line(title: "switches a second, 100 timers at 1 Hz", row: .tolerance, measure: .switches),
    Line(title: "debounced call, one thread", row: .debounce, measure: .call),
    Line(title: "debounced call, two threads", row: .debounce2, measure: .call),
    Line(title: "memory of an idle debouncer", row: .debouncers, measure: .idle),
    Line(title: "memory of an armed debouncer", row: .debouncers, measure: .armed),
    Line(title: "dropped throttled call", row: .throttle, measure: .call),
    Line(title: "debounced call with a new key, of 100,000", row: .keyed100k, measure: .firstCall),
    Line(title: "debounced call with a pending key", row: .keyed100k, measure: .nextCall),
    Line(title: "throttled call with a new key, of 100,000", row: .keyed100k, measure: .call),
    Line(title: "the same, p99.9", row: .keyed100k, measure: .callTail),
    Line(title: "flush() of 100,000 keys", row: .keyed100k, measure: .flushAll),
    Line(title: "cancelPending() of 100,000 keys", row: .keyed100k, measure: .cancelAll),
    Line(title: "permit of a new key, of 100,000", row: .rateLimit, measure: .firstCall),
    Line(title: "further permit of a key", row: .rateLimit, measure: .nextCall),
    Line(title: "refused request of a key", row: .rateLimit, measure: .call),
    Line(title: "memory of a key's rate limit", row: .rateLimit, measure: .heap),
    Line(title: "value collected in arrays of 100", row: .collect, measure: .call),
    Line(title: "tick of one of 1,000 sequences: CPU", row: .sequences, measure: .cpu),
    Line(title: "memory of a sequence of ticks", row: .sequences, measure: .heap),
    Line(title: "debounced element of a sequence: CPU", row: .sequenceDebounce, measure: .cpu),
    Line(title: "element of a sequence in arrays of 100: CPU", row: .sequenceChunks, measure: .cpu),
  ]

  var markdown: String {
    let parts = [
      "\(document.machine.text). \(document.legend)",
      comparison.markdown, growth?.markdown,
      Target.table(of: document.plan.rows, document.results)?.markdown,
    ]
    return parts.compactMap(\.self).joined(separator: "\n\n") + "\n"
  }

  /// The number of timers in the comparison: 100,000, or the largest size.
  private var count: Int {
    let sizes = document.plan.sizes
    return sizes.contains(100_000) ? 100_000 : sizes.max() ?? 1
  }

  private func key(_ row: Row, _ system: SystemName, _ count: Int) -> Results.Key {
    Results.Key(row: row, system: system, count: row.isSized ? count : 1)
  }

  /// A table with a column for each system, and one for TimerKit's ratio to the reference.
  private var comparison: Table {
    let results = document.results
    let systems = document.plan.systems
    let lines = Self.lines.filter { document.plan.rows.contains($0.row) }
    return Table(
      title: "\(Size.text(count)) timers", columns: ["ratio"] + systems.map(\.title),
      rows: lines.map { line in
        let own = results.figure(line.measure, key(line.row, .timerkit, count))
        let cells = systems.map { system in
          results.figure(line.measure, key(line.row, system, count)).map {
            "\(Table.number($0.spread.median)) \(line.measure.unit.rawValue)"
          } ?? results.reason(for: key(line.row, system, count)) ?? "–"
        }
        return (line.title, [own?.toReference.map(Table.number) ?? "–"] + cells)
      })
  }

  /// A table of costs by the number of timers.
  private var growth: Table? {
    let sizes = document.plan.sizes
    guard document.plan.rows.contains(.population), sizes.count > 1 else { return nil }
    let systems = [SystemName.timerkit, .reference].filter(document.plan.systems.contains)
    let measures = [Measure.create, .cancel, .cancelShuffled, .moveLater, .moveAnywhere, .heap]
    let rows = measures.flatMap { measure in
      systems.map { system in
        let cells = sizes.map { size in
          document.results.figure(measure, key(.population, system, size)).map {
            Table.number($0.spread.median)
          } ?? "–"
        }
        return (name: "\(Table.title(of: measure)): \(system.title)", cells: cells)
      }
    }
    return Table(title: "Growth", columns: sizes.map(Size.text), rows: rows)
  }
}
