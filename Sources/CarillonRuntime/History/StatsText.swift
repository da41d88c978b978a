import ArgumentParser
import TerminalCore
import TimerBoard

/// `carillon stats`: prints the totals of the history.
struct StatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration("stats")

  @OptionGroup var arguments: HistoryArguments

  func run() throws {
    let today = ClockReading.now().day
    let filter = try arguments.filter(of: "stats", today: today)
    try StandardStreams.check()
    var totals = HistoryTotals(filter, calendar: .current)
    let omissions = try arguments.read(filter, of: "stats") { totals.add($0) }
    let text = StatsText(totals: totals, today: today, isASCII: StandardStreams.isASCIITerminal)
    try arguments.print(
      text: text.tables, json: text.json(corrupt: omissions.lineCount), csv: text.csv, omissions,
      of: "stats")
  }
}

/// The output of `carillon stats`.
struct StatsText {
  /// The numbers of days and weeks that the tables show.
  private static let dayCount = 14
  private static let weekCount = 8
  /// The weeks of the heat map: a year.
  private static let mapWeeks = 53

  let totals: HistoryTotals
  let today: CivilDate
  var isASCII = false

  private var lastDay: CivilDate { min(totals.filter.until ?? today, today) }
  private var streaks: Streaks { Streaks(totals.activeDays, today: today) }

  var tables: String {
    guard totals.all.stretches > 0 || totals.all.activeTime > 0 else { return "no history\n" }
    let names = totals.names.sorted {
      ($1.value.activeTime, $0.key) < ($0.value.activeTime, $1.key)
    }
    let weeks = totals.weeks.sorted { $0.key < $1.key }.suffix(Self.weekCount)
    let days = totals.days.sorted { $0.key < $1.key }.suffix(Self.dayCount)
    return [
      summary,
      table("name", names.map { ($0.key.printable(), $0.value) }),
      table("week of", weeks.map { ($0.key.text, $0.value) }),
      table("day", days.map { ("\($0.key.text) \($0.key.weekdayName)", $0.value) }),
      heatMap,
    ].joined(separator: "\n")
  }

  private var summary: String {
    let all = totals.all
    var rows = [
      [
        "total",
        "\(HistoryTotals.timeText(all.activeTime)) in \(counted(all.stretches, "stretch", plural: "stretches"))"
          + " on \(counted(totals.activeDays.count, "day")), \(all.finished) finished,"
          + " \(counted(all.interruptions, "pause"))",
      ]
    ]
    if let longest = totals.longest {
      var calendar = LocalCalendar.current
      let day = calendar.segment(at: longest.start).day.text
      let time = HistoryTotals.timeText(longest.activeTime)
      rows.append(["longest", "\(time), \(longest.title.printable()) on \(day)"])
    }
    let streaks = streaks
    var streak = counted(streaks.current, "day")
    if let start = streaks.longestStart {
      streak += ", the longest \(counted(streaks.longest, "day")) from \(start.text)"
    }
    rows.append(["streak", streak])
    return rows.inColumns()
  }

  private func table(_ title: String, _ rows: [(String, HistoryTotals.Total)]) -> String {
    let cells = rows.map { name, total in
      [name, HistoryTotals.timeText(total.activeTime)] + total.counts
    }
    return ([[title, "time", "stretches", "finished", "pauses"]] + cells).inColumns { $0 > 0 }
  }

  private var heatMap: String {
    let levels = isASCII ? [".", "-", "+", "x", "#"] : ["·", "▂", "▄", "▆", "█"]
    let map = HeatMap(
      weeks: Self.mapWeeks, until: lastDay, times: totals.days.mapValues(\.activeTime))
    var text = "     \(map.monthLine(cellWidth: 1))\n"
    for weekday in 0..<7 {
      let cells = (0..<map.weekCount).map { week in
        map.level(week: week, weekday: weekday).map { levels[$0] } ?? " "
      }
      let line = "\(map.day(week: 0, weekday: weekday).weekdayName)  \(cells.joined())"
      text += line.withoutTrailingSpaces + "\n"
    }
    return text + "     less \(levels.joined()) more\n"
  }

  /// Returns the totals as one JSON object. Times are in milliseconds.
  func json(corrupt: Int) -> String {
    var object = JSONObject()
    totals.all.add(to: &object)
    object.add("days", totals.activeDays.count)
    let streaks = streaks
    object.add("currentStreak", streaks.current)
    object.add("longestStreak", streaks.longest)
    if let longest = totals.longest {
      object.add("longest", longest)
    }
    for (group, rows) in groups {
      object.add("by\(group.prefix(1).uppercased())\(group.dropFirst())", json: self.object(rows))
    }
    object.add("unreadableLines", corrupt)
    return object.text + "\n"
  }

  /// The totals of each day, week and name.
  private var groups: [(String, [(String, HistoryTotals.Total)])] {
    [
      ("day", totals.days.map { ($0.key.text, $0.value) }),
      ("week", totals.weeks.map { ($0.key.text, $0.value) }),
      ("name", totals.names.map { ($0.key, $0.value) }),
    ].map { ($0.0, $0.1.sorted { $0.0 < $1.0 }) }
  }

  private func object(_ totals: [(String, HistoryTotals.Total)]) -> String {
    var object = JSONObject()
    for (name, total) in totals {
      var members = JSONObject()
      total.add(to: &members)
      object.add(name, json: members.text)
    }
    return object.text
  }

  /// The totals as comma-separated values: a line for each day, week and name.
  var csv: String {
    var text = "by,key,activeMs,stretches,finished,interruptions\r\n"
    for (group, rows) in groups {
      for (key, total) in rows {
        let fields = [group, HistoryText.csvField(key), "\(total.activeTime)"] + total.counts
        text += fields.joined(separator: ",") + "\r\n"
      }
    }
    return text
  }
}

extension HistoryTotals.Total {
  /// The numbers of stretches, of those that finished, and of pauses, as a table and a line of values have them.
  fileprivate var counts: [String] { [stretches, finished, interruptions].map(String.init) }

  fileprivate func add(to object: inout JSONObject) {
    object.add("activeMs", Int(activeTime))
    object.add("stretches", stretches)
    object.add("finished", finished)
    object.add("interruptions", interruptions)
  }
}
