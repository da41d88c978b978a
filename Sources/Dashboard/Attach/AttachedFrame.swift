import TerminalCore
import TimerBoard
package import TimerKit

extension AttachedBoard {
  /// The areas of the screen; a small screen has fewer of them. A message covers the last line of a low one.
  var areas: (header: Rect, titles: Rect, body: Rect, message: Rect, footer: Rect) {
    let (top, footer) = Rect(size).splitBottom(size.height >= 6 ? 1 : 0)
    let (upper, message) = top.splitBottom(size.height >= 12 ? 1 : 0)
    let (header, lower) = upper.splitTop(size.height >= 4 ? 1 : 0)
    let (titles, body) = lower.splitTop(size.height >= 16 ? 2 : size.height >= 10 ? 1 : 0)
    let last = message.isEmpty ? Rect(size).splitBottom(1).bottom : message
    return (header, titles.splitBottom(1).bottom, body, last, footer)
  }

  /// The number of timers on a screen.
  var rowCount: Int { max(1, min(200, areas.body.height)) }

  var help: HelpText {
    // The keys of the board, and those everywhere.
    HelpText(Array(Manual(bindings, symbols).keys.prefix(2)), width: size.width)
  }

  package func frame(at now: TimerClock.Instant) -> RenderedFrame {
    AttachedFrame(self, at: now).render()
  }
}

/// One frame of the board of another process.
final class AttachedFrame: Painter {
  let board: AttachedBoard
  let areas: (header: Rect, titles: Rect, body: Rect, message: Rect, footer: Rect)
  private let steps = DisplaySteps(showsTenths: false)
  /// The instant of the frame, that of the last page without a connection, and the start of its display step.
  let now: TimerClock.Instant
  private let stepStart: TimerClock.Instant

  init(_ board: AttachedBoard, at now: TimerClock.Instant) {
    (self.board, areas) = (board, board.areas)
    self.now = board.hasEnded ? board.pageTime ?? now : now
    stepStart = steps.stepStart(of: self.now)
    super.init(board.theme, board.symbols, board.options, board.size)
  }

  func render() -> RenderedFrame {
    canvas = Canvas(board.size)
    drawHeader()
    if let offset = board.helpOffset {
      draw(board.help, from: offset, here: nil, in: areas.body)
    } else if board.view == .log {
      let lines = board.log.suffix(areas.body.height)
      draw(lines.isEmpty ? [TextLine("no fires yet", .faint)] : Array(lines))
    } else if let page = board.page, !page.timers.isEmpty {
      let rows = page.timers.prefix(areas.body.height).map { AttachedRow($0, in: self) }
      let selected = board.selected - board.pageOffset
      if board.view != .focus {
        draw(rows)
      } else if rows.indices.contains(selected) {
        drawFocus(rows[selected])
      }
    } else {
      let text = board.page.map { $0.listed == 0 ? "no timers" : "no matches" } ?? "connecting"
      draw([TextLine(text, .faint)])
    }
    for entry in footerEntries.fitting(areas.footer, inset: inset) where !areas.footer.isEmpty {
      draw(entry.line, x: entry.x, y: areas.footer.y)
    }
    drawMessage()
    if symbols.isASCII { canvas.reduceToASCII() }
    canvas.applyBaseStyle(theme.screen)
    let next = board.hasEnded ? nil : steps.next(after: stepStart)
    return RenderedFrame(canvas: canvas, nextRedraw: next.earlier(or: board.nextPage))
  }

  private func draw(_ lines: [TextLine]) {
    for (index, line) in lines.enumerated() {
      draw(line, x: inset, y: areas.body.y + index, limit: areas.body.width - 2 * inset)
    }
  }

  private var footerEntries: [KeyEntry] {
    let views = board.bindings.ofViews.map { view, key in
      KeyEntry(keys: [key], label: view.name, rank: 3, isCurrent: view == board.view, symbols)
    }
    return board.bindings.inFooter.filter { $0.scope != .prompt }.reduce(views) {
      entries, binding in
      guard let label = binding.footer, let key = binding.keys.first else { return entries }
      return entries + [KeyEntry(keys: [key], label: label, rank: binding.rank, symbols)]
    }
  }

