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
  let target = Target(
    steps: steps, makeSetup: makeSetup, makeStep: makeStep, fault: fault)
  #if GUIDED
    return guided(name) { target.faultOfCase(madeOf: $0) }
  #else
    return target.faults(by: Plan(usualCases: sequences), name: name)
  #endif
}

/// What is played, and what must hold.
private struct Target<Setup: Sendable, Step: Sendable>: Sendable {
  let steps: Range<Int>
  let makeSetup: @Sendable (inout SplitMix) -> Setup
  let makeStep: @Sendable (inout SplitMix) -> Step
  let fault: @Sendable (Setup, [Step]) -> String?

  func faults(by plan: Plan, name: String) -> [String] {
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
        let count = steps.lowerBound + random.below(steps.count)
        let sequence = (0..<count).map { _ in makeStep(&random) }
        if plan.isSingle { tell(text(of: setup, sequence)) }
        played.add(1, ordering: .relaxed)
        if let report = report(on: setup, sequence) {
          faults.withLock { $0.append("FUZZ_SEED=\(seed) FUZZ_CASES=1\n\(report)") }
        }
      }
      note?.remove()
    }
    if plan.end != nil { tell("\(name): \(played.load(ordering: .relaxed)) cases") }
    return faults.withLock { $0 }
  }

  /// As many steps as there are bytes for.
  func faultOfCase(madeOf bytes: [UInt8]) -> String? {
    var random = SplitMix(bytes: bytes)
    let setup = makeSetup(&random)
    var sequence: [Step] = []
    while sequence.count < steps.upperBound - 1,
      sequence.count < steps.lowerBound || !random.isOutOfBytes
    {
      sequence.append(makeStep(&random))
    }
    return report(on: setup, sequence)
  }

  /// `nil` where nothing is wrong; else what is, in the shortest form it has.
  private func report(on setup: Setup, _ sequence: [Step]) -> String? {
    guard let found = fault(setup, sequence) else { return nil }
    let shortest = shrink(sequence) { fault(setup, $0) != nil }
    return "\(text(of: setup, shortest))\n\(fault(setup, shortest) ?? found)"
  }

  private func text(of setup: Setup, _ steps: [Step]) -> String {
    var lines: [String] = Setup.self == Void.self ? [] : ["\(setup)"]
    // Quoted, where they are texts.
    lines += steps.map { String(reflecting: $0) }
    return lines.joined(separator: "\n")
  }
}
