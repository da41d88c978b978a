import ArgumentParser
import Foundation

/// Runs the selected rows and prints the report.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run rows and print a report (the default).")

  @Option(
    name: .shortAndLong, parsing: .upToNextOption,
    help: ArgumentHelp(
      "Rows to run. (default: all)",
      discussion: Row.allCases.map { "\($0.rawValue): \($0.title)" }.joined(separator: "\n")))
  var rows: [Row] = []

  @Option(name: .shortAndLong, parsing: .upToNextOption, help: "Systems to run. (default: all)")
  var systems: [SystemName] = []

  @Option(
    name: [.customShort("n"), .long], parsing: .upToNextOption,
    help: "Numbers of timers, such as 1000, 10k or 1M. (default: 1k 10k 100k 1M)")
  var sizes: [Size] = []

  @Option(help: "The number of samples of each measurement.")
  var runs = 9

  @Flag(help: "Quick estimate: three runs, of 1k and 100k timers.")
  var quick = false

  @Option(help: "The time limit of a sample in seconds.")
  var limit = 100

  @Flag(help: "Print JSON in place of tables.")
  var json = false

  @Option(help: "A file to write the JSON to, besides the tables.")
  var output: String?

  @Option(help: "A file to write the tables of the documentation's page to, in Markdown.")
  var page: String?

  func validate() throws {
    if runs < 1 { throw ValidationError("runs must be at least 1") }
    if limit < 1 { throw ValidationError("limit must be at least 1") }
  }

  func run() throws {
    let defaultSizes = quick ? [1_000, 100_000] : [1_000, 10_000, 100_000, 1_000_000]
    let plan = Plan(
      rows: rows.isEmpty ? Row.allCases : rows,
      systems: systems.isEmpty ? SystemName.allCases : systems,
      sizes: sizes.isEmpty ? defaultSizes : sizes.map(\.count), runs: quick ? min(runs, 3) : runs)
    var machine = Machine()
    var results = Results()
    try Runner(limit: limit, needsGo: plan.systems.contains(.go)).run(plan, into: &results) {
      row, results in
      guard !json else { return }
      let document = Document(plan: plan, machine: machine, results: results)
      print(document.text(of: row), terminator: "\n\n")
      // A pipe gets it at once too.
      fflush(nil)
    }
    machine.recordEnd()

    let document = Document(plan: plan, machine: machine, results: results)
    if let output { try document.json.write(to: URL(fileURLWithPath: output)) }
    if let page {
      try Data(Page(document: document).markdown.utf8).write(to: URL(fileURLWithPath: page))
    }
    if json {
      print(String(decoding: try document.json, as: UTF8.self))
    } else {
      print(document.summary)
    }
    if !results.wrong.isEmpty { throw ExitCode.failure }
  }
}

/// The rows, systems, sizes and number of runs of a benchmark.
struct Plan: Encodable {
  var rows: [Row]
  var systems: [SystemName]
  var sizes: [Int]
  var runs: Int

  /// Returns the numbers of timers of a row. A row with a fixed number has one.
  func counts(of row: Row) -> [Int] { row.isSized ? sizes : [1] }

  func systems(of row: Row) -> [SystemName] { systems.filter { $0.supports(row) } }

  var sampleCount: Int {
    rows.map { counts(of: $0).count * systems(of: $0).count * runs }.reduce(0, +)
  }
}

/// A number of timers, such as 1000, 10k or 1M.
struct Size: ExpressibleByArgument {
  let count: Int

  init(count: Int) { self.count = count }

  init?(argument: String) {
    let factors = ["k": 1_000, "M": 1_000_000]
    let factor = argument.last.flatMap { factors[String($0)] }
    let digits = factor == nil ? argument[...] : argument.dropLast()
    guard let number = Int(digits), number > 0 else { return nil }
    count = number * (factor ?? 1)
  }

  static func text(_ count: Int) -> String {
    if count >= 1_000_000, count.isMultiple(of: 1_000_000) { return "\(count / 1_000_000)M" }
    if count >= 1_000, count.isMultiple(of: 1_000) { return "\(count / 1_000)k" }
    return "\(count)"
  }
}
