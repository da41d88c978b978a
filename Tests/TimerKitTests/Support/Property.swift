import Dispatch

/// Plays random sequences of steps, and answers what was at fault: the seed, and the shortest
/// sequence that still fails. `TIMERKIT_SEED` and `TIMERKIT_SEQUENCES` play others.
func faults<Setup: Sendable, Step: Sendable>(
  sequences: UInt64, setup makeSetup: @escaping @Sendable (inout SplitMix) -> Setup,
  step makeStep: @escaping @Sendable (inout SplitMix) -> Step,
  fault: @escaping @Sendable (Setup, [Step]) -> String?
) -> [String] {
  let seed = environment("TIMERKIT_SEED", default: 20_260_101)
  let count = environment("TIMERKIT_SEQUENCES", default: sequences)
  let faults = Recorder<String>()
  let shards = 8
  DispatchQueue.concurrentPerform(iterations: shards) { shard in
    for index in stride(from: UInt64(shard), to: count, by: shards) where faults.count == 0 {
      var random = SplitMix(state: seed &+ index)
      let setup = makeSetup(&random)
      let steps = (0..<10 + random.below(30)).map { _ in makeStep(&random) }
      guard let found = fault(setup, steps) else { continue }
      let shortest = shrink(steps) { fault(setup, $0) != nil }
      faults.append(
        """
        TIMERKIT_SEED=\(seed &+ index) TIMERKIT_SEQUENCES=1
        \(setup)
        \(shortest.map { "\($0)" }.joined(separator: "\n"))
        \(fault(setup, shortest) ?? found)
        """)
    }
  }
  return faults.all
}
