import Dispatch
import Testing

@testable import TimerKit

@Suite struct BatcherTests {
  let clock = VirtualClock()
  let batches = Recorder<[Int]>()

  private func batcher(_ configuration: BatchConfiguration) throws -> Batcher<Int> {
    try Batcher(configuration, clock: .virtual(clock)) { [batches] _, batch in
      batches.append(batch)
    }
  }

  /// The diagram of the documentation: a digit is the number of values of a batch.
  @Test(arguments: MarbleOrder.allCases) func theDiagramIsRight(_ order: MarbleOrder) {
    let drawing = marbles("a-b-c------d-------e--f---g----", first: order) { clock, report in
      let batcher = try Batcher<Character>(
        count: 3, maxWait: .milliseconds(6), quietTime: .milliseconds(4), clock: .virtual(clock)
      ) { _, batch in report(Character("\(batch.count)")) }
      return { if case .call(let value) = $0 { batcher.add(value) } }
    }
    #expect(drawing == "----3----------1---------2----1")
  }

  @Test func aBatchIsDeliveredAtItsCount() throws {
    let batcher = try batcher(.init(count: 3))
    for value in 1...7 { #expect(batcher.add(value) == .changed) }
    #expect(batches.all == [[1, 2, 3], [4, 5, 6]])
    clock.advance(by: .days(365))
    #expect(batcher.isPending && batcher.snapshot.deadline == nil)
    #expect(batcher.flush() == .changed && batcher.flush() == .unchanged)
    #expect(batches.all.last == [7])
  }

  @Test func aFlushAndACancellationOfWhatWaits() throws {
    let batcher = try batcher(.init(count: 10, maxWait: .seconds(5)))
    batcher.add(1)
    clock.advance(by: .seconds(4))
    #expect(batcher.cancelPending() == .changed && batcher.cancelPending() == .unchanged)
    batcher.add(2)
    clock.advance(by: .seconds(4))
    #expect(batches.count == 0)
    clock.advance(by: .seconds(1))
    #expect(batches.all == [[2]])
    batcher.add(3)
    #expect(batcher.cancel() == .changed && batcher.cancel() == .unchanged)
    #expect(batcher.add(4) == .refused(.cancelled))
    #expect(batcher.flush() == .refused(.cancelled))
    clock.advance(by: .minutes(1))
    #expect(batches.count == 1 && batcher.state == .cancelled)
  }

  /// Values that come while the handler runs wait for it, at most `limit` of them.
  @Test(arguments: [
    (BatchOverflow.dropOldest, [[0, 1], [7, 8], [9, 10], [11]], 6),
    (.dropNewest, [[0, 1], [2, 3], [4, 5], [6]], 6),
    (.refuse, [[0, 1], [2, 3], [4, 5], [6]], 1),
  ])
  func theMemoryIsBounded(_ overflow: BatchOverflow, _ expected: [[Int]], _ last: Int) throws {
    let results = Recorder<ControlResult>()
    let batcher = try Batcher<Int>(
      count: 2, limit: 5, whenFull: overflow, clock: .virtual(clock)
    ) { [results, batches] batcher, batch in
      batches.append(batch)
      guard results.count == 0 else { return }
      for value in 2...11 { results.append(batcher.add(value)) }
      #expect(batcher.snapshot.pendingCount == 5)
    }
    batcher.add(0)
    batcher.add(1)
    batcher.flush()
    #expect(batches.all == expected)
    #expect(results.all.prefix(5) == Array(repeating: .changed, count: 5)[...])
    let full: ControlResult =
      switch overflow {
      case .dropOldest: .changed
      case .dropNewest: .unchanged
      case .refuse: .refused(.tooManyPending)
      }
    #expect(results.all.suffix(5) == Array(repeating: full, count: 5)[...])
    let snapshot = batcher.snapshot
    #expect(snapshot.callCount == (overflow == .refuse ? 7 : 12))
    #expect(snapshot.deliveredCount == 7 && snapshot.pendingCount == 0)
    #expect(snapshot.droppedCount == (overflow == .refuse ? 0 : 5))
  }

  /// A dropped value is destroyed outside the lock: its `deinit` uses the batcher.
  @Test func aDroppedValueCanUseTheBatcher() throws {
    final class Value: Sendable {
      let ended: @Sendable () -> Void
      init(_ ended: @escaping @Sendable () -> Void) { self.ended = ended }
      deinit { ended() }
    }
    let queue = DispatchQueue(label: "suspended")
    queue.suspend()
    let pending = Recorder<Int>()
    let batcher = try Batcher<Value>(count: 1, limit: 1, queue: queue) { _, _ in }
    for _ in 1...3 {
      batcher.add(Value { [weak batcher] in pending.append(batcher?.snapshot.pendingCount ?? -1) })
    }
    batcher.cancelPending()
    #expect(pending.all == [1, 1, 0])
    queue.resume()
  }

  @Test func theWallClockCanBeSetBack() throws {
    let day = VirtualClock(.wall, wall: WallInstant(nanosecondsSince1970: 1_000_000_000_000))
    let batcher = try Batcher<Int>(
      maxWait: .seconds(10), quietTime: .seconds(5), clock: .virtual(day)
    ) { [batches] _, batch in batches.append(batch) }
    batcher.add(1)
    day.adjustWall(by: .seconds(-100))
    batcher.add(2)
    day.advance(by: .seconds(5))
    #expect(batches.all == [[1, 2]])
    batcher.add(3)
    day.adjustWall(by: .hours(1))
    #expect(batches.all == [[1, 2], [3]])
  }

  @Test func withoutAHandlerBatchesAreDroppedWhenTheyAreDue() throws {
    let batcher = try Batcher<Int>(count: 2, maxWait: .seconds(1), clock: .virtual(clock))
    batcher.add(1)
    batcher.add(2)
    #expect(batcher.snapshot.deliveredCount == 2 && !batcher.isPending)
    batcher.setHandler { [batches] _, batch in batches.append(batch) }
    batcher.add(3)
    clock.advance(by: .seconds(1))
    #expect(batches.all == [[3]])
  }

  @Test func observersReceiveBatches() throws {
    let batcher = try Batcher<Int>(count: 2, clock: .virtual(clock))
    let log = Recorder<String>()
    batcher.observe { [log] _, event in log.append("\(event)") }
    batcher.add(1)
    batcher.add(2)
    #expect(log.all == ["idle → pending", "[1, 2]", "pending → idle"])
  }

  @Test @MainActor func theHandlerRunsOnTheMainActor() throws {
    final class Model { var batches: [[Int]] = [] }
    let model = Model()
    let batcher = try Batcher<Int>(
      .init(count: 2), clock: .virtual(clock), isolation: MainActor.shared
    ) { _, batch in model.batches.append(batch) }
    batcher.add(1)
    batcher.add(2)
    batcher.setHandler(isolation: MainActor.shared) { _, batch in model.batches.append(batch + [0])
    }
    batcher.add(3)
    batcher.add(4)
    #expect(model.batches == [[1, 2], [3, 4, 0]])
  }

  @Test func theToleranceIsLimited() throws {
    let machine = try BatchStateMachine<Int>(
      .init(maxWait: .seconds(8), quietTime: .seconds(2), tolerance: .hours(1)))
    #expect(machine.maximumTolerance == 1_000_000_000)
  }

  /// Each value is in one batch, in the order of each thread.
  @Test func manyThreadsLoseNothing() throws {
    let queue = DispatchQueue(label: "batches")
    let batcher = try Batcher<Int>(
      count: 7, maxWait: .microseconds(50), limit: 100_000, queue: queue
    ) {
      [batches] _, batch in batches.append(batch)
    }
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for number in 0..<2_000 { batcher.add(thread * 10_000 + number) }
    }
    batcher.flush()
    // The queue is serial: what was due before has been delivered.
    while batcher.isPending { queue.sync {} }
    batcher.cancelAndWait()
    let values = batches.all.flatMap(\.self)
    #expect(batches.all.allSatisfy { (1...7).contains($0.count) })
    #expect(values.count == 16_000)
    for thread in 0..<8 {
      #expect(values.filter { $0 / 10_000 == thread } == (0..<2_000).map { thread * 10_000 + $0 })
    }
  }

  @Test func invalidConfigurationsAreErrors() throws {
    func error(_ configuration: BatchConfiguration) -> TimerConfigurationError? {
      do throws(TimerConfigurationError) {
        _ = try Batcher<Int>(configuration)
        return nil
      } catch { return error }
    }
    #expect(error(.init(count: 0)) == .invalidCount(0, parameter: .batchCount))
    #expect(error(.init(limit: 0)) == .invalidCount(0, parameter: .batchCount))
    #expect(error(.init(count: 1, limit: -1)) == .invalidCount(-1, parameter: .pendingLimit))
    #expect(
      error(.init(maxWait: .seconds(-1))) == .invalidDuration(.seconds(-1), parameter: .maxWait))
    #expect(
      error(.init(quietTime: .seconds(-1))) == .invalidDuration(.seconds(-1), parameter: .quietTime)
    )
    #expect(
      error(.init(tolerance: .seconds(-1))) == .invalidDuration(.seconds(-1), parameter: .tolerance)
    )
    #expect(error(.init(count: .max, maxWait: .zero, quietTime: .zero)) == nil)
  }
}
