#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A generator that gives the same numbers for the same seed everywhere.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A small number below `bound`: the modulo's bias is nothing here, and it is quick.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}

/// `TIMERKIT_SEED` and `TIMERKIT_SEQUENCES` repeat or extend a property test's run.
func environment(_ name: String, default value: UInt64) -> UInt64 {
  getenv(name).flatMap { UInt64(String(cString: $0)) } ?? value
}

/// Takes away from a failing sequence what it can do without.
func shrink<Step>(_ steps: [Step], whileFailing fails: ([Step]) -> Bool) -> [Step] {
  var shortest = steps
  var length = max(1, shortest.count / 2)
  while length > 0 {
    var start = 0
    while start < shortest.count {
      var shorter = shortest
      shorter.removeSubrange(start..<min(start + length, shorter.count))
      if fails(shorter) { shortest = shorter } else { start += length }
    }
    length /= 2
  }
  return shortest
}
