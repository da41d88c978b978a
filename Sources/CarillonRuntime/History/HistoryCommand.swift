import ArgumentParser
import TimerBoard

/// `carillon history`: prints the recorded stretches.
struct HistoryCommand: ParsableCommand {
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

  @OptionGroup var arguments: HistoryArguments

  func run() throws {
    let selection = try arguments.selection(of: "history", at: .now())
    try StandardStreams.check()
    var calendar = LocalCalendar.current
    var records: [StretchRecord] = []
    let omissions = try selection.read { record in
      let day = calendar.segment(at: record.start).day
      if selection.filter.includes(record), selection.filter.includes(day) {
        records.append(record)
      }
    }
    records.sort { ($0.start, $0.id) < ($1.start, $1.id) }
    let text = HistoryText(
      uses24Hours: !TimeOfDay.uses12Hours(environment: selection.environment))
    switch arguments.format {
    case .text: try StandardStreams.write(text.list(records, &calendar))
    case .json: try StandardStreams.write(text.json(records))
    case .csv: try StandardStreams.write(text.csv(records))
    }
    selection.warn(of: omissions)
  }
}
