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

  package func frame(at now: TimerClock.Instant) -> RenderedFrame {
    AttachedFrame(self, at: now).render()
  }
}

/// One frame of the board of another process.
struct AttachedFrame: Painter {
  let board: AttachedBoard
  let areas: (header: Rect, titles: Rect, body: Rect, message: Rect, footer: Rect)
  let steps = DisplaySteps(showsTenths: false)
  /// The instant of the frame, that of the last page without a connection, and the start of its display step.
  let now, stepStart: TimerClock.Instant
  var theme: Theme { board.theme }
  var symbols: Symbols { board.symbols }
  var colorCount: Int { board.options.colorCount }
  var inset: Int { board.size.width >= 32 ? 1 : 0 }

  init(_ board: AttachedBoard, at now: TimerClock.Instant) {
    (self.board, areas) = (board, board.areas)
    self.now = board.hasEnded ? board.pageTime ?? now : now
    stepStart = steps.stepStart(of: self.now)
  }

  func render() -> RenderedFrame {
    var canvas = Canvas(board.size)
    drawHeader(on: &canvas)
    if board.showsHelp {
      drawHelp(on: &canvas)
    } else if board.view == .log {
      let lines = board.log.suffix(areas.body.height)
      draw(lines.isEmpty ? [TextLine("no fires yet", .faint)] : Array(lines), on: &canvas)
    } else if let page = board.page, !page.timers.isEmpty {
      let rows = page.timers.prefix(areas.body.height).map { AttachedRow($0, in: self) }
      let selected = board.selected - board.pageOffset
      if board.view != .focus {
        drawRows(rows, on: &canvas)
      } else if rows.indices.contains(selected) {
        drawFocus(rows[selected], on: &canvas)
      }
    } else {
      let text = board.page.map { $0.listed == 0 ? "no timers" : "no matches" } ?? "connecting"
      draw([TextLine(text, .faint)], on: &canvas)
    }
    for entry in footerEntries.fitting(areas.footer, inset: inset) where !areas.footer.isEmpty {
      entry.line.draw(on: &canvas, x: entry.x, y: areas.footer.y, theme: theme)
    }
    drawMessage(on: &canvas)
    if board.options.isASCII { canvas.reduceToASCII() }
    canvas.applyBaseStyle(theme.screen)
    let next = board.hasEnded ? nil : steps.next(after: stepStart)
    return RenderedFrame(canvas: canvas, nextRedraw: next.earlier(or: board.nextPage))
  }

  private func draw(_ lines: [TextLine], on canvas: inout Canvas) {
    for (index, line) in lines.enumerated() {
      line.draw(
        on: &canvas, x: inset, y: areas.body.y + index, theme: theme,
        limit: areas.body.width - 2 * inset)
    }
  }

  private var footerEntries: [KeyEntry] {
    let views = board.bindings.ofViews.map { view, key in
      KeyEntry(keys: [key], label: view.name, rank: 3, isCurrent: view == board.view, symbols)
    }
    return board.bindings.inFooter.filter { $0.scope != .prompt }.reduce(views) {
      entries, binding in
      guard let footer = binding.footer, let key = binding.keys.first else { return entries }
      return entries + [KeyEntry(keys: [key], label: footer.label, rank: footer.rank, symbols)]
    }
  }

  private func drawHeader(on canvas: inout Canvas) {
    let area = areas.header
    guard !area.isEmpty else { return }
    var line = TextLine(String(repeating: " ", count: inset))
    line.add(board.process.name.truncated(to: 24), .title)
    line.add(" \(board.process.id)", .faint)
    let facts = [
      ("pending", board.page.map { "\($0.pending)" }),
      ("fired", board.rates.map { Self.rate($0.fired) }),
      ("late p99", board.late99.map { TimeText.lateness(.nanoseconds($0)) }),
      ("wake-ups", board.rates.map { Self.rate($0.wakeUps) }),
    ]
    for (name, value) in facts {
      let value = (value ?? "–").padded(to: area.width >= 100 ? 8 : 0)
      guard line.width + name.utf8.count + value.cellWidth + 4 <= area.width else { break }
      line.add("   \(name) ", .faint)
      line.add(value)
    }
    line.draw(on: &canvas, x: 0, y: area.y, theme: theme, limit: area.width)
  }

