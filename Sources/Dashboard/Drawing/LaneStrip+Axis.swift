import TerminalCore
import TimerBoard
import TimerKit

/// The times of day above or below the lanes.
extension LaneStrip {
  /// The distances of the times, in nanoseconds.
  private static let steps: [Int64] = [
    1, 2, 5, 10, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200, 86_400,
    172_800, 604_800, 1_209_600, 2_419_200, 4_838_400, 14_515_200, 31_449_600,
  ].map { $0 * 1_000_000_000 }
  private static let day: Int64 = 86_400_000_000_000
  /// The largest distance from now whose time is shown, within the range of the clocks.
  private static let farthest = 36_500 * day

  /// Draws now, and the times of day at round times; only now if nothing moves, so that nothing has to be redrawn.
  func drawAxis(y: Int, showsTimes: Bool) {
    let nowStart = max(0, min(nowColumn - 1, width - 3))
    let isNowVisible = (0..<width).contains(nowColumn)
    if isNowVisible { frame.write("now", .key, x: x + nowStart, y: y) }
    guard showsTimes,
      let step = Self.steps.first(where: { $0 / cellDuration >= (width >= 100 ? 16 : 10) })
    else { return }
    var free = 0
    let first = Int64(-nowColumn) * cellDuration / step - 1
    for number in first...(first + Int64(width) * cellDuration / step + 2) {
      guard let distance = distance(toTick: number, of: step) else { continue }
      let instant = now.advanced(by: .nanoseconds(distance))
      let text = text(at: instant, step: step)
      let column = self.column(of: instant.nanoseconds)
      let (start, end) = (column - text.cellWidth / 2, column + (text.cellWidth + 1) / 2)
      guard start >= free, end <= width else { continue }
      if isNowVisible, end >= nowStart, start <= nowStart + 3 { continue }
      frame.write(text, .faint, x: x + start, y: y)
      free = start + text.cellWidth + 1
    }
  }

  private func text(at instant: TimerClock.Instant, step: Int64) -> String {
    guard step >= Self.day else {
      return frame.timeOfDay(at: instant, showsSeconds: step % 60_000_000_000 != 0)
    }
    let date = LocalTime(frame.now.moved(to: instant)).date
    if step == Self.day { return date.weekdayName }
    return step < 180 * Self.day ? String(date.text.dropFirst(5)) : date.text
  }

  /// Returns the nanoseconds until local time is the `number`-th multiple of the step after now, or before it if that is
  /// negative; `nil` if it is too far away, or if a change of the clocks leaves out that time.
  private func distance(toTick number: Int64, of step: Int64) -> Int64? {
    let (wall, zone) = (frame.now.moved(to: now).wall, frame.now.zone)
    func offset(after distance: Int64) -> Int64 {
      Int64(zone.secondsFromUTC(at: wall.advanced(by: .nanoseconds(distance)))) * 1_000_000_000
    }
    let (ahead, overflow) = number.multipliedReportingOverflow(by: step)
    guard !overflow, abs(ahead) < Self.farthest else { return nil }
    let offsetNow = offset(after: 0)
    let passed = (wall.nanosecondsSince1970 &+ offsetNow).flooredDivision(by: step).remainder
    let offsetThen = offset(after: ahead - passed)
    let distance = ahead - passed + offsetNow - offsetThen
    return offset(after: distance) == offsetThen ? distance : nil
  }
}
