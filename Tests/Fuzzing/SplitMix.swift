/// A generator that gives the same numbers for the same seed everywhere.
public struct SplitMix: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(state: UInt64) {
    self.state = state
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A small number below `bound`: the modulo's bias is nothing here, and it is quick.
  public mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

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
