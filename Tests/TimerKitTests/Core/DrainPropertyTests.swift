import Dispatch
import Fuzzing
import Testing

@testable import TimerKit

/// A thousand random ends of each kind, in virtual and in real time.
@Suite(.timeLimit(.minutes(20))) struct DrainPropertyTests {
  private static let ends = 1_000

  /// Returns a description of the fault of an end; `nil` if there is none.
  /// - Parameters:
  ///   - pending: the values that must be delivered; `nil` in real time, in which they are not known, and in which ticks come
  ///     between the beginning of the phase and that of the drain.
  ///   - result: the result of the drain, which had no deadline.
  private static func fault(
    _ kind: DrainedKind, _ log: DrainLog, pending: [Int]?, result: DrainResult
  ) -> String? {
    let all = log.entries(in: .before, .draining)
    if let late = log.entries(in: .after).first { return "\(late) after the drain" }
    if !result.isComplete { return "\(result)" }
    for case .begun(let value) in all where !all.contains(.ended(value)) {
      return "\(value) did not end"
    }
    guard let pending else { return nil }
    for case .cancelled(let value) in log.entries(in: .draining) {
      return "\(value) was cancelled"
    }
    for value in pending where !all.contains(.ended(value)) { return "\(value) was lost" }
    if !kind.delivers, kind != .stopwatch, kind != .timeLimited {
      for case .begun(let value) in log.entries(in: .draining) {
        return "\(value) began during the drain"
      }
    }
    return nil
  }

  @Test(arguments: DrainedKind.allCases)
  func inVirtualTime(_ kind: DrainedKind) async throws {
    for seed in 0..<Self.ends {
      var random = SplitMix(state: UInt64(seed))
      let clock = VirtualClock()
      let log = DrainLog()
      let overlap = random.one(of: Repeater.Overlap.allCases)
      let duration = Duration.milliseconds(random.below(12))
      let isHandler = random.below(3) == 0
      let operation = DrainedWork.operation(overlap) { value in
        log.record(.begun(value))
        // The next value of a batch whose run is superseded, too.
        let isSuperseded = Task.isCancelled
        await withTaskCancellationHandler {
          try? await clock.sleep(for: duration)
        } onCancel: {
          if !isSuperseded { log.record(.cancelled(value)) }
        }
        log.record(.ended(value))
      }
      let handler = DrainedWork.handler { value in
        log.record(.begun(value))
        log.record(.ended(value))
      }
      let first = isHandler ? handler : operation
      let second = isHandler ? operation : handler
      let drained = try #require(
        try DrainedTimer(kind, first, clock: .virtual(clock))
          ?? DrainedTimer(kind, second, clock: .virtual(clock)))
      var submitted: [Int] = []
      for value in 1...1 + random.below(8) {
        drained.submit(value)
        submitted.append(value)
        if random.below(2) == 0 { await clock.advance(by: .milliseconds(random.below(9))) }
      }
      let pending = drained.pending(submitted)
      log.phase.append(.draining)
      let result = await clock.run {
        async let result = {
          let result = await drained.timer.drain()
          log.phase.append(.after)
          return result
        }()
        await clock.waitUntilIdle()
        if random.below(2) == 0 { drained.submit(100) }
        await clock.advance(by: .seconds(1))
        return await result
      }
      drained.submit(101)
      await clock.advance(by: .seconds(1))
      let fault = Self.fault(kind, log, pending: pending, result: result)
      #expect(fault == nil, "seed \(seed), \(overlap), handler: \(isHandler), pending: \(pending)")
      #expect(clock.pendingCount == 0, "seed \(seed)")
      if fault != nil { break }
    }
  }

  @Test(arguments: DrainedKind.allCases)
  func inRealTime(_ kind: DrainedKind) async throws {
    for seed in 0..<Self.ends {
      var random = SplitMix(state: UInt64(seed))
      let log = DrainLog()
      let overlap = random.one(of: Repeater.Overlap.allCases)
      let yields = random.below(20)
      let isHandler = random.below(3) == 0
      let operation = DrainedWork.operation(overlap) { value in
        log.record(.begun(value))
        for _ in 0..<yields { await Task.yield() }
        log.record(.ended(value))
      }
      let handler = DrainedWork.handler { value in
        log.record(.begun(value))
        log.record(.ended(value))
      }
      let first = isHandler ? handler : operation
      let second = isHandler ? operation : handler
      let drained = try #require(
        try DrainedTimer(kind, first, clock: .suspending)
          ?? DrainedTimer(kind, second, clock: .suspending))
      let count = 1 + random.below(8)
      for value in 1...count {
        drained.submit(value)
        for _ in 0..<random.below(6) { await Task.yield() }
      }
      // Another thread submits until the timer has ended.
      let rival = Task {
        for value in 0..<yields {
          drained.submit(100 + value)
          await Task.yield()
        }
      }
      log.phase.append(.draining)
      let result = await drained.timer.drain()
      log.phase.append(.after)
      await rival.value
      drained.submit(101)
      for _ in 0..<20 { await Task.yield() }
      let fault = Self.fault(kind, log, pending: nil, result: result)
      #expect(fault == nil, "seed \(seed), \(overlap), handler: \(isHandler)")
      if fault != nil { break }
    }
  }

  /// Every value that a batcher accepts is delivered, whoever adds it, and its run has ended when the drain returns.
  @Test func aBatcherLosesNoAcceptedValue() async throws {
    for seed in 0..<Self.ends {
      var random = SplitMix(state: UInt64(seed))
      let yields = random.below(10)
      let stored = Recorder<Int>()
      let batcher = try Batcher<Int>(count: 4, overlap: .queueOne) { _, batch in
        for _ in 0..<yields { await Task.yield() }
        for value in batch { stored.append(value) }
      }
      let accepted = await withTaskGroup(of: [Int].self) { group in
        for writer in 0..<3 {
          group.addTask {
            var accepted: [Int] = []
            for value in 0..<20 where batcher.add(writer * 100 + value).isChanged {
              accepted.append(writer * 100 + value)
              if value % 7 == yields { await Task.yield() }
            }
            return accepted
          }
        }
        group.addTask {
          for _ in 0..<yields { await Task.yield() }
          let result = await batcher.drain()
          #expect(result.isComplete)
          return []
        }
        return await group.reduce(into: []) { $0 += $1 }
      }
      #expect(stored.all.sorted() == accepted.sorted(), "seed \(seed)")
    }
  }
}
