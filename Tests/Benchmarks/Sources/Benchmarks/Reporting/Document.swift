import Foundation

/// The report of a run, as text and as JSON.
struct Document {
  var plan: Plan
  var machine: Machine
  var results: Results

  /// Returns the tables of a row.
  func text(of row: Row) -> String { tables(of: row).map(\.text).joined(separator: "\n\n") }

  /// The text after the tables of all rows.
  var summary: String {
    var parts: [String] = []
    if !results.wrong.isEmpty {
      parts.append(
        "Wrong checksums, whose samples do not count:\n" + results.wrong.joined(separator: "\n"))
    }
    if let targets = Target.table(of: plan.rows, results) { parts.append(targets.text) }
    parts += [legend, machine.text]
    return parts.joined(separator: "\n\n")
  }

  var legend: String {
    let clock = results.clockRead.map { Table.number($0.median) } ?? "–"
    return """
      \(plan.runs) runs, interleaved. Each figure: the median, ± half the distance of the \
      quartiles;
      r: its ratio to raw GCD (\(SystemName.reference.title)) in the same round;
      c: its ratio to a reading of the clock (\(clock) ns) in the same process.
      """
  }

  /// Returns one table for each measure of a row with several sizes, and one table for other rows.
  private func tables(of row: Row) -> [Table] {
    let systems = plan.systems(of: row)
    let measures = results.measures(of: row)
    guard row.isSized else {
      return [
        Table(
          title: row.title,
          columns: measures.isEmpty ? [""] : measures.map { Table.title(of: $0) },
          rows: systems.map { system in
            let key = Results.Key(row: row, system: system, count: 1)
            let cells = measures.map { cell($0, key) }
            return (system.title, cells.isEmpty ? [results.reason(for: key) ?? "–"] : cells)
          })
      ]
    }
    return measures.map { measure in
      Table(
        title: "\(row.title): \(Table.title(of: measure))", columns: plan.sizes.map(Size.text),
        rows: systems.map { system in
          let keys = plan.sizes.map { Results.Key(row: row, system: system, count: $0) }
          return (system.title, keys.map { cell(measure, $0) })
        })
    }
  }

  private func cell(_ measure: Measure, _ key: Results.Key) -> String {
    guard let figure = results.figure(measure, key) else { return results.reason(for: key) ?? "–" }
    return Table.text(figure)
  }

  var json: Data {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      encoder.dateEncodingStrategy = .iso8601
      return try encoder.encode(
        JSONReport(
          plan: plan, machine: machine, clockRead: results.clockRead, figures: figures,
          wrong: results.wrong))
    }
  }

  private var figures: [JSONReport.Line] {
    plan.rows.flatMap { row in
      plan.systems(of: row).flatMap { system in
        plan.counts(of: row).flatMap { count in
          let key = Results.Key(row: row, system: system, count: count)
          if let reason = results.reason(for: key) {
            return [JSONReport.Line(key: key, measure: nil, figure: nil, reason: reason)]
          }
          return results.measures(of: row).compactMap { measure in
            results.figure(measure, key).map {
              JSONReport.Line(key: key, measure: measure, figure: $0, reason: nil)
            }
          }
        }
      }
    }
  }
}

private struct JSONReport: Encodable {
  var plan: Plan
  var machine: Machine
  var clockRead: Spread?
  var figures: [Line]
  var wrong: [String]

  struct Line: Encodable {
    var row: Row
    var system: SystemName
    var count: Int?
    var measure: Measure?
    var unit: Measure.Unit?
    var spread: Spread?
    var toReference: Double?
    var toClock: Double?
    var values: [Double]?
    /// The reason for a missing figure.
    var reason: String?

    init(key: Results.Key, measure: Measure?, figure: Figure?, reason: String?) {
      row = key.row
      system = key.system
      count = key.row.isSized ? key.count : nil
      self.measure = measure
      unit = measure?.unit
      spread = figure?.spread
      toReference = figure?.toReference
      toClock = figure?.toClock
      values = figure?.values
      self.reason = reason
    }
  }
}
