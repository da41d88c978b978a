import CNCurses
import TerminalCore

/// The picture that curses holds, brought to that of a canvas by its changed cells alone.
@MainActor
final class Screen {
  let palette: Palette
  private let isUTF8: Bool
  private var looks: [Style: Look] = [:]
  private var nextPair: Int16 = 1
  private var pairs: [Pair: Int16] = [:]
  /// What curses was last told; `nil` when that is not known.
  private var shown: Canvas?
  private var run: [cn_cell] = []

  private struct Pair: Hashable {
    var foreground: Int16
    var background: Int16
  }

  private struct Look {
    var attributes: UInt16
    var pair: Int16
  }

  init(isUTF8: Bool) {
    self.isUTF8 = isUTF8
    let colors = Int(cn_screen_colors())
    palette = Palette(colors: colors >= 256 ? 256 : colors >= 16 ? 16 : colors >= 8 ? 8 : 0)
  }

  /// Forgets what is shown: the next canvas is drawn whole.
  func forget() {
    shown = nil
  }

  /// Draws what differs from the canvas before; false where nothing does.
  func draw(_ canvas: Canvas) -> Bool {
    if canvas == shown { return false }
    var before = shown
    if before?.size != canvas.size {
      cn_screen_erase()
      before = nil
    }
    let old = before ?? Canvas(canvas.size)
    for y in 0..<canvas.size.height { drawRow(y, of: canvas, over: old) }
    if let cursor = canvas.cursor, canvas.bounds.contains(cursor) {
      cn_screen_set_cursor(Int32(cursor.y), Int32(cursor.x))
    } else {
      cn_screen_set_cursor(-1, 0)
    }
    shown = canvas
    return true
  }

  private func drawRow(_ y: Int, of canvas: Canvas, over old: Canvas) {
    let width = canvas.size.width
    let start = y * width
    var x = 0
    while x < width {
      guard canvas.cells[start + x] != old.cells[start + x] else {
        x += 1
        continue
      }
      var first = x
      while first > 0, canvas.cells[start + first].isContinuation { first -= 1 }
      run.removeAll(keepingCapacity: true)
      x = first
      while x < width {
        let cell = canvas.cells[start + x]
        if x > first, !cell.isContinuation, cell == old.cells[start + x] { break }
        if !cell.isContinuation { append(cell) }
        x += 1
      }
      cn_screen_put(Int32(y), Int32(first), run, Int32(run.count))
    }
  }

  private func append(_ cell: Cell) {
    let look = look(of: cell.style)
    guard let base = cell.base else { return }
    run.append(
      cn_cell(
        base: base.value, first_mark: cell.firstMark?.value ?? 0,
        second_mark: cell.secondMark?.value ?? 0, attributes: look.attributes, pair: look.pair))
  }

  private func look(of style: Style) -> Look {
    if let known = looks[style] { return known }
    let wanted = palette.look(of: style)
    let look = Look(
      attributes: UInt16(wanted.attributes.rawValue),
      pair: pair(foreground: wanted.foreground, background: wanted.background))
    looks[style] = look
    return look
  }

  /// The number of a pair of colours, defined when it is first needed; 0, the terminal's own
  /// colours, when there are no more to be had.
  private func pair(foreground: Int16, background: Int16) -> Int16 {
    guard palette.colors > 0 else { return 0 }
    var wanted = Pair(foreground: foreground, background: background)
    if wanted.foreground < 0, wanted.background < 0 { return 0 }
    if !cn_screen_has_default_colors() {
      wanted.foreground = wanted.foreground < 0 ? 7 : wanted.foreground
      wanted.background = max(0, wanted.background)
    }
    if let known = pairs[wanted] { return known }
    guard Int32(nextPair) < min(cn_screen_pairs(), Int32(Int16.max)),
      cn_screen_define_pair(nextPair, wanted.foreground, wanted.background)
    else { return 0 }
    defer { nextPair += 1 }
    pairs[wanted] = nextPair
    return nextPair
  }
}
