import CNCurses
import TerminalCore

/// The picture that curses holds, brought to that of a canvas by its changed cells alone.
@MainActor
final class Screen {
  let palette: Palette
  private var size = Size(width: 0, height: 0)
  private let encoding: CellEncoding
  private var looks: [Style: CellEncoding.Look] = [:]
  /// The look that was asked for last: neighbours mostly share theirs.
  private var latest: (style: Style, look: CellEncoding.Look)?
  private var pairs: [Pair: Int16] = [:]
  /// What curses was last told; `nil` when that is not known.
  private var shown: Canvas?
  private var run: [cn_cell] = []

  private struct Pair: Hashable {
    var foreground: Int16
    var background: Int16
  }

  init(isUTF8: Bool) {
    encoding = CellEncoding(isUTF8: isUTF8)
    palette = Palette(availableColors: Int(cn_screen_colors()))
  }

  func resize(to size: Size) {
    self.size = size
    cn_screen_resize(Int32(size.height), Int32(size.width))
    forget()
  }

  /// Forgets what is shown: the next canvas is drawn whole.
  func forget() {
    shown = nil
  }

  /// Tells curses what differs from the canvas before; false where nothing does.
  func draw(_ canvas: Canvas) -> Bool {
    let canvas = canvas.size == size ? canvas : canvas.resized(to: size)
    if canvas == shown { return false }
    if shown == nil { cn_screen_erase() }
    let old = shown ?? Canvas(size)
    canvas.cells.withUnsafeBufferPointer { new in
      old.cells.withUnsafeBufferPointer { old in
        for y in 0..<size.height {
          let row = (y * size.width)..<((y + 1) * size.width)
          drawRow(y, new[row], over: old[row])
        }
      }
    }
    if let cursor = canvas.cursor, canvas.bounds.contains(cursor) {
      cn_screen_set_cursor(Int32(cursor.y), Int32(cursor.x))
    } else {
      cn_screen_set_cursor(-1, 0)
    }
    shown = canvas
    return true
  }

  private typealias Row = Slice<UnsafeBufferPointer<Cell>>

  private func drawRow(_ y: Int, _ new: Row, over old: Row) {
    var index = new.startIndex
    while index < new.endIndex {
      guard new[index] != old[index] else {
        index += 1
        continue
      }
      // Canvases keep the halves of a wide character together: a run never starts with a right one.
      let first = index
      run.removeAll(keepingCapacity: true)
      repeat {
        encoding.append(new[index], look: look(of: new[index].style), to: &run)
        index += 1
      } while index < new.endIndex && new[index] != old[index]
      cn_screen_put(Int32(y), Int32(first - new.startIndex), run, Int32(run.count))
    }
  }

  private func look(of style: Style) -> CellEncoding.Look {
    if let latest, latest.style == style { return latest.look }
    let look = looks[style] ?? defineLook(of: style)
    looks[style] = look
    latest = (style, look)
    return look
  }

  private func defineLook(of style: Style) -> CellEncoding.Look {
    let shade = palette.shade(of: style)
    return CellEncoding.Look(
      attributes: UInt16(shade.attributes.rawValue),
      pair: pair(foreground: shade.foreground, background: shade.background))
  }

  /// The number of a pair of colours, defined when it is first needed; 0, the terminal's own
  /// colours, when there are no more to be had.
  private func pair(foreground: Int16, background: Int16) -> Int16 {
    guard palette.colors > 0, foreground >= 0 || background >= 0 else { return 0 }
    var wanted = Pair(foreground: foreground, background: background)
    if !cn_screen_has_default_colors() {
      wanted.foreground = foreground < 0 ? 7 : foreground
      wanted.background = max(0, background)
    }
    if let known = pairs[wanted] { return known }
    let number = pairs.count + 1
    guard number < min(Int(cn_screen_pairs()), Int(Int16.max)),
      cn_screen_define_pair(Int16(number), wanted.foreground, wanted.background)
    else { return 0 }
    pairs[wanted] = Int16(number)
    return Int16(number)
  }
}
