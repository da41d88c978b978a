/// A generator that gives the same numbers for the same seed everywhere.
public struct SplitMix: RandomNumberGenerator, Sendable {
  private var state: UInt64
  /// What is left of the bytes that it takes its numbers from first.
  private var bytes: ArraySlice<UInt8> = []

  public init(state: UInt64) {
    self.state = state
  }

  /// Numbers made of these bytes, few of them for small numbers: who changes a byte changes a decision.
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

  /// A small number below `bound`: the modulo's bias is nothing here, and it is quick.
  public mutating func below(_ bound: Int) -> Int {
    let few = bound <= 1 << 8 ? take(1) : bound <= 1 << 16 ? take(2) : nil
    return Int((few ?? next()) % UInt64(bound))
  }

  /// One of them; there must be one.
  public mutating func one<Element>(of elements: [Element]) -> Element {
    elements[below(elements.count)]
  }

  /// Numbers of the kind that arithmetic breaks at: the ends of the range, powers of two and ten and
  /// their neighbours, and small ones.
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
