/// A random number generator that gives the same numbers for the same seed on every system.
public struct SplitMix: RandomNumberGenerator, Sendable {
  private var state: UInt64
  /// The remaining bytes, from which numbers are taken first.
  private var bytes: ArraySlice<UInt8> = []

  public init(state: UInt64) {
    self.state = state
  }

  /// Creates a generator of numbers from bytes. A small number takes one or two bytes, so that
  /// changing one byte changes one decision.
  init(bytes: [UInt8]) {
    state = 0
    self.bytes = bytes[...]
  }

  var isOutOfBytes: Bool { bytes.isEmpty }

  public mutating func next() -> UInt64 {
    if let number = take(8) { return number }
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  private mutating func take(_ count: Int) -> UInt64? {
    guard !bytes.isEmpty else { return nil }
    defer { bytes = bytes.dropFirst(count) }
    return bytes.prefix(count).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Returns a number below `bound`. The bias of the modulo does not matter for small numbers.
  public mutating func below(_ bound: Int) -> Int {
    let few = bound <= 1 << 8 ? take(1) : bound <= 1 << 16 ? take(2) : nil
    return Int((few ?? next()) % UInt64(bound))
  }

  /// Returns one of the elements, which must not be empty.
  public mutating func one<Element>(of elements: [Element]) -> Element {
    elements[below(elements.count)]
  }

  /// Returns a number at which arithmetic can fail: an end of the range, a power of two or ten or a
  /// neighbor, or a small number.
  public mutating func edge() -> Int64 {
    let magnitude: Int64 =
      switch below(6) {
      case 0: Int64.max - Int64(below(3))
      case 1: (1 << below(63)) + Int64(below(3)) - 1
      case 2: (0..<below(19)).reduce(1) { power, _ in power * 10 } + Int64(below(3)) - 1
      default: Int64(below(50))
      }
    return below(3) == 0 ? -magnitude - Int64(below(2)) : magnitude
  }
}
