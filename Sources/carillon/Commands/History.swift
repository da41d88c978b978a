import ArgumentParser
import CarillonRuntime

/// `carillon history`: prints the recorded stretches.
struct History: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Print the recorded runs of timers.",
    usage: "carillon history [<options>]",
    discussion: """
      A line for each stretch: a run of a timer or a phase of a cycle, with its time
      without pauses and its ending. Sessions record them in
      ~/.local/state/carillon/history; carillon run does so with --record.

        carillon history --since today
        carillon history --since 2026-11-01 --until 2026-11-30 --name tea
        carillon history --json | jq -s 'map(.activeMs) | add'

      Exit status: 0 success, 1 failure, 2 usage error.
      """)

  @OptionGroup var selection: HistoryArguments

  func run() throws {
    try HistoryCommand.run(selection.query(of: "history"))
  }
}

/// `carillon stats`: prints the totals of the history.
struct Stats: ParsableCommand {
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

  @OptionGroup var selection: HistoryArguments

  func run() throws {
    try StatsCommand.run(selection.query(of: "stats"))
  }
}

/// The options that select a part of the history and the form of the output.
struct HistoryArguments: ParsableArguments {
  @Option(help: ArgumentHelp("The first day: YYYY-MM-DD, today or yesterday.", valueName: "date"))
  var since: String?

  @Option(help: ArgumentHelp("The last day, included.", valueName: "date"))
  var until: String?

  @Option(help: ArgumentHelp("Only timers of this name; can be repeated.", valueName: "name"))
  var name: [String] = []

  @Flag(help: "Print JSON.")
  var json = false

  @Flag(help: "Print comma-separated values.")
  var csv = false

  func query(of command: String) throws(UsageError) -> HistoryQuery {
    guard !json || !csv else { throw UsageError("\(command): --json and --csv exclude each other") }
    return HistoryQuery(
      since: since, until: until, names: name, format: json ? .json : csv ? .csv : .text)
  }
}
