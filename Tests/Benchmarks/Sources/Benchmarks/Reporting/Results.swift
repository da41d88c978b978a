/// All samples of a run, by row, system and number of timers.
struct Results {
  struct Key: Hashable {
    var row: Row
    var system: SystemName
    var count: Int
  }

  /// The readings of a round.
  private struct Entry {
    var readings: Readings
    var clockRead: Double
  }

  private var entries: [Key: [Int: Entry]] = [:]
  private var reasons: [Key: String] = [:]
  /// The samples with a wrong number of fires, and their errors.
  private(set) var wrong: [String] = []

  mutating func add(_ readings: Readings, clockRead: Double, of key: Key, round: Int) {
    entries[key, default: [:]][round] = Entry(readings: readings, clockRead: clockRead)
  }

  /// Records that a system does not support a row, which is then not repeated.
  mutating func markUnavailable(_ key: Key, because reason: String) { reasons[key] = reason }

  mutating func recordWrongChecksum(_ key: Key, _ text: String) {
    wrong.append("\(key.row) \(Size.text(key.count)) \(key.system.title): \(text)")
  }

  func reason(for key: Key) -> String? { reasons[key] }

  /// Returns the measures that any system has for a row, in the order of the report.
  func measures(of row: Row) -> [Measure] {
    var seen: Set<Measure> = []
    for (key, rounds) in entries where key.row == row {
      for entry in rounds.values { seen.formUnion(entry.readings.keys) }
    }
    return Measure.allCases.filter(seen.contains)
  }

  func figure(_ measure: Measure, _ key: Key) -> Figure? {
    let rounds = (entries[key] ?? [:]).sorted { $0.key < $1.key }
    var reference = key
    reference.system = .reference
    var values: [Double] = []
    var toReference: [Double] = []
    var toClock: [Double] = []
    for (round, entry) in rounds {
      guard let value = entry.readings[measure] else { continue }
      values.append(value)
      if measure.hasRatios, let other = entries[reference]?[round]?.readings[measure],
        other > 0
      {
        toReference.append(value / other)
      }
      if measure.unit == .nanoseconds { toClock.append(value / entry.clockRead) }
    }
    guard let spread = Spread(values) else { return nil }
    return Figure(
      values: values, spread: spread, toReference: Spread(toReference)?.median,
      toClock: Spread(toClock)?.median)
  }

  var clockRead: Spread? { Spread(entries.values.flatMap { $0.values.map(\.clockRead) }) }
}

/// A measure of a system in a row, over all rounds.
struct Figure {
  var values: [Double]
  var spread: Spread
  /// The median ratio to the reference in the same round.
  var toReference: Double?
  /// The median ratio to a clock reading in the same process.
  var toClock: Double?
}

/// The median, the quartiles and the extremes of a set of values.
struct Spread: Codable {
  var median: Double
  var lowerQuartile: Double
  var upperQuartile: Double
  var least: Double
  var most: Double

  init?(_ values: [Double]) {
    let sorted = values.sorted()
    guard let first = sorted.first, let last = sorted.last else { return nil }
    func quantile(_ fraction: Double) -> Double {
      let position = fraction * Double(sorted.count - 1)
      let below = Int(position)
      let above = min(below + 1, sorted.count - 1)
      return sorted[below] + (sorted[above] - sorted[below]) * (position - Double(below))
    }
    median = quantile(0.5)
    lowerQuartile = quantile(0.25)
    upperQuartile = quantile(0.75)
    least = first
    most = last
  }

  /// Half the interquartile range, in percent of the median.
  var percent: Double? {
    least == most || median == 0 ? nil : (upperQuartile - lowerQuartile) / 2 / abs(median) * 100
  }
}
