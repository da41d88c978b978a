import TerminalCore
import TimerBoard

extension Frame {
  /// Draws the totals of another process, and the histogram of its lateness, as many as fit.
  func drawTotals(of attached: AttachedTimers, in area: Rect) {
    let listed = attached.page.map { _ in counted(attached.listedCount, "timer") } ?? ""
    let page = attached.page
    let facts = [
      ("pending", page.map { "\($0.pending)" }),
      ("fired", attached.rates.map { Self.rate($0.fired) }),
      ("late p99", page?.late99.map { TimeText.lateness(.nanoseconds($0)) }),
      ("wake-ups", attached.rates.map { Self.rate($0.wakeUps) }),
    ]
    var line = TextLine()
    let room = area.width - 2 * inset - listed.cellWidth - 2
    // The histogram comes before what is only a number.
    let bars = attached.histogram.text(symbols).map {
      TextLine("late ", .faint).adding($0, .bar).adding(" 0.1 1 10 100 ms", .faint)
    }
    let reserved = bars.map { $0.width + 3 } ?? 0
    for (name, value) in facts {
      let value = (value ?? "–").padded(to: area.width >= 100 ? 8 : 0)
      guard line.width + name.utf8.count + value.cellWidth + 4 + reserved <= room else { break }
      line.add((line.width > 0 ? "   " : "") + name + " ", .faint)
      line.add(value)
    }
    if let bars, line.width + reserved <= room {
      if line.width > 0 { line.add("   ") }
      line.add(contentsOf: bars)
    }
    draw(line, x: inset, y: area.y, limit: max(0, room))
    write(listed, .faint, x: area.width - inset - listed.cellWidth, y: area.y)
  }

  private static func rate(_ rate: Double) -> String {
    let tenths = Int(min(rate * 10, 1e15).rounded())
    return tenths < 1000 ? "\(tenths / 10).\(tenths % 10)/s" : "\(tenths / 10)/s"
  }
}