  static func rate(_ rate: Double) -> String {
    let tenths = Int(min(rate * 10, 1e15).rounded())
    return tenths < 1000 ? "\(tenths / 10).\(tenths % 10)/s" : "\(tenths / 10)/s"
  }

  private func drawMessage(on canvas: inout Canvas) {
    let area = areas.message
    let notice = board.isTyping ? nil : board.notice(at: now)
    let hasLine = areas.footer.y == area.maxY && !areas.footer.isEmpty
    guard hasLine || board.isTyping || notice != nil && area.y > 0 else { return }
    canvas.fill(area)
    if let notice {
      let text = notice.text.cutAtWord(to: area.width - 2 * inset)
      let role = notice.isFailure ? Role.failure : .success
      return TextLine(text, role).draw(on: &canvas, x: inset, y: area.y, theme: theme)
    }
    let listed = counted(Int(min(board.page?.listed ?? 0, 1 << 40)), "timer")
    let isAll = board.filter.text.isEmpty
    let count = isAll ? listed : "\(board.matchCount) of \(listed)"
    canvas.write(count, x: area.width - inset - count.cellWidth, y: area.y, style: theme[.faint])
    guard board.isTyping || !isAll else { return }
    let field = PromptField(board.filter, x: inset + 2, width: area.width - 2 - inset)
    let style = theme[board.isTyping ? .key : .faint]
    canvas.write("/ \(field.text) ", x: inset, y: area.y, style: style)
    if board.isTyping { canvas.cursor = Point(x: field.cursorX, y: area.y) }
  }

  /// Draws the keys, in two columns if they do not fit below each other.
  private func drawHelp(on canvas: inout Canvas) {
    let bindings = board.bindings.all.filter { $0.scope != .prompt }
    let top = areas.header.maxY
    let height = max(1, areas.footer.y - top)
    let width = bindings.count > height ? board.size.width / 2 : board.size.width
    for (index, binding) in bindings.enumerated() {
      let (x, y) = (index / height * width + inset, top + index % height)
      canvas.write(binding.keyNames(symbols), x: x, y: y, style: theme[.key], limit: width - inset)
      canvas.write(binding.help, x: x + 14, y: y, limit: width - 14 - inset)
    }
  }

  /// Draws a timer in big digits.
  private func drawFocus(_ row: AttachedRow, on canvas: inout Canvas) {
    let (area, timer) = (areas.body, row.timer)
    let room = Size(width: area.width - 2 * inset, height: min(area.height - 6, area.height / 2))
    let digits = BigDigits(row.time, widest: row.time, in: room, symbols: symbols)
    let height = digits?.height ?? 1
    let width = min(area.width, max(32, digits?.width(of: row.time) ?? 0))
    var y = area.y + max(0, (area.height - height - 7) / 2)
    let counts = zip(["late", "missed", "stale"], row.cells[5...]).map { "\($0) \($1.text)" }
    let lines: [([String], Role)] = [
      ([timer.name], .title), (digits == nil ? [row.time] : [], row.timeRole), ([], .text),
      ([row.cells[2].text, timer.kind, row.period, row.cells[4].text], row.cells[2].role),
      (["fired \(timer.fired)"] + counts, .faint), ([timer.queue, timer.place], .faint),
    ]
    for (index, (parts, role)) in lines.enumerated() where y < area.maxY {
      let text = parts.filter { !["", "–"].contains($0) }.joined(separator: " · ").truncated(
        to: room.width)
      canvas.write(text, x: (area.width - text.cellWidth) / 2, y: y, style: theme[role])
      let maxX = (area.width + (digits?.width(of: row.time) ?? 0)) / 2
      if index == 1 {
        digits?.draw(on: &canvas, maxX: maxX, y: y, style: theme[role], symbols: symbols)
      }
      if index == 2 { row.drawBar(x: (area.width - width) / 2, width: width, y: y, on: &canvas) }
      y += index == 1 ? height : 1
      if digits != nil, index < 2 { y += 1 }
    }
  }
}
