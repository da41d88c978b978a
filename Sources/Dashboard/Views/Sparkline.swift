import TimerKit

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
    var text = ""
    guard let bars = symbols.sparks else {
      for index in stride(from: 0, to: levels.count, by: 2) {
        text.unicodeScalars.append(
          Self.braille(levels[index], index + 1 < levels.count ? levels[index + 1] : 0))
      }
      return text
    }
    for index in stride(from: 0, to: levels.count, by: 2) {
      let level = max(levels[index], index + 1 < levels.count ? levels[index + 1] : 0)
      text += bars[level - 1]
    }
    return text
  }

  /// Returns a character with two columns of dots, filled from below.
  private static func braille(_ left: Int, _ right: Int) -> Unicode.Scalar {
    let bits = [0, 0x40, 0x44, 0x46, 0x47][left] | [0, 0x80, 0xA0, 0xB0, 0xB8][right]
    return Unicode.Scalar(UInt32(0x2800 + bits)) ?? " "
  }
}
