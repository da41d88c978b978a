import TerminalCore

/// The style of big digits.
package enum DigitStyle: String, CaseIterable, Hashable, Sendable {
  case block, round

  var next: DigitStyle { self == .block ? .round : .block }

  fileprivate var font: BigFont { self == .block ? .block : .round }
}

/// Digits made of pixels, each a square of half cells, so that their scale has fine steps.
struct BigDigits {
  private let text: String
  private let font: BigFont
  /// The side of a pixel in half cells: as many columns, and half as many rows.
  let scale: Int

  /// Creates the digits of a text at the largest scale at which `widest` fits; `nil` if none does.
  init?(_ text: String, widest: String, style: DigitStyle, in room: Size, symbols: Symbols) {
    self.text = text
    font = style.font
    let fitting = min(room.width / font.width(of: widest), room.height * 2 / font.height)
    // Without half blocks pixels are whole cells high.
    scale = symbols.halfBlocks == nil ? fitting / 2 * 2 : fitting
    guard scale >= 1 else { return nil }
  }

  var height: Int { (font.height * scale + 1) / 2 }

  func width(of text: String) -> Int { font.width(of: text) * scale }

  /// Draws the digits, right-aligned at the column `maxX`.
  func draw(on canvas: inout Canvas, maxX: Int, y: Int, style: Style, symbols: Symbols) {
    var x = maxX - width(of: text)
    for character in text {
      let glyph = font[character]
      for row in 0..<height {
        let (upper, lower) = (glyph.row(2 * row / scale), glyph.row((2 * row + 1) / scale))
        for column in 0..<glyph.width {
          let bit: UInt8 = 1 << UInt8(glyph.width - 1 - column)
          let symbol = symbols.block(upper: upper & bit != 0, lower: lower & bit != 0)
          guard symbol != " " else { continue }
          canvas.fill(
            Rect(x: x + column * scale, y: y + row, width: scale, height: 1), with: symbol,
            style: style)
        }
      }
      x += (glyph.width + 1) * scale
    }
  }
}

extension Symbols {
  fileprivate func block(upper: Bool, lower: Bool) -> Unicode.Scalar {
    switch (upper, lower) {
    case (true, true): fullBlock
    case (true, false): halfBlocks?.upper ?? " "
    case (false, true): halfBlocks?.lower ?? " "
    case (false, false): " "
    }
  }
}

/// The shapes of the digits and separators.
private struct BigFont {
  struct Glyph {
    var width: Int
    var rows: [UInt8]

    /// Returns the bits of a row; 0 below the last row.
    func row(_ index: Int) -> UInt8 { index < rows.count ? rows[index] : 0 }
  }

  let height: Int
  private let glyphs: [Character: Glyph]

  /// - Parameter shapes: Rows of `#` and `.`, the glyphs of `characters` side by side.
  private init(_ characters: String, _ shapes: [String]) {
    height = shapes.count
    let rows = shapes.map { $0.split(separator: " ").map(Array.init) }
    var glyphs: [Character: Glyph] = [:]
    for (index, character) in characters.enumerated() {
      let bits = rows.map { row in row[index].reduce(0 as UInt8) { $0 << 1 | ($1 == "#" ? 1 : 0) } }
      glyphs[character] = Glyph(width: rows[0][index].count, rows: bits)
    }
    self.glyphs = glyphs
  }

  subscript(character: Character) -> Glyph { glyphs[character] ?? Glyph(width: 1, rows: []) }

  /// Returns the width of a text in pixels, with one pixel between two glyphs.
  func width(of text: String) -> Int {
    max(1, text.reduce(-1) { $0 + self[$1].width + 1 })
  }

  static let block = BigFont(
    "0123456789:.d+",
    [
      "### ..# ### ### #.# ### ### ### ### ### . . ..# ...",
      "#.# ..# ..# ..# #.# #.. #.. ..# #.# #.# # . ..# .#.",
      "#.# ..# ### ### ### ### ### ..# ### ### . . ### ###",
      "#.# ..# #.. ..# ..# ..# #.# ..# #.# ..# # . #.# .#.",
      "### ..# ### ### ..# ### ### ..# ### ### . # ### ...",
    ])

  static let round = BigFont(
    "0123456789:.d+",
    [
      ".###. ..#.. .###. ##### ...#. ##### ..##. ##### .###. .###. . . ....# .....",
      "#...# .##.. #...# ...#. ..##. #.... .#... ....# #...# #...# . . ....# ..#..",
      "#..## ..#.. ....# ..#.. .#.#. ####. #.... ...#. #...# #...# # . .##.# ..#..",
      "#.#.# ..#.. ...#. ...#. #..#. ....# ####. ..#.. .###. .#### . . #..## #####",
      "##..# ..#.. ..#.. ....# ##### ....# #...# .#... #...# ....# # . #...# ..#..",
      "#...# ..#.. .#... #...# ...#. #...# #...# .#... #...# ...#. . . #..## ..#..",
      ".###. .###. ##### .###. ...#. .###. .###. .#... .###. .##.. . # .##.# .....",
    ])
}
