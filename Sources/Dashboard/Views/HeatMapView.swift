import TerminalCore
import TimerBoard

/// The heat map of the history: weeks as columns, the last one on the right, with the names of months and weekdays and a
/// legend.
struct HeatMapView {
  /// The lines of the months, the weekdays and the legend.
  static let height = 9
  /// The width of the weekdays' names before the map.
  private static let margin = 5

  private let frame: Frame
  private let area: Rect
  private let cellWidth: Int
  private let map: HeatMap
  private let today: CivilDate

  init(_ frame: Frame, in area: Rect, until today: CivilDate) {
    self.frame = frame
    self.area = area
    self.today = today
    // The mark of today stands right of the last week.
    let room = area.width - Self.margin - 1
    cellWidth = room >= 106 ? 2 : 1
    map = HeatMap(
      weeks: min(53, room / cellWidth), until: today, times: frame.dashboard.historyState.times)
  }

  /// Returns the day at a point; `nil` if there is none.
  func day(at point: Point) -> CivilDate? {
    let (x, weekday) = (point.x - area.x - Self.margin, point.y - area.y - 1)
    let week = x / cellWidth
    guard x >= 0, (0..<map.weekCount).contains(week), (0..<7).contains(weekday),
      map.level(week: week, weekday: weekday) != nil
    else { return nil }
    return map.day(week: week, weekday: weekday)
  }

  func draw(selected: CivilDate) {
    let (theme, symbols) = (frame.theme, frame.symbols)
    let x = area.x + Self.margin
    frame.write(map.monthLine(cellWidth: cellWidth), .faint, x: x, y: area.y)
    for weekday in 0..<7 {
      let y = area.y + 1 + weekday
      frame.write(map.day(week: 0, weekday: weekday).weekdayName, .faint, x: area.x, y: y)
      for week in 0..<map.weekCount {
        guard let level = map.level(week: week, weekday: weekday) else { continue }
        let day = map.day(week: week, weekday: weekday)
        let (symbol, style) = square(level, isWeekend: weekday >= 5)
        let column = x + week * cellWidth
        frame.canvas.write(symbol, x: column, y: y, style: day == selected ? theme[.key] : style)
        if day == today {
          frame.write(symbols.arrows[2].prefix(1).description, .key, x: column + 1, y: y)
        }
      }
    }
    let y = area.y + Self.height - 1
    var end = frame.write("less ", .faint, x: x, y: y)
    for level in 0..<HeatMap.levelCount {
      let (symbol, style) = square(level, isWeekend: false)
      end = frame.canvas.write("\(symbol) ", x: end, y: y, style: style)
    }
    frame.write("more", .faint, x: end, y: y)
  }

  /// Returns the symbol and the style of a level: shades of one square, smaller on weekends; with fewer than 256 colors
  /// bars of different heights.
  private func square(_ level: Int, isWeekend: Bool) -> (String, Style) {
    let (theme, options) = (frame.theme, frame.dashboard.options)
    guard options.colorCount >= 256, !options.isASCII,
      let shade = theme.shade(level, of: HeatMap.levelCount - 1)
    else { return (frame.symbols.heat[level], theme[level == 0 ? .faint : .bar]) }
    return (isWeekend ? "▪" : "■", Style(shade))
  }
}
