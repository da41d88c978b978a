import Dispatch
import Synchronization

/// Runs random sequences of steps. Environment variables select other seeds and longer runs (see
/// ``Plan``).
/// - Parameters:
///   - sequences: The number of sequences without such variables.
///   - steps: The number of steps in a sequence.
///   - setup: Creates the start of a sequence.
///   - step: Creates a step.
///   - failure: Runs a sequence and returns what is wrong, or `nil`.
/// - Returns: A report of each failure, with its seed and the shortest sequence that fails.
public func failures<Setup: Sendable, Step: Sendable>(
  sequences: UInt64, steps: Range<Int> = 10..<40,
  setup makeSetup: @escaping @Sendable (inout SplitMix) -> Setup,
  step makeStep: @escaping @Sendable (inout SplitMix) -> Step,
  name: String = #function,
  failure: @escaping @Sendable (Setup, [Step]) -> String?
) -> [String] {
  let target = Target(
    steps: steps, makeSetup: makeSetup, makeStep: makeStep, failure: failure)
  #if GUIDED
    return guided(name) { target.failureOfCase(from: $0) }
  #else
    return target.failures(by: Plan(usualCases: sequences), name: name)
  #endif
}

/// The sequences of a test and the check that they must pass.
private struct Target<Setup: Sendable, Step: Sendable>: Sendable {
  let steps: Range<Int>
  let makeSetup: @Sendable (inout SplitMix) -> Setup
  let makeStep: @Sendable (inout SplitMix) -> Step
  let failure: @Sendable (Setup, [Step]) -> String?

  func failures(by plan: Plan, name: String) -> [String] {
    let reports = Mutex<[String]>([])
    let caseCount = Atomic<UInt64>(0)
    let shards = plan.isSingle ? 1 : 8
    DispatchQueue.concurrentPerform(iterations: shards) { shard in
      let seedFile = SeedFile(folder: plan.seedFolder, name: "\(name)-\(shard)")
      var index = UInt64(shard)
      while plan.includes(index), reports.withLock({ $0.isEmpty }) {
        let seed = plan.seed &+ index
        index += UInt64(shards)
        seedFile?.write(seed)
        var random = SplitMix(state: seed)
        let setup = makeSetup(&random)
        let count = steps.lowerBound + random.below(steps.count)
        let sequence = (0..<count).map { _ in makeStep(&random) }
        if plan.isSingle { printError(text(of: setup, sequence)) }
        caseCount.add(1, ordering: .relaxed)
        if let report = report(on: setup, sequence) {
          reports.withLock { $0.append("FUZZ_SEED=\(seed) FUZZ_CASES=1\n\(report)") }
        }
      }
      seedFile?.remove()
    }
    if plan.end != nil { printError("\(name): \(caseCount.load(ordering: .relaxed)) cases") }
    return reports.withLock { $0 }
  }

  /// Runs a sequence that is generated from bytes, with as many steps as the bytes suffice for.
  func failureOfCase(from bytes: [UInt8]) -> String? {
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

  /// Runs a sequence and returns a report of its failure in the shortest form, or `nil`.
  private func report(on setup: Setup, _ sequence: [Step]) -> String? {
    guard let found = failure(setup, sequence) else { return nil }
    let shortest = shrink(sequence) { failure(setup, $0) != nil }
    return "\(text(of: setup, shortest))\n\(failure(setup, shortest) ?? found)"
  }

  private func text(of setup: Setup, _ steps: [Step]) -> String {
    var lines: [String] = Setup.self == Void.self ? [] : ["\(setup)"]
    // Strings are quoted.
    lines += steps.map { String(reflecting: $0) }
    return lines.joined(separator: "\n")
  }
}
