import TerminalCore
import TimerKit

/// The pane of the selected timer: its details in lines.
struct DetailPane {
  let details: RowDetails
  let title: String

  /// The height of its box. On a low screen, the lanes of the next fires get two lines more.
  static let boxHeight = (low: 5, usual: 7)

  init?(_ frame: Frame) {
    guard let row = frame.selectedRow, let details = frame.selectedDetails else { return nil }
    (title, self.details) = (row.label, details)
  }

  func draw(_ frame: Frame, in area: Rect) {
    for (index, line) in details.lines(width: area.width, frame.symbols).prefix(area.height)
      .enumerated()
    {
      frame.draw(line, x: area.x, y: area.y + index, limit: area.width)
    }
  }
}

/// The lateness of the latest fires, half a cell each, relative to the largest of them.
struct Sparkline {
  /// The heights from 1 to 4, the oldest first.
  private let levels: [Int]

  init(_ lateness: [Duration], width: Int) {
    let shown = lateness.suffix(max(0, 2 * width)).map { Double($0.clampedNanoseconds) }
    let most = shown.max() ?? 0
    levels = shown.map { most > 0 ? max(1, Int(($0 / most * 4).rounded(.up))) : 1 }
  }

  func text(_ symbols: Symbols) -> String {
    stride(from: 0, to: levels.count, by: 2).map { index in
      let left = levels[index]
      let right = index + 1 < levels.count ? levels[index + 1] : 0
      return symbols.sparks?[max(left, right) - 1] ?? String(Character(Self.braille(left, right)))
    }.joined()
  }

  /// Returns a character with two columns of dots, filled from below.
  private static func braille(_ left: Int, _ right: Int) -> Unicode.Scalar {
    let bits = [0, 0x40, 0x44, 0x46, 0x47][left] | [0, 0x80, 0xA0, 0xB0, 0xB8][right]
    return Unicode.Scalar(UInt32(0x2800 + bits)) ?? " "
  }
}
