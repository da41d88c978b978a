import ArgumentParser
import Platform
import TimerBoard

/// `carillon stats`: prints the totals of the history.
struct StatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Print totals by day, week and name.",
    usage: "carillon stats [<options>]",
    discussion: """
      Time belongs to the local day in which it passed, divided exactly at midnight;
      a stretch, one run of a timer, is counted on the day on which it began. Weeks
      begin on Monday. A streak is a number of consecutive days with recorded time.

        carillon stats
        carillon stats --since 2026-01-01 --name pomodoro
        carillon stats --json | jq '.byDay'

      Exit status: 0 success, 1 failure, 2 usage error.
      """)

  @OptionGroup var arguments: HistoryArguments

  func run() throws {
    let selection = try arguments.selection(of: "stats", at: .now())
    try StandardStreams.check()
    var totals = HistoryTotals(selection.filter, calendar: .current)
    let omissions = try selection.read { totals.add($0) }
    let text = StatsText(
      totals: totals, today: selection.today,
      isASCII: isatty(STDOUT_FILENO) == 1
        && !CharacterEncoding.isUTF8(environment: selection.environment))
    switch arguments.format {
    case .text: try StandardStreams.write(text.tables)
    case .json: try StandardStreams.write(text.json(corrupt: omissions.lineCount))
    case .csv: try StandardStreams.write(text.csv)
    }
    selection.warn(of: omissions)
  }
}
