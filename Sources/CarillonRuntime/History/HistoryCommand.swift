import TimerBoard

/// `carillon history`: prints the stretches that timers have had.
package enum HistoryCommand {
  package static func run(_ query: HistoryQuery) throws {
    let selection = try HistorySelection("history", query, at: .now())
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
    switch query.format {
    case .text: try StandardStreams.write(text.list(records, &calendar))
    case .json: try StandardStreams.write(text.json(records))
    case .csv: try StandardStreams.write(text.csv(records))
    }
    selection.warn(of: omissions)
  }
}
