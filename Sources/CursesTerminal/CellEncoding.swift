import CNCurses
import TerminalCore

/// An encoding of cells in characters that curses and the terminal both draw with the same width.
struct CellEncoding {
  /// A Boolean value that indicates whether the terminal gets more than ASCII.
  let isUTF8: Bool

  /// Appends a cell to a run; the right half of a wide character appends nothing.
  /// - Parameter style: A cell with the attributes and the color pair, as curses numbers them.
  func append(_ cell: Cell, style: cn_cell, to run: inout [cn_cell]) {
    guard let base = cell.base else { return }
    let first = isUTF8 ? cell.firstMark?.value ?? 0 : 0
    let second = isUTF8 ? cell.secondMark?.value ?? 0 : 0
    func add(_ base: UInt32, _ first: UInt32, _ second: UInt32) {
      var encoded = style
      (encoded.base, encoded.first_mark, encoded.second_mark) = (base, first, second)
      run.append(encoded)
    }
    if base.isASCII || (isUTF8 && Int(cn_width(base.value)) == TextWidth.of(base)) {
      add(base.value, first, second)
    } else {
      // An older C library, and so curses, has another width for some new characters, or none.
      add(isUTF8 ? 0xFFFD : Self.ascii(base).value, 0, 0)
      if TextWidth.of(base) == 2 { add(0x20, 0, 0) }
    }
  }

  /// Returns the nearest ASCII character.
  static func ascii(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar {
    case "\u{A0}", "\u{2800}": " "
    case "‐", "‑", "‒", "–", "—", "−", "─", "━", "┄", "┅", "┈", "┉", "╌", "╍", "═": "-"
    case "│", "┃", "┆", "┇", "┊", "┋", "╎", "╏", "║": "|"
    case "╱": "/"
    case "╲": "\\"
    case "\u{2500}"..."\u{257F}": "+"
    case "░", "▁", "▏", "▂", "▎", "…", "·", "•": "."
    case "\u{2580}"..."\u{259F}": "#"
    case "\u{2800}"..."\u{28FF}": ":"
    case "‘", "’": "'"
    case "“", "”": "\""
    case "×": "x"
    case "←", "‹", "«": "<"
    case "→", "›", "»": ">"
    default: "?"
    }
  }
}
