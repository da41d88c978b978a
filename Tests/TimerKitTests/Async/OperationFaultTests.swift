import Synchronization
import Testing

@testable import TimerKit

/// Operations and the controls that revoke, replace or wait for them.
@Suite(.timeLimit(.minutes(20))) struct OperationFaultTests {
  let clock = VirtualClock()
  let instances = InstanceCounter()

  private var instance: InstanceCounter.Instance { InstanceCounter.Instance(instances) }

  // MARK: Waiting

  /// A task that an operation starts is not a part of the operation, and can outlive it.
  @Test func aTaskThatTheOperationStartedCanWaitAfterItsEnd() async {
    await #expect(processExitsWith: .success) {
      let clock = VirtualClock()
      let (ended, end) = AsyncStream.makeStream(of: Void.self)
      let (waited, done) = AsyncStream.makeStream(of: Void.self)
      let timer = try Repeater.every(.seconds(1), clock: .virtual(clock), overlap: .skip) {
        timer, _ in
        await Task.yield()
        Task {
          for await _ in ended {}
          await timer.cancelAndWait()
          done.finish()
        }
      }
      await clock.advance(by: .seconds(1))
      end.finish()
      for await _ in waited {}
      #expect(timer.state == .cancelled)
    }
  }

  @Test func aTaskThatTheOperationStartedCanWaitForIt() async {
    await #expect(processExitsWith: .success) {
      let (waited, done) = AsyncStream.makeStream(of: Void.self)
      let timer = try Repeater.once(after: .zero, overlap: .skip) { timer, _ in
        Task {
          await timer.cancelAndWait()
          done.finish()
        }
        while !Task.isCancelled { await Task.yield() }
      }
      for await _ in waited {}
      #expect(timer.state == .cancelled)
    }
  }

  /// Each operation waits for the end of the other.
  @Test func operationsThatWaitForEachOtherTrap() async {
    await #expect(processExitsWith: .failure) {
      let (begun, begin) = AsyncStream.makeStream(of: Void.self)
      let first = try Repeater.once(after: .zero, overlap: .skip) { first, _ in
        let second = try? Repeater.once(after: .zero, overlap: .skip) { _, _ in
          begin.finish()
          await first.cancelAndWait()
        }
        for await _ in begun {}
        await second?.cancelAndWait()
      }
      while first.state != .cancelled { await Task.yield() }
      // Only a trap ends this wait.
      await first.cancelAndWait()
    }
  }

  // MARK: Revoked ticks

  /// The operation waits for its actor while a control revokes its tick.
  @Test func noOperationBeginsAfterAControlHasReturned() async throws {
    let controls: [@Sendable (Repeater) -> Void] = [
      { $0.cancel() }, { $0.pause() }, { $0.reset() }, { $0.restart() },
      { $0.setHandler { _, _ in } }, { $0.removeAllObservers() },
    ]
    var arrivals = HeldActor.executor.arrivals.makeAsyncIterator()
    for (index, control) in controls.enumerated() {
      let log = Recorder<Int>()
      let timer = try Repeater.every(.hours(1), overlap: .skip) { @HeldActor _, _ in
        log.append(index)
      }
      timer.fire()
      await arrivals.next()
      control(timer)
      HeldActor.executor.run()
      await timer.cancelAndWait()
      #expect(log.all == [])
    }
  }

  /// The handler that starts the operation has started, and none of its code has run.
  @Test @MainActor func noOperationBeginsAfterAControlAtTheEntryOfItsHandler() async throws {
    let controls: [@Sendable (Repeater) -> Void] = [
      { $0.cancel() }, { $0.pause() }, { $0.reset() }, { $0.restart() },
    ]
    for control in controls {
      let log = Recorder<Int>()
      let timer = try Repeater.every(.seconds(1), clock: .virtual(clock), overlap: .skip) {
        @MainActor [log] _, tick in log.append(tick.iteration)
      }
      #expect(Self.advance(clock, holding: timer) { control(timer) })
      await clock.waitUntilIdle()
      #expect(log.all == [])
      await timer.cancelAndWait()
    }
  }

  @Test(arguments: ["a", "b"]) @MainActor
  func onlyTheRunOfAKeyIsRevokedAtTheEntryOfItsHandler(_ key: String) async throws {
    let log = Recorder<String>()
    let debouncer = try KeyedDebouncer<String, Int>(
      delay: .seconds(1), clock: .virtual(clock), overlap: .skip
    ) { @MainActor [log] _, key, _ in log.append(key) }
    debouncer.call(1, for: "a")
    #expect(Self.advance(clock, holding: debouncer) { debouncer.cancelPending(for: key) })
    await clock.waitUntilIdle()
    #expect(log.all == (key == "a" ? [] : ["a"]))
  }

  private static func advance(
    _ clock: VirtualClock, holding timer: some AnyObject, while body: @escaping @Sendable () -> Void
  ) -> Bool {
    clock.advance(by: .seconds(1), holding: timer, while: body)
  }

  /// The control, for "a", comes after the handler has looked at its delivery.
  @Test(arguments: ["a", "b"]) func aRunIsRevokedWhileItIsAdded(_ key: String) async throws {
    let log = Recorder<String>()
    let runner = OperationRunner(.skip, on: .virtual(clock))
    let debouncer = try KeyedDebouncer<String, Int>(
      delay: .seconds(1), clock: .virtual(clock)
    ) { debouncer, key, _ in
      runner.run(
        for: debouncer, in: key, on: nil,
        revokedBy: { machine in
          runner.revokeRuns(in: "a")
          return machine.generation
        }, whenOver: { log.append("over") }
      ) { _ in log.append("begins") }
    }
    debouncer.call(1, for: key)
    await clock.advance(by: .seconds(1))
    #expect(log.all == (key == "a" ? ["over"] : ["begins", "over"]))
  }

  @Test func anOperationBeginsOnItsActor() async throws {
    let isOnMainActor = Recorder<Bool>()
    let timer = try Repeater.every(.seconds(1), clock: .virtual(clock), overlap: .skip) {
      @MainActor _, _ in
      MainActor.assertIsolated()
      isOnMainActor.append(true)
    }
    await clock.advance(by: .seconds(1))
    while isOnMainActor.count == 0 { await Task.yield() }
    await timer.cancelAndWait()
  }

  // MARK: Memory

  /// Creates a timer whose operation captures a counted instance.
  private func make() throws -> Repeater {
    try Repeater.every(.seconds(1), clock: .virtual(clock), overlap: .skip) {
      [instance, clock] _, _ in
      try? await clock.sleep(for: .seconds(10))
      withExtendedLifetime(instance) {}
    }
  }

  @Test(arguments: [false, true]) func cancelReleasesTheOperation(_ hasRun: Bool) async throws {
    let timer = try make()
    #expect(instances.liveCount == 1)
    if hasRun { await clock.advance(by: .seconds(1)) }
    await timer.cancelAndWait()
    #expect(instances.liveCount == 0)
    timer.setOperation { [instance] _, _ in withExtendedLifetime(instance) {} }
    #expect(instances.liveCount == 0)
  }

  @Test func anOperationThatIsReplacedIsReleased() async throws {
    let timer = try make()
    timer.setOperation { [instance] _, _ in withExtendedLifetime(instance) {} }
    #expect(instances.liveCount == 1)
    timer.setHandler { _, _ in }
    #expect(instances.liveCount == 0)
    timer.cancel()
  }

  /// Until the handler has returned, the cancellation is not reported.
  @Test func aCancelledTimerKeepsNoNewOperation() throws {
    let timer = try Repeater.every(.seconds(1), clock: .virtual(clock)) { [instances] timer, _ in
      timer.cancel()
      let instance = InstanceCounter.Instance(instances)
      timer.setOperation { _, _ in withExtendedLifetime(instance) {} }
    }
    clock.advance(by: .seconds(1))
    #expect(timer.state == .cancelled)
    #expect(instances.liveCount == 0)
  }

  @Test func anOperationThatIsRemovedIsReleased() throws {
    let timer = try make()
    timer.removeAllObservers()
    #expect(instances.liveCount == 0)
    timer.cancel()
  }
}

/// An actor whose jobs wait until the test runs them.
@globalActor private actor HeldActor {
  static let shared = HeldActor()
  static let executor = HeldExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    Self.executor.asUnownedSerialExecutor()
  }
}

private final class HeldExecutor: SerialExecutor {
  let arrivals: AsyncStream<Void>
  private let arrived: AsyncStream<Void>.Continuation
  private let jobs = Mutex<[UnownedJob]>([])

  init() { (arrivals, arrived) = AsyncStream.makeStream() }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    arrived.yield()
  }

  func run() {
    let taken = jobs.withLock { jobs in
      defer { jobs = [] }
      return jobs
    }
    for job in taken { job.runSynchronously(on: asUnownedSerialExecutor()) }
  }
}