  private func drawHeader() {
    let area = areas.header
    guard !area.isEmpty else { return }
    var line = TextLine(board.process.name.truncated(to: 24), .title)
    line.add(" \(board.process.id)", .faint)
    let facts = [
      ("pending", board.page.map { "\($0.pending)" }),
      ("fired", board.rates.map { Self.rate($0.fired) }),
      ("late p99", board.page?.late99.map { TimeText.lateness(.nanoseconds($0)) }),
      ("wake-ups", board.rates.map { Self.rate($0.wakeUps) }),
    ]
    for (name, value) in facts {
      let value = (value ?? "–").padded(to: area.width >= 100 ? 8 : 0)
      guard line.width + name.utf8.count + value.cellWidth + 6 <= area.width else { break }
      line.add("   \(name) ", .faint)
      line.add(value)
    }
    draw(line, x: inset, y: area.y, limit: area.width - inset)
  }

  private static func rate(_ rate: Double) -> String {
    let tenths = Int(min(rate * 10, 1e15).rounded())
    return tenths < 1000 ? "\(tenths / 10).\(tenths % 10)/s" : "\(tenths / 10)/s"
  }

  private func drawMessage() {
    let area = areas.message
    let hasLine = areas.footer.y == area.maxY && !areas.footer.isEmpty
    let notice = board.isTyping ? nil : board.notice(at: now)
    guard hasLine || board.isTyping || notice != nil && area.y > 0 else { return }
    canvas.fill(area)
    let listed = counted(Int(min(board.page?.listed ?? 0, 1 << 40)), "timer")
    if let notice {
      let text = notice.text.cutAtWord(to: area.width - 2 * inset)
      write(text, notice.isFailure ? .failure : .success, x: inset, y: area.y)
    } else if board.isTyping || !board.filter.isEmpty {
      let count = "\(board.matchCount) of \(listed)"
      drawFilter(board.filter, isTyping: board.isTyping, countText: count, y: area.y)
    } else {
      write(listed, .faint, x: area.width - inset - listed.cellWidth, y: area.y)
    }
  }

  /// Draws a timer in big digits, as large as they fit.
  private func drawFocus(_ row: AttachedRow) {
    let (area, timer) = (areas.body, row.timer)
    let room = Size(width: area.width - 2 * inset, height: min(area.height - 6, area.height / 2))
    let digits = BigDigits(widest: row.time, in: room, symbols: symbols)
    let width = digits?.width(of: row.time) ?? 0
    let barWidth = min(area.width, max(32, width))
    let counts = zip(["late", "missed", "stale"], row.cells[5...]).map { "\($0) \($1.text)" }
    let lines: [([String], Role)] = [
      ([timer.name], .title), ([digits == nil ? row.time : ""], row.timeRole), ([], .text),
      ([row.cells[2].text, timer.kind, row.period, row.cells[4].text], row.cells[2].role),
      (["fired \(timer.fired)"] + counts, .faint), ([timer.queue, timer.place], .faint),
    ]
    var y = area.y + max(0, (area.height - (digits?.height ?? 1) - 7) / 2)
    for (index, (parts, role)) in lines.enumerated() where y < area.maxY {
      let text = parts.filter { !["", "–"].contains($0) }.joined(separator: " · ").truncated(
        to: room.width)
      write(text, role, x: (area.width - text.cellWidth) / 2, y: y)
      if index == 2 { row.drawBar(x: (area.width - barWidth) / 2, width: barWidth, y: y) }
      if index == 1, let digits {
        digits.draw(
          row.time, on: &canvas, maxX: (area.width + width) / 2, y: y, style: theme[role],
          symbols: symbols)
        y += digits.height
      }
      y += index == 0 && digits != nil ? 2 : 1
    }
  }
}
