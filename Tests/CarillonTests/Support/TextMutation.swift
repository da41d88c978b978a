import Fuzzing

/// A random change to the bytes of a file. Positions are relative to its length, so that a change
/// applies to any text.
enum TextMutation: Sendable {
  case insert(String, at: Int)
  case replaceByte(UInt8, at: Int)
  /// Deletes this number of bytes.
  case delete(Int, at: Int)
  /// Appends a copy of this number of bytes.
  case double(Int, at: Int)
  /// Replaces the next number.
  case number(String, at: Int)
  case cut(at: Int)

  static let positions = 10_000

  /// - Parameter pieces: the strings to insert.
  init(_ random: inout SplitMix, pieces: [String]) {
    let position = random.below(Self.positions)
    switch random.below(12) {
    case 0...4: self = .insert(random.one(of: pieces), at: position)
    case 5: self = .replaceByte(UInt8(random.below(256)), at: position)
    case 6...7: self = .delete(1 << random.below(6), at: position)
    case 8: self = .double(1 << random.below(8), at: position)
    case 9...10:
      let numbers = ["1e999", "-0.0", "1e-9", "0x7f", "1_0", "null", "\"\"", "\(random.edge())"]
      self = .number(random.one(of: numbers), at: position)
    default:
      // Truncation is rare, since complete files test more.
      self = random.below(4) == 0 ? .cut(at: position) : .insert("\n", at: position)
    }
  }

  func apply(to bytes: inout [UInt8]) {
    func index(_ position: Int) -> Int { bytes.count * position / Self.positions }
    switch self {
    case .insert(let text, let position): bytes.insert(contentsOf: text.utf8, at: index(position))
    case .replaceByte(let byte, let position):
      if !bytes.isEmpty { bytes[index(position)] = byte }
    case .delete(let count, let position):
      let start = index(position)
      bytes.removeSubrange(start..<min(bytes.count, start + count))
    case .double(let count, let position): bytes += bytes[index(position)...].prefix(count)
    case .number(let text, let position):
      let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
      guard let start = bytes[index(position)...].firstIndex(where: digits.contains) else { return }
      let end = bytes[start...].firstIndex { !digits.contains($0) } ?? bytes.count
      bytes.replaceSubrange(start..<end, with: text.utf8)
    case .cut(let position): bytes.removeSubrange(index(position)...)
    }
  }
}

extension [TextMutation] {
  func applied(to text: [UInt8]) -> [UInt8] {
    reduce(into: text) { $1.apply(to: &$0) }
  }
}
