import Fuzzing
import TerminalCore

extension SplitMix {
  /// Returns text of random scalars, with many of those that are difficult to draw.
  mutating func text(maxLength: Int = 24) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...maxLength, using: &self) { text.append(scalar()) }
    return String(text)
  }

  mutating func scalar() -> Unicode.Scalar {
    let range: ClosedRange<UInt32> =
      switch Int.random(in: 0..<10, using: &self) {
      case 0: 0...0x1F
      case 1: 0x7F...0xAD
      case 2: 0x300...0x36F
      case 3: 0x1100...0x11FF
      case 4: 0x2000...0x206F
      case 5: 0x4E00...0x4EFF
      case 6: 0xFE00...0xFF60
      case 7: 0x1F300...0x1FAFF
      case 8: 0...0x10FFFF
      default: 0x20...0x7E
      }
    return Unicode.Scalar(UInt32.random(in: range, using: &self)) ?? "x"
  }

  /// Returns a coordinate, mostly on or near a small screen and sometimes at the limits of `Int`.
  mutating func coordinate() -> Int {
    switch Int.random(in: 0..<10, using: &self) {
    case 0: [Int.min, .min + 1, .max - 1, .max].randomElement(using: &self) ?? 0
    default: Int.random(in: -6...26, using: &self)
    }
  }

  mutating func rect() -> Rect {
    Rect(x: coordinate(), y: coordinate(), width: coordinate(), height: coordinate())
  }

  mutating func style() -> Style {
    func color(_ random: inout SplitMix) -> Color {
      Bool.random(using: &random) ? .standard : .indexed(.random(in: 0...255, using: &random))
    }
    return Style(
      color(&self), on: color(&self), .init(rawValue: .random(in: 0..<64, using: &self)))
  }
}
