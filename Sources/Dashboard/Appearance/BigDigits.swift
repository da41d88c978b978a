import TerminalCore

/// Digits in one face at one height: drawn for three rows, and from five rows on made of strokes. Each cell has two half
/// rows, where the terminal has half blocks.
struct BigDigits {
  private static let smallest = 3
  private static let largest = 24

  let height: Int
  /// The number of steps of the grid in a row: 2 with half blocks.
  private let unit: Int
  /// The width of a digit, and the thickness of its vertical and horizontal strokes.
  private let digitWidth: Int
  private let stroke: Int
  private let bar: Int

  private var steps: Int { height * unit }
  private var isDrawn: Bool { height < 5 }
  private var gap: Int { isDrawn ? 1 : 2 }

  /// Creates the digits at the largest size at which a text fits; `nil` if it fits at none.
  init?(widest: String, in room: Size, symbols: Symbols) {
    let hasHalves = symbols.halfBlocks != nil
    guard room.height >= Self.smallest,
      let digits = (Self.smallest...min(room.height, Self.largest)).reversed().lazy
        .compactMap({ BigDigits(height: $0, hasHalves: hasHalves) })
        .first(where: { $0.width(of: widest) <= room.width })
    else { return nil }
    self = digits
  }

  /// - Returns: `nil` for a height that the face does not have.
  private init?(height: Int, hasHalves: Bool) {
    guard height != 4, hasHalves || height >= 5 else { return nil }
    self.height = height
    unit = hasHalves ? 2 : 1
    digitWidth = height < 5 ? 5 : height * 27 / 20
    stroke = height < 5 ? 1 : max(2, (height * 6 + 12) / 25)
    bar = hasHalves ? stroke : max(1, stroke / 2)
  }

  /// Draws a text, right-aligned at the column `maxX`.
  func draw(
    _ text: String, on canvas: inout Canvas, maxX: Int, y: Int, style: Style, symbols: Symbols
  ) {
    let x = maxX - width(of: text)
    forEachGlyph(of: text) { character, offset, face in
      let top = y + height - face.height
      for row in 0..<face.height {
        for column in 0..<face.width(of: character) {
          let symbol = symbols.block(
            upper: face.fills(character, column, row * face.unit),
            lower: face.fills(character, column, row * face.unit + face.unit - 1))
          guard symbol != " " else { continue }
          canvas.fill(
            Rect(x: x + offset + column, y: top + row, width: 1, height: 1), with: symbol,
            style: style)
        }
      }
    }
  }

  private func width(of character: Character) -> Int {
    switch character {
    case ":", ".", " ": stroke
    default: digitWidth
    }
  }

  func width(of text: String) -> Int {
    var end = 0
    forEachGlyph(of: text) { character, offset, face in end = offset + face.width(of: character) }
    return max(1, end)
  }

  /// Calls a closure with each character, its offset and its face: tenths are half as high.
  private func forEachGlyph(of text: String, _ body: (Character, Int, BigDigits) -> Void) {
    let small = BigDigits(height: height / 2, hasHalves: unit == 2) ?? self
    var (face, offset) = (self, 0)
    for character in text {
      if character == ".", height / 2 >= Self.smallest { face = small }
      body(character, offset, face)
      offset += face.width(of: character) + face.gap
    }
  }

  /// Returns true if a character fills a cell of the grid.
  func fills(_ character: Character, _ x: Int, _ y: Int) -> Bool {
    if isDrawn { return Self.drawn[character].map { $0[y].dropFirst(x).first == "#" } ?? false }
    let middle = steps / 2
    let stem = (digitWidth - stroke) / 2
    let isStem = (stem..<(stem + stroke)).contains(x)
    switch character {
    case ":":
      return [3, 7].contains { abs(20 * y + 10 - 2 * $0 * steps) < 11 * bar }
    case ".": return y >= steps - bar
    case "1":
      let isFlag = (stem - stroke + 1..<stem).contains(x) && (1...bar).contains(y)
      return isStem || isFlag
    case "+":
      let isAcross = (middle - bar / 2..<middle - bar / 2 + bar).contains(y)
      // A half row is about as high as a cell is wide.
      let length = max(bar, digitWidth / 2)
      return isAcross || isStem && abs(2 * (y - middle) + 1) < 2 * length
    default: return Self.segments[character]?.contains { fills(segment: $0, x, y) } ?? false
    }
  }

  /// The segments, named as those of a display: `a` at the top, then clockwise to `f`, and `g` in the middle.
  private func fills(segment: Character, _ x: Int, _ y: Int) -> Bool {
    let middle = steps / 2
    let inner = 1..<(digitWidth - 1)
    let (left, right) = (x < stroke, x >= digitWidth - stroke)
    switch segment {
    case "a": return inner.contains(x) && y < bar
    case "d": return inner.contains(x) && y >= steps - bar
    case "g":
      return inner.contains(x) && (middle - bar / 2..<middle - bar / 2 + bar).contains(y)
    // The corners are cut by one step.
    case "f": return left && (1..<middle).contains(y)
    case "e": return left && (middle..<(steps - 1)).contains(y)
    case "b": return right && (1..<middle).contains(y)
    case "c": return right && (middle..<(steps - 1)).contains(y)
    default: return false
    }
  }

  private static let segments: [Character: String] = [
    "0": "a b c d e f", "2": "a b g e d", "3": "a b g c d", "4": "f g b c", "5": "a f g c d",
    "6": "a f g e d c",
    "7": "a b c", "8": "a b c d e f g", "9": "a b f g c d", "d": "b c d e g", "h": "f e g c",
    "-": "g",
    // `ready`, of a timer that waits for triggers.
    "r": "e g", "e": "a d e f g", "a": "a b c e f g", "y": "b c d f g",
  ]

  /// The characters of three rows, by half rows.
  private static let drawn: [Character: [String]] = [
    "0": [".###.", "#...#", "#...#", "#...#", "#...#", ".###."],
    "1": ["..#..", ".##..", "..#..", "..#..", "..#..", ".###."],
    "2": [".###.", "#...#", "...#.", "..#..", ".#...", "#####"],
    "3": ["####.", "....#", "..##.", "....#", "#...#", ".###."],
    "4": ["...#.", "..##.", ".#.#.", "#####", "...#.", "...#."],
    "5": ["#####", "#....", "####.", "....#", "#...#", ".###."],
    "6": ["..##.", ".#...", "####.", "#...#", "#...#", ".###."],
    "7": ["#####", "....#", "...#.", "..#..", "..#..", "..#.."],
    "8": [".###.", "#...#", ".###.", "#...#", "#...#", ".###."],
    "9": [".###.", "#...#", "#...#", ".####", "...#.", ".##.."],
    "d": ["....#", "....#", ".####", "#...#", "#...#", ".####"],
    "h": ["#....", "#....", "####.", "#...#", "#...#", "#...#"],
    "+": [".....", "..#..", ".###.", "..#..", ".....", "....."],
    "-": [".....", ".....", ".###.", ".....", ".....", "....."],
    "r": [".....", ".....", "#.##.", "##..#", "#....", "#...."],
    "e": [".....", ".....", ".###.", "#####", "#....", ".####"],
    "a": [".....", ".....", ".####", "#...#", "#...#", ".####"],
    "y": [".....", "#...#", "#...#", ".####", "....#", ".###."],
    ":": [".", "#", ".", ".", "#", "."],
    ".": [".", ".", ".", ".", ".", "#"],
  ]
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
