import Dispatch
import Synchronization

/// Plays random sequences of steps, and answers what was at fault: the seed, and the shortest
/// sequence that still fails. The environment asks for other seeds and longer runs (see ``Plan``).
/// - Parameters:
///   - sequences: how many are played where the environment says nothing.
///   - steps: how many steps one has.
///   - setup: makes what one starts from.
///   - fault: plays one; answers what is wrong, `nil` if nothing is.
public func faults<Setup: Sendable, Step: Sendable>(
  sequences: UInt64, steps: Range<Int> = 10..<40,
  setup makeSetup: @escaping @Sendable (inout SplitMix) -> Setup,
  step makeStep: @escaping @Sendable (inout SplitMix) -> Step,
  name: String = #function,
  fault: @escaping @Sendable (Setup, [Step]) -> String?
) -> [String] {
  let plan = Plan(usualCases: sequences)
  let faults = Mutex<[String]>([])
  let played = Atomic<UInt64>(0)
  let shards = plan.isSingle ? 1 : 8
  DispatchQueue.concurrentPerform(iterations: shards) { shard in
    let note = CaseNote(folder: plan.notes, name: "\(name)-\(shard)")
    var index = UInt64(shard)
    while plan.goes(on: index), faults.withLock({ $0.isEmpty }) {
      let seed = plan.seed &+ index
      index += UInt64(shards)
      note?.write(seed)
      var random = SplitMix(state: seed)
      let setup = makeSetup(&random)
      let steps = (0..<steps.lowerBound + random.below(steps.count)).map { _ in makeStep(&random) }
      if plan.isSingle { tell(text(of: setup, steps)) }
      played.add(1, ordering: .relaxed)
      guard let found = fault(setup, steps) else { continue }
      let shortest = shrink(steps) { fault(setup, $0) != nil }
      let report = """
        FUZZ_SEED=\(seed) FUZZ_CASES=1
        \(text(of: setup, shortest))
        \(fault(setup, shortest) ?? found)
        """
      faults.withLock { $0.append(report) }
    }
    note?.remove()
  }
  if plan.end != nil { tell("\(name): \(played.load(ordering: .relaxed)) cases") }
  return faults.withLock { $0 }
}

private func text<Setup, Step>(of setup: Setup, _ steps: [Step]) -> String {
  var lines: [String] = Setup.self == Void.self ? [] : ["\(setup)"]
  // Quoted, where they are texts.
  lines += steps.map { String(reflecting: $0) }
  return lines.joined(separator: "\n")
}
