import Dispatch
import Logging
import ServiceLifecycle
import ServiceLifecycleTestKit
import Synchronization
import Testing
import TimerKit
import TimerKitServiceLifecycle

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

@Suite struct ServiceTests {
  struct Failure: Error {}

  let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  /// A run that has begun ends by itself, and none begins after it.
  @Test func aRepeaterEndsItsRunOnGracefulShutdown() async throws {
    let (begun, begin) = AsyncStream.makeStream(of: Int.self)
    let (released, release) = AsyncStream.makeStream(of: Never.self)
    let ended = Mutex<[Int]>([])
    let service = try RepeaterService(.init(.interval(.milliseconds(1)))) { tick in
      begin.yield(tick.iteration)
      for await _ in released {}
      ended.withLock { $0.append(Task.isCancelled ? -1 : tick.iteration) }
    }
    try await testGracefulShutdown { trigger in
      async let run: Void = service.run()
      let first = try #require(await begun.first { _ in true })
      trigger.triggerGracefulShutdown()
      #expect(service.timer.state == .cancelled)
      release.finish()
      try await run
      #expect(ended.withLock { $0 } == [first])
    }
  }

  @Test func aRepeaterThrowsTheErrorOfItsOperation() async throws {
    let service = try RepeaterService(.init(.interval(.milliseconds(1)))) { _ in throw Failure() }
    await #expect(throws: Failure.self) { try await service.run() }
    #expect(service.timer.state == .cancelled)
  }

  @Test func aRepeaterEndsWithItsTicks() async throws {
    let last = Atomic(0)
    let service = try RepeaterService(.init(.interval(.milliseconds(1)), mode: .finite(3))) {
      tick in
      last.store(tick.iteration, ordering: .relaxed)
    }
    try await service.run()
    #expect(last.load(ordering: .relaxed) == 3)
  }

  @Test func aCancelledServiceThrowsAndDropsWhatWaits() async throws {
    let batcher = try Batcher<Int> { _, values in Issue.record("delivered \(values)") }
    batcher.add(1)
    let repeater = try RepeaterService(.init(.interval(.seconds(60)))) { _ in }
    for service in [DrainingService(batcher), repeater] as [any Service] {
      let task = Task { try await service.run() }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(batcher.state == .cancelled && repeater.timer.state == .cancelled)
  }

  /// It waits for an operation that takes its time to end, and reports it.
  @Test func aCancelledServiceWaitsForWhatRuns() async throws {
    let begun = Atomic(false)
    let ended = Atomic(false)
    let reported = Atomic(0)
    let repeater = try Repeater(
      Repeater.Configuration(.interval(.milliseconds(1))), overlap: .skip
    ) { _, _ in
      begun.store(true, ordering: .releasing)
      while !Task.isCancelled { await Task.yield() }
      for _ in 0..<1_000 { await Task.yield() }
      ended.store(true, ordering: .releasing)
    }
    repeater.start()
    while !begun.load(ordering: .acquiring) { await Task.yield() }
    let service = DrainingService(repeater) { _, result in
      reported.store(result.cancelledRunCount, ordering: .releasing)
    }
    let task = Task { try await service.run() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(ended.load(ordering: .acquiring) && reported.load(ordering: .acquiring) == 1)
  }

  /// Also while the handler, which the service waits for, is slow.
  @Test func whatWaitsIsDeliveredOnGracefulShutdown() async throws {
    let delivered = Mutex<[Int]>([])
    let batcher = try Batcher<Int>(count: 2) { _, values in delivered.withLock { $0 += values } }
    let debouncer = try Debouncer<Int>(delay: .seconds(60)) { _, value in
      delivered.withLock { $0.append(value) }
    }
    let queue = DispatchQueue(label: "suspended")
    let slow = try Batcher<Int>(queue: queue) { _, values in
      delivered.withLock { $0 += values }
    }
    queue.suspend()
    for value in 1...3 { batcher.add(value) }
    debouncer.call(4)
    slow.add(5)
    let services: [any Service] = [
      DrainingService(batcher), DrainingService(debouncer), DrainingService(slow),
    ]
    for service in services {
      try await testGracefulShutdown { trigger in
        async let run: Void = service.run()
        trigger.triggerGracefulShutdown()
        if delivered.withLock({ $0.count }) == 4 { DispatchQueue.global().async { queue.resume() } }
        try await run
      }
    }
    #expect(delivered.withLock { $0 } == [1, 2, 3, 4, 5])
  }

  /// The last batch of an asynchronous batcher ends at each shutdown, and is not cancelled.
  @Test func thirtyLastBatchesEnd() async throws {
    let ended = Mutex<[Int]>([])
    for shutdown in 0..<30 {
      let uploads = try Batcher<Int>(count: 10, overlap: .queueOne) { _, values in
        for _ in 0..<20 { await Task.yield() }
        try? await Task.sleep(for: .milliseconds(1))
        if !Task.isCancelled { ended.withLock { $0 += values } }
      }
      let (added, allAdded) = AsyncStream.makeStream(of: Never.self)
      let group = ServiceGroup(
        services: [
          DrainingService(uploads) { _, result in #expect(result.isComplete) },
          ClosureService {
            for value in 0..<15 { uploads.add(shutdown * 15 + value) }
            allAdded.finish()
            try await gracefulShutdown()
          },
        ], logger: logger)
      async let run: Void = group.run()
      for await _ in added {}
      await group.triggerGracefulShutdown()
      try await run
      #expect(uploads.state == .cancelled)
    }
    #expect(ended.withLock { $0 } == Array(0..<450))
  }

  @Test func whatDoesNotEndInTimeIsReported() async throws {
    let results = Mutex<[DrainResult]>([])
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let uploads = try Batcher<Int>(count: 2, overlap: .queueOne) { _, _ in
      begin.finish()
      try? await Task.sleep(for: .seconds(1_000))
    }
    for value in 0..<5 { uploads.add(value) }
    let service = DrainingService(uploads, within: .milliseconds(1)) { _, result in
      results.withLock { $0.append(result) }
    }
    for await _ in begun {}
    try await testGracefulShutdown { trigger in
      async let run: Void = service.run()
      trigger.triggerGracefulShutdown()
      try await run
    }
    #expect(results.withLock { $0 } == [DrainResult(droppedCount: 3, cancelledRunCount: 1)])
  }

  @Test func theExampleStoresEveryMetricBeforeItStops() async throws {
    let stored = Mutex<[String]>([])
    let server = try MetricServer { metrics in stored.withLock { $0 += metrics } }
    let group = try server.group(logger: logger)
    async let run: Void = group.run()
    let metrics = (1...20).map { "requests:\($0)|c" }
    for metric in metrics { try send(metric, to: server.port) }
    await group.triggerGracefulShutdown()
    try await run
    #expect(stored.withLock { $0 } == metrics)
  }

  private func send(_ metric: String, to port: UInt16) throws {
    #if canImport(Glibc)
      let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    #else
      let descriptor = socket(AF_INET, Int32(SOCK_DGRAM), 0)
    #endif
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    address.sin_port = port.bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let sent = withUnsafeMutableBytes(of: &address) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) {
        sendto(descriptor, metric, metric.utf8.count, 0, $0.baseAddress, size)
      }
    }
    #expect(sent == metric.utf8.count)
  }
}
