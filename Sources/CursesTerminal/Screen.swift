import CNCurses
import TerminalCore

/// The screen of curses. It draws only those cells of a canvas that have changed.
@MainActor
final class Screen {
  let palette: ColorPalette
  private var size = Size(width: 0, height: 0)
  private let encoding: CellEncoding
  /// An empty cell for each style, with its attributes and color pair as curses numbers them.
  private var styles: [Style: cn_cell] = [:]
  /// The style that was used last, because most neighbors share a style.
  private var latest: (style: Style, cell: cn_cell)?
  /// The numbers of the color pairs, by styles without attributes.
  private var pairs: [ColorPalette.ResolvedStyle: Int16] = [:]
  /// The canvas that curses holds; `nil` if it is unknown.
  private var shown: Canvas?
  private var run: [cn_cell] = []

  /// - Parameter ownColorCount: The number of the terminal's own colors that it has beside exact ones.
  init(isUTF8: Bool, ownColorCount: Int) {
    encoding = CellEncoding(isUTF8: isUTF8)
    palette = ColorPalette(availableColors: Int(cn_screen_colors()), ownColorCount: ownColorCount)
  }

  func resize(to size: Size) {
    self.size = size
    cn_screen_resize(Int32(size.height), Int32(size.width))
    invalidate()
  }

  /// Makes the next canvas be drawn completely.
  func invalidate() {
    shown = nil
  }

  /// Draws the cells that differ from the previous canvas. One of another size is older than the terminal's; the next
  /// one follows.
  /// - Returns: False if nothing is drawn.
  func draw(_ canvas: Canvas) -> Bool {
    guard canvas.size == size, canvas != shown else { return false }
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
      // A canvas keeps the halves of a wide character together, so a run never starts with a right
      // half.
      let first = index
      run.removeAll(keepingCapacity: true)
      repeat {
        encoding.append(new[index], style: emptyCell(of: new[index].style), to: &run)
        index += 1
      } while index < new.endIndex && new[index] != old[index]
      cn_screen_put(Int32(y), Int32(first - new.startIndex), run, Int32(run.count))
    }
  }

  private func emptyCell(of style: Style) -> cn_cell {
    if let latest, latest.style == style { return latest.cell }
    let cell = styles[style] ?? defineCell(of: palette.resolve(style))
    styles[style] = cell
    latest = (style, cell)
    return cell
  }

  private func defineCell(of style: ColorPalette.ResolvedStyle) -> cn_cell {
    let attributes = UInt16(style.attributes.rawValue)
    return cn_cell(
      base: 0, first_mark: 0, second_mark: 0, attributes: attributes, pair: pair(of: style))
  }

  /// Returns the number of a color pair and defines it on first use. If no more can be defined,
  /// returns 0, the terminal's own colors.
  private func pair(of style: ColorPalette.ResolvedStyle) -> Int16 {
    guard palette.colors > 0, style.foreground >= 0 || style.background >= 0 else { return 0 }
    var wanted = style
    wanted.attributes = []
    if !cn_screen_has_default_colors() {
      wanted.foreground = style.foreground < 0 ? 7 : style.foreground
      wanted.background = max(0, style.background)
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
