import Platform
import TimerBoard

/// `carillon stats`: prints the totals of the history.
package enum StatsCommand {
  package static func run(_ query: HistoryQuery) throws {
    let selection = try HistorySelection("stats", query, at: .now())
    try StandardStreams.check()
    var totals = HistoryTotals(selection.filter, calendar: .current)
    let omissions = try selection.read { totals.add($0) }
    let text = StatsText(
      totals: totals, today: selection.today,
      isASCII: isatty(STDOUT_FILENO) == 1
        && !CharacterEncoding.isUTF8(environment: selection.environment))
    switch query.format {
    case .text: try StandardStreams.write(text.tables)
    case .json: try StandardStreams.write(text.json(corrupt: omissions.lineCount))
    case .csv: try StandardStreams.write(text.csv)
    }
    selection.warn(of: omissions)
  }
}
