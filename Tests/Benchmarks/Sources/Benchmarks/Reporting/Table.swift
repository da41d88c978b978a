import Foundation

/// A table with aligned columns of text.
struct Table {
  var title: String
  var columns: [String]
  var rows: [(name: String, cells: [String])]

  var text: String {
    let names = rows.map(\.name)
    let nameWidth = names.map(\.count).max() ?? 0
    let widths = columns.indices.map { column in
      max(columns[column].count, rows.map { $0.cells[column].count }.max() ?? 0)
    }
    func line(_ name: String, _ cells: [String]) -> String {
      let padded = cells.enumerated().map { Self.pad($1, to: widths[$0], onTheLeft: true) }
      return ([Self.pad(name, to: nameWidth)] + padded).joined(separator: "   ")
    }
    return ([title, line("", columns)] + rows.map { line($0.name, $0.cells) })
      .joined(separator: "\n")
  }

  var markdown: String {
    func line(_ name: String, _ cells: [String]) -> String {
      "| \(([name] + cells).joined(separator: " | ")) |"
    }
    let rule = "|" + String(repeating: "---|", count: columns.count + 1)
    return ([line(title, columns), rule] + rows.map { line($0.name, $0.cells) })
      .joined(separator: "\n")
  }

  static func title(of measure: Measure) -> String {
    let unit = measure.unit.rawValue
    return unit.isEmpty ? measure.title : "\(measure.title), \(unit)"
  }

  static func text(_ figure: Figure) -> String {
    var parts = [number(figure.spread.median)]
    if let percent = figure.spread.percent { parts.append(String(format: "±%.0f%%", percent)) }
    if let ratio = figure.toReference { parts.append("\(number(ratio))r") }
    if let ratio = figure.toClock { parts.append("\(number(ratio))c") }
    return parts.joined(separator: " ")
  }

  /// Returns a number with three digits, at most two of them after the decimal point.
  static func number(_ value: Double) -> String {
    let size = abs(value)
    if size >= 99.95 || value == 0 { return String(format: "%.0f", value) }
    return String(format: size >= 9.995 ? "%.1f" : "%.2f", value)
  }

  static func pad(_ text: String, to width: Int, onTheLeft: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - text.count))
    return onTheLeft ? space + text : text + space
  }
}
