import Dispatch
import Testing
import TimerKit

/// An executor for actors on a dispatch queue. On Apple platforms, `DispatchSerialQueue` is one already.
private final class QueueExecutor: SerialExecutor {
  let queue: DispatchQueue

  init(label: String) {
    queue = DispatchQueue(label: label)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}

@Suite("Example: timers of an actor")
struct ActorExample {
  /// An actor that shares its queue with its timer: a handler is isolated to it, without a task.
  private actor Connection {
    private let executor = QueueExecutor(label: "connection")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private(set) var pings = 0
    private var timer: Repeater?

    func start(_ onPing: @escaping @Sendable (Int) -> Void) throws {
      timer = try Repeater.every(.milliseconds(2), queue: executor.queue) { [weak self] _, _ in
        self?.assumeIsolated { connection in
          connection.pings += 1
          onPing(connection.pings)
        }
      }
    }

    /// After it, no ping comes: the actor and the handler share a serial queue.
    func stop() -> Int {
      precondition(timer?.isCallerIsolated == true)
      timer?.cancel()
      return pings
    }
  }

  @Test func aHandlerIsolatedToAnActor() async throws {
    let connection = Connection()
    let (pings, ping) = AsyncStream.makeStream(of: Int.self)
    try await connection.start { ping.yield($0) }
    for await count in pings where count >= 3 { break }
    let count = await connection.stop()
    for _ in 0..<20 { await Task.yield() }
    #expect(await connection.pings == count)
  }

  /// The other way, for any actor and clock: an operation. It captures the actor weakly, because the actor owns the
  /// timer.
  private actor Poller {
    private(set) var count = 0
    private var timer: Repeater?

    func start(clock: TimerClock) throws {
      timer = try Repeater.every(.seconds(1), clock: clock, overlap: .skip) { [weak self] _, _ in
        await self?.poll()
      }
    }

    private func poll() { count += 1 }
  }

  @Test func anOperationOfAnActor() async throws {
    let clock = VirtualClock()
    var poller: Poller? = Poller()
    try await poller?.start(clock: .virtual(clock))
    await clock.advance(by: .seconds(3))
    #expect(await poller?.count == 3)
    poller = nil
    await clock.advance(by: .seconds(3))
    #expect(clock.pendingCount == 0)
  }
}
