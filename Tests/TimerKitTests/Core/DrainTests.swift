import Dispatch
import Foundation
import Testing

@testable import TimerKit

@Suite(.timeLimit(.minutes(20))) struct DrainTests {
  private let clock = VirtualClock()
  private let log = Recorder<String>()

  /// An operation that takes ten milliseconds.
  private var work: @Sendable (_ name: String) async -> Void {
    { [clock, log] name in
      log.append("\(name) begins at \(milliseconds(clock))")
      do {
        try await clock.sleep(for: .milliseconds(10))
        log.append("\(name) ends at \(milliseconds(clock))")
      } catch {
        log.append("\(name) is cancelled at \(milliseconds(clock))")
      }
    }
  }

  private func later(_ time: Int64) -> TimerClock.Instant { clock.now + .milliseconds(time) }

  /// Drains a timer while the time passes.
  /// - Returns: the result, and the time at which the drain returned.
  private func drain(
    _ timer: some Drainable, until deadline: TimerClock.Instant? = nil
  ) async -> (result: DrainResult, time: Int64) {
    await clock.run {
      async let drained = {
        let result = await timer.drain(until: deadline)
        return (result, milliseconds(clock))
      }()
      await clock.advance(by: .seconds(10))
      return await drained
    }
  }

  // MARK: By kind

  /// The table of the article "Ending a program": it has a row for each kind, in order, and says what the kind does.
  @Test func theTableHasEveryKind() throws {
    let article = URL(filePath: #filePath).appending(
      path: "../../../../Sources/TimerKit/TimerKit.docc/EndingAProgram.md")
    let text = try String(contentsOf: article.standardized, encoding: .utf8)
    let rows = text.matches(of: /\| ``(\w+)`` \| ([^|]+) \| ([^|]+) \|/)
    #expect(rows.map { String($0.1) } == DrainedKind.allCases.map(\.rawValue))
    for (row, kind) in zip(rows, DrainedKind.allCases) {
      let deliversSome = kind.delivers || kind == .stopwatch || kind == .timeLimited
      #expect((row.2 == "nothing") == !deliversSome, "\(kind)")
      #expect((row.3 == "nothing") == kind.delivers, "\(kind)")
    }
  }

  /// A value that waits for its time is delivered at once, or never.
  @Test(arguments: DrainedKind.allCases, [false, true])
  func whatWaitsForItsTime(_ kind: DrainedKind, _ isOperation: Bool) async throws {
    let values = Recorder<Int>()
    let work =
      isOperation
      ? DrainedWork.operation(.skip) { values.append($0) } : .handler { values.append($0) }
    guard let drained = try DrainedTimer(kind, work, clock: .virtual(clock)) else { return }
    // A lap is delivered when it is taken. The second value is that of another key, and the first of a throttler does not wait.
    for value in 7...8 where kind != .stopwatch { drained.submit(value) }
    await clock.waitUntilIdle()
    let before = values.count
    #expect(await drained.timer.drain().isComplete)
    await clock.waitUntilIdle()
    #expect((values.count > before || before == 2) == kind.delivers)
    #expect(kind.delivers == values.all.contains(8))
    await clock.advance(by: .hours(1))
    drained.submit(9)
    await clock.advance(by: .hours(1))
    #expect(!values.all.contains(9))
  }

  // MARK: Operations

  /// The run in progress ends by itself, and what is pending is delivered after it.
  @Test func aBatcherLosesNothing() async throws {
    let batcher = try Batcher<String>(count: 2, clock: .virtual(clock), overlap: .queueOne) {
      [work] _, batch in await work(batch.joined())
    }
    for name in ["a", "b"] { batcher.add(name) }
    await clock.advance(by: .milliseconds(2))
    batcher.add("c")
    let (result, time) = await drain(batcher)
    #expect(result.isComplete)
    #expect(time == 20)
    #expect(log.all == ["ab begins at 0", "ab ends at 10", "c begins at 10", "c ends at 20"])
    #expect(batcher.state == .cancelled)
    #expect(batcher.add("d") == .refused(.cancelled))
  }

  /// Values that have become batches while a run was in progress, too.
  @Test func allBatchesOfABatcherEnd() async throws {
    let batcher = try Batcher<String>(count: 2, clock: .virtual(clock), overlap: .queueOne) {
      [work] _, batch in await work(batch.joined())
    }
    for name in ["a", "b", "c", "d", "e"] { batcher.add(name) }
    await clock.waitUntilIdle()
    let (result, time) = await drain(batcher)
    #expect(result.isComplete)
    #expect(time == 30)
    #expect(log.all.filter { $0.contains("ends") }.count == 3)
  }

  @Test(arguments: Repeater.Overlap.allCases)
  func aDebouncerDeliversTheNewestValue(_ overlap: Repeater.Overlap) async throws {
    let debouncer = try Debouncer<String>(
      delay: .milliseconds(3), clock: .virtual(clock), overlap: overlap
    ) { [work] _, name in await work(name) }
    debouncer.call("a")
    await clock.advance(by: .milliseconds(4))
    for name in ["b", "c"] { debouncer.call(name) }
    let (result, time) = await drain(debouncer)
    #expect(result.isComplete)
    #expect(time == 23)
    #expect(log.all == ["a begins at 3", "a ends at 13", "c begins at 13", "c ends at 23"])
  }

  /// A run that waits for the one in progress is not superseded by the value that the drain delivers.
  @Test func theRunThatWaitsIsNotReplaced() async throws {
    let debouncer = try Debouncer<String>(
      delay: .milliseconds(1), clock: .virtual(clock), overlap: .queueOne
    ) { [work] _, name in await work(name) }
    for name in ["a", "b"] {
      debouncer.call(name)
      await clock.advance(by: .milliseconds(2))
    }
    debouncer.call("c")
    let (result, _) = await drain(debouncer)
    #expect(result.isComplete)
    #expect(
      log.all.filter { $0.contains("ends") } == ["a ends at 11", "b ends at 21", "c ends at 31"])
  }

  /// Keys do not wait for one another.
  @Test func aKeyedThrottlerDrainsItsKeysTogether() async throws {
    let throttler = try KeyedThrottler<String, String>(
      interval: .milliseconds(4), clock: .virtual(clock), overlap: .skip
    ) { [work] _, key, name in await work(key + name) }
    for key in ["a", "b"] {
      throttler.call("1", for: key)
      throttler.call("2", for: key)
    }
    await clock.waitUntilIdle()
    let (result, time) = await drain(throttler)
    #expect(result.isComplete)
    #expect(time == 20)
    #expect(log.all.filter { $0.contains("ends") }.count == 4)
    #expect(throttler.call("3", for: "a") == false)
  }

  /// The runs of a kind that drops what is pending: the current one ends, and no other begins.
  @Test(arguments: Repeater.Overlap.allCases)
  func aRepeaterDropsItsTicks(_ overlap: Repeater.Overlap) async throws {
    let timer = try Repeater.every(
      .milliseconds(8), clock: .virtual(clock), overlap: overlap
    ) { [work] timer, tick in
      await work("\(tick.iteration)")
      #expect(timer.state == .cancelled)
    }
    await clock.advance(by: .milliseconds(9))
    if overlap != .cancelPrevious { timer.fire() }
    let (result, time) = await drain(timer)
    #expect(result.isComplete)
    #expect(timer.fire() == .refused(.cancelled))
    #expect(log.all == ["1 begins at 8", "1 ends at 18"])
    #expect(time == 18)
  }

  /// Each caller receives its result, also the one whose call the drain makes due.
  @Test func theCallersOfADebouncedFunctionReceiveTheirResults() async throws {
    let function = try DebouncedFunction(delay: .milliseconds(3), clock: .virtual(clock)) {
      [clock] (name: String) in
      try await clock.sleep(for: .milliseconds(10))
      return name
    }
    let call: @Sendable (String) async -> Void = { [log, clock] name in
      let result = try? await function(name)
      log.append("\(result ?? "cancelled") at \(milliseconds(clock))")
    }
    await clock.run {
      async let first: Void = call("a")
      await clock.advance(by: .milliseconds(4))
      async let second: Void = call("b")
      await clock.waitUntilIdle()
      async let drained = function.drain()
      await clock.waitUntilIdle()
      async let third: Void = call("c")
      await clock.advance(by: .seconds(1))
      _ = await (first, second, third)
      #expect(await drained.isComplete)
    }
    #expect(log.all == ["cancelled at 4", "a at 13", "b at 23"])
  }

  // MARK: The deadline

  @Test func theDeadlineCancelsTheRunAndDropsTheRest() async throws {
    let batcher = try Batcher<String>(count: 2, clock: .virtual(clock), overlap: .queueOne) {
      [work] _, batch in await work(batch.joined())
    }
    for name in ["a", "b", "c", "d", "e"] { batcher.add(name) }
    await clock.waitUntilIdle()
    let (result, time) = await drain(batcher, until: later(15))
    #expect(result == DrainResult(droppedCount: 1, cancelledRunCount: 1))
    #expect("\(result)" == "1 value dropped, 1 run cancelled")
    #expect(time == 15)
    #expect(
      log.all == ["ab begins at 0", "ab ends at 10", "cd begins at 10", "cd is cancelled at 15"])
    #expect(batcher.state == .cancelled)
  }

  /// Its run waits in the runner, not in the debouncer.
  @Test func theDeadlineDropsTheValueThatWaitsForARun() async throws {
    let debouncer = try Debouncer<String>(delay: .zero, clock: .virtual(clock), overlap: .skip) {
      [work] _, name in await work(name)
    }
    debouncer.call("a")
    await clock.advance(by: .zero)
    debouncer.call("b")
    let (result, _) = await drain(debouncer, until: later(5))
    #expect(result == DrainResult(droppedCount: 1, cancelledRunCount: 1))
    #expect(log.all == ["a begins at 0", "a is cancelled at 5"])
    #expect(debouncer.snapshot.discardedCount == 1)
  }

  /// The rule of a kind that drops what is pending: that is no loss.
  @Test func theDeadlineCancelsTheRunOfARepeater() async throws {
    let timer = try Repeater.every(.milliseconds(8), clock: .virtual(clock), overlap: .queueOne) {
      [work] _, tick in await work("\(tick.iteration)")
    }
    await clock.advance(by: .milliseconds(17))
    let (result, time) = await drain(timer, until: later(0) + .nanoseconds(1))
    #expect(result == DrainResult(cancelledRunCount: 1))
    #expect(time == 17)
    #expect(log.all == ["1 begins at 8", "1 is cancelled at 17"])
  }

  /// Nothing begins any more.
  @Test(arguments: [0, -5] as [Int64])
  func aDeadlineThatHasPassedDropsWhatIsPending(_ time: Int64) async throws {
    let batcher = try Batcher<Int>(clock: .virtual(clock)) { _, batch in
      Issue.record("delivered \(batch)")
    }
    for value in 0..<3 { batcher.add(value) }
    let (result, _) = await drain(batcher, until: later(time))
    #expect(result == DrainResult(droppedCount: 3))
    #expect(batcher.state == .cancelled)
  }

  /// As the deadline does.
  @Test(arguments: [false, true])
  func theCancellationOfTheTask(_ isBeforeTheDrain: Bool) async throws {
    let batcher = try Batcher<String>(clock: .virtual(clock), overlap: .queueOne) {
      [work] _, batch in await work(batch.joined())
    }
    batcher.add("a")
    let task = Task(executorPreference: clock.taskExecutor) {
      if isBeforeTheDrain { withUnsafeCurrentTask { $0?.cancel() } }
      return await batcher.drain()
    }
    await clock.advance(by: .milliseconds(3))
    task.cancel()
    let result = await task.value
    #expect(
      result
        == (isBeforeTheDrain
          ? DrainResult(droppedCount: 1) : DrainResult(cancelledRunCount: 1)))
    #expect(log.all == (isBeforeTheDrain ? [] : ["a begins at 0", "a is cancelled at 3"]))
  }

  /// A wall clock's deadline, and that of the clock on which the timer runs.
  @Test func theDeadlineOfASystemClock() async throws {
    let queue = DispatchQueue(label: "suspended")
    queue.suspend()
    defer { queue.resume() }
    let debouncer = try Debouncer<Int>(delay: .seconds(60), queue: queue) { _, value in
      Issue.record("delivered \(value)")
    }
    debouncer.call(1)
    let result = await debouncer.drain(until: TimerClock.wall.now + .milliseconds(20))
    #expect(result == DrainResult(droppedCount: 1))
  }

  @Test func theDeadlineOfAnotherVirtualClockTraps() async {
    await #expect(processExitsWith: .failure) {
      let timer = Stopwatch(clock: .virtual(VirtualClock()))
      await timer.drain(until: VirtualClock().now)
    }
  }

  // MARK: Other controls meanwhile

  @Test func severalTasksWaitForTheSameEnd() async throws {
    let batcher = try Batcher<String>(clock: .virtual(clock), overlap: .queueOne) {
      [work] _, batch in await work(batch.joined())
    }
    batcher.add("a")
    let results = await clock.run {
      await withTaskGroup(of: DrainResult.self) { group in
        for limit in [nil, 5, 20] as [Int64?] {
          group.addTask { [clock] in
            await batcher.drain(until: limit.map { clock.now + .milliseconds($0) })
          }
        }
        await clock.advance(by: .seconds(1))
        return await group.reduce(into: []) { $0.append($1) }
      }
    }
    #expect(results == Array(repeating: DrainResult(cancelledRunCount: 1), count: 3))
    #expect(log.all == ["a begins at 0", "a is cancelled at 5"])
    #expect(await batcher.drain() == DrainResult(cancelledRunCount: 1))
  }

  @Test func aCancellationMeanwhileEndsTheDrain() async throws {
    let batcher = try Batcher<String>(count: 1, clock: .virtual(clock), overlap: .queueOne) {
      [work] _, batch in await work(batch.joined())
    }
    for name in ["a", "b", "c"] { batcher.add(name) }
    let result = await clock.run {
      async let drained = batcher.drain()
      await clock.advance(by: .milliseconds(4))
      #expect(batcher.state == .pending)
      #expect(batcher.flush() == .refused(.cancelled))
      #expect(batcher.cancelPending() == .refused(.cancelled))
      batcher.setHandler { _, _ in Issue.record("a handler that was set during the drain") }
      #expect(batcher.cancel() == .changed)
      return await drained
    }
    #expect(result == DrainResult(droppedCount: 2, cancelledRunCount: 1))
    #expect(log.all == ["a begins at 0", "a is cancelled at 4"])
  }

  /// Nobody hears what is pending.
  @Test func removingTheHandlerMeanwhileEndsTheDrain() async throws {
    let batcher = try Batcher<String>(count: 1, clock: .virtual(clock), overlap: .queueOne) {
      [work] _, batch in await work(batch.joined())
    }
    for name in ["a", "b"] { batcher.add(name) }
    let result = await clock.run {
      async let drained = batcher.drain()
      await clock.advance(by: .milliseconds(4))
      batcher.removeAllObservers()
      await clock.advance(by: .seconds(1))
      return await drained
    }
    #expect(result.cancelledRunCount == 0)
    #expect(log.all == ["a begins at 0", "a ends at 10"])
  }

  /// The work requests its next run, and observers call the timer again.
  @Test func whatADeliverySubmitsIsRefused() async throws {
    final class Owner: Sendable {}
    let owner = Owner()
    let timer = BackgroundTimer(for: owner, clock: .virtual(clock))
    @Sendable func save(_ owner: Owner) {
      log.append("save")
      #expect(timer.perform(after: .zero, save) == .refused(.cancelled))
    }
    timer.perform(after: .seconds(60), save)
    let (result, time) = await drain(timer)
    #expect(result.isComplete && time == 0)
    #expect(log.all == ["save"])

    let throttler = try Throttler<Int>(interval: .zero, clock: .virtual(clock)) { [log] _, value in
      log.append("\(value)")
    }
    throttler.observe { throttler, event in
      if case .delivery(let value) = event { throttler.call(value + 1) }
    }
    throttler.observe { [log] _, event in
      if case .state(_, let new) = event { log.append("\(new)") }
    }
    throttler.removeAllObservers()
    await throttler.drain()
    #expect(log.all == ["save"])
  }

  @Test func observersReceiveTheDeliveryBeforeTheEnd() async throws {
    let debouncer = try Debouncer<Int>(delay: .seconds(1), clock: .virtual(clock)) {
      [log] debouncer, value in log.append("handler \(value), \(debouncer.state)")
    }
    debouncer.call(7)
    debouncer.observe { [log] _, event in log.append("\(event)") }
    let events = debouncer.events()
    #expect(await drain(debouncer).result.isComplete)
    #expect(
      log.all == ["handler 7, idle", "7", "pending → idle", "idle → cancelled"])
    #expect(await events.reduce(into: 0) { count, _ in count += 1 } == 3)
  }

  /// Also a control that would change nothing.
  @Test func aDrainingStopwatchRefusesAReset() {
    var machine = StopwatchStateMachine()
    machine.close(at: 0)
    #expect(machine.isReset && machine.reset(at: 0) == .refused(.cancelled))
  }

  @Test func aStopwatchKeepsItsTimeAndDeliversItsLaps() async throws {
    let queue = DispatchQueue(label: "suspended")
    queue.suspend()
    let stopwatch = Stopwatch(queue: queue) { [log] _, mark in log.append("\(mark)") }
    stopwatch.start()
    for _ in 0..<3 { stopwatch.lap() }
    let drain = Task { await stopwatch.drain() }
    while stopwatch.lap() != nil { await Task.yield() }
    queue.resume()
    #expect(await drain.value.isComplete)
    #expect(log.count >= 3 && log.count == stopwatch.laps.count)
    #expect(stopwatch.elapsed == stopwatch.elapsed && stopwatch.start() == .refused(.cancelled))
  }

  /// A value that has expired is delivered, one that has not is dropped.
  @Test(arguments: [false, true])
  func aTimeLimited(_ isExpired: Bool) async throws {
    let queue = DispatchQueue(label: "suspended")
    queue.suspend()
    let container = try TimeLimited("a", for: isExpired ? .nanoseconds(1) : .hours(1), queue: queue)
    { [log] _, value in log.append(value) }
    if isExpired { while container.value != nil { await Task.yield() } }
    let drain = Task { await container.drain() }
    if isExpired {
      // It has not ended while the handler has not been called.
      while (try? container.renew()) != nil { await Task.yield() }
      #expect(log.all == [])
    }
    queue.resume()
    #expect(await drain.value.isComplete)
    #expect(log.all == (isExpired ? ["a"] : []))
    #expect(container.state == .cancelled && container.value == nil)
  }

  @Test(arguments: DrainedKind.allCases, [false, true])
  func itReleasesTheHandler(_ kind: DrainedKind, _ isOperation: Bool) async throws {
    let instances = InstanceCounter()
    func make() throws -> DrainedTimer? {
      let captured = InstanceCounter.Instance(instances)
      let work =
        isOperation
        ? DrainedWork.operation(.queueOne) { _ in _ = captured } : .handler { _ in _ = captured }
      return try DrainedTimer(kind, work, clock: .virtual(clock))
    }
    guard var drained = try make() else { return }
    drained.submit(1)
    // The work of a background timer comes with the request.
    drained.submit = { _ in }
    #expect(instances.liveCount > 0)
    await clock.advance(by: .milliseconds(3))
    await drained.timer.drain()
    await clock.waitUntilIdle()
    #expect(instances.liveCount == 0)
    withExtendedLifetime(drained) {}
  }

  // MARK: Waiting for itself

  @Test func inItsOwnOperationItTraps() async {
    await #expect(processExitsWith: .failure) {
      let batcher = try Batcher<Int>(count: 1, overlap: .queueOne) { batcher, _ in
        await batcher.drain()
      }
      for value in 0..<2 { batcher.add(value) }
      await batcher.drain()
    }
  }

  /// Each one waits until the other has delivered what is pending.
  @Test func operationsThatDrainEachOtherTrap() async {
    await #expect(processExitsWith: .failure) {
      let others = Recorder<Batcher<Int>>()
      let (begun, begin) = AsyncStream.makeStream(of: Void.self)
      let first = try Batcher<Int>(count: 1, overlap: .queueOne) { _, _ in
        for await _ in begun {}
        await others.all[0].drain()
      }
      let second = try Batcher<Int>(count: 1, overlap: .queueOne) { _, _ in
        begin.finish()
        await first.drain()
      }
      others.append(second)
      for value in 0..<2 {
        first.add(value)
        second.add(value)
      }
      await first.drain()
    }
  }

  // MARK: The main actor

  /// The value is delivered on the caller's actor, and so are the events of the end.
  @MainActor @Test func onTheMainActor() async throws {
    let values = Recorder<Int>()
    let events = Recorder<String>()
    let debouncer = try Debouncer<Int>(
      delay: .seconds(1), clock: .virtual(self.clock), isolation: MainActor.shared
    ) { _, value in
      MainActor.assertIsolated()
      values.append(value)
    }
    debouncer.observe(isolation: MainActor.shared) { _, event in events.append("\(event)") }
    debouncer.call(1)
    #expect(await debouncer.drain().isComplete)
    #expect(values.all == [1])
    #expect(events.all == ["idle → pending", "1", "pending → idle", "idle → cancelled"])
  }

  @MainActor @Test func cancelAndWaitReportsTheEndOnTheMainActor() async throws {
    let events = Recorder<String>()
    let timer = try Repeater.every(
      .seconds(1), clock: .virtual(self.clock), isolation: MainActor.shared
    ) { _, _ in }
    timer.observe(isolation: MainActor.shared) { _, event in events.append("\(event)") }
    await timer.cancelAndWait()
    #expect(events.all == ["running → cancelled"])
  }
}
