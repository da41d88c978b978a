import Fuzzing

/// A change to the bytes of a file, as an editor, a crash or a stranger makes it. Places are shares of
/// the whole, so that it can be made to any text.
enum TextMutation: Sendable {
  case insert(String, at: Int)
  case replaceByte(UInt8, at: Int)
  /// Takes away so many bytes.
  case delete(Int, at: Int)
  /// Brings so many bytes to the end once more.
  case double(Int, at: Int)
  /// Takes another number for the first one after it.
  case number(String, at: Int)
  case cut(at: Int)

  static let places = 10_000

  /// - Parameter pieces: what could stand there.
  init(_ random: inout SplitMix, pieces: [String]) {
    let place = random.below(Self.places)
    switch random.below(12) {
    case 0...4: self = .insert(random.one(of: pieces), at: place)
    case 5: self = .replaceByte(UInt8(random.below(256)), at: place)
    case 6...7: self = .delete(1 << random.below(6), at: place)
    case 8: self = .double(1 << random.below(8), at: place)
    case 9...10:
      let numbers = ["1e999", "-0.0", "1e-9", "0x7f", "1_0", "null", "\"\"", "\(random.edge())"]
      self = .number(random.one(of: numbers), at: place)
    default:
      // A whole file is worth more than one that is cut.
      self = random.below(4) == 0 ? .cut(at: place) : .insert("\n", at: place)
    }
  }

  func apply(to bytes: inout [UInt8]) {
    func index(_ place: Int) -> Int { bytes.count * place / Self.places }
    switch self {
    case .insert(let text, let place): bytes.insert(contentsOf: text.utf8, at: index(place))
    case .replaceByte(let byte, let place):
      if !bytes.isEmpty { bytes[index(place)] = byte }
    case .delete(let count, let place):
      let start = index(place)
      bytes.removeSubrange(start..<min(bytes.count, start + count))
    case .double(let count, let place): bytes += bytes[index(place)...].prefix(count)
    case .number(let text, let place):
      let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
      guard let start = bytes[index(place)...].firstIndex(where: digits.contains) else { return }
      let end = bytes[start...].firstIndex { !digits.contains($0) } ?? bytes.count
      bytes.replaceSubrange(start..<end, with: text.utf8)
    case .cut(let place): bytes.removeSubrange(index(place)...)
    }
  }
}

extension [TextMutation] {
  func applied(to text: [UInt8]) -> [UInt8] {
    reduce(into: text) { $1.apply(to: &$0) }
  }
}
