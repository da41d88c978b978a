import Dispatch
import Logging
import ServiceLifecycle
import Synchronization
import Testing
import TimerKit
import TimerKitServiceLifecycle
import UnixSignals

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Suspends the task until the process receives one of the signals.
func waitForSignal(_ numbers: Int32...) async {
  let (never, arrival) = AsyncStream.makeStream(of: Never.self)
  let sources = numbers.map { number in
    signal(number, SIG_IGN)  // the default action would end the process
    let source = DispatchSource.makeSignalSource(signal: number)
    source.setEventHandler { arrival.finish() }
    source.activate()
    return source
  }
  for await _ in never {}
  for source in sources { source.cancel() }
}

/// The main function of a server without a service group.
func serve(_ sampling: Repeater, _ uploads: Batcher<String>) async {
  await waitForSignal(SIGTERM, SIGINT)
  let deadline = TimerClock.suspending.now + .seconds(20)
  await sampling.drain(until: deadline)
  let result = await uploads.drain(until: deadline)
  if !result.isComplete { print("uploads: \(result)") }
}

/// The main function of a server with one.
func serve(_ uploads: Batcher<String>, _ server: some Service, logger: Logger) async throws {
  let draining = DrainingService(uploads, within: .seconds(20)) { _, result in
    if !result.isComplete { logger.error("uploads: \(result)") }
  }
  var configuration = ServiceGroupConfiguration(
    services: [draining, server], gracefulShutdownSignals: [.sigterm], logger: logger)
  configuration.maximumGracefulShutdownDuration = .seconds(25)
  try await ServiceGroup(configuration: configuration).run()
}

/// The code of the article "Ending a program", which `.ci/snippets` compares with this file.
@Suite struct EndingAProgram {
  @Test func theLastBatchIsStored() async throws {
    let clock = VirtualClock()
    let stored = Mutex<[String]>([])
    let uploads = try Batcher<String>(count: 100, clock: .virtual(clock), overlap: .queueOne) {
      _, lines in
      try? await clock.sleep(for: .seconds(5))  // a slow database
      if !Task.isCancelled { stored.withLock { $0 += lines } }
    }
    uploads.add("started")

    let result = await clock.run {
      async let result = uploads.drain(until: clock.now + .seconds(20))
      await clock.advance(by: .seconds(5))
      return await result
    }
    #expect(result.isComplete)
    #expect(stored.withLock { $0 } == ["started"])
  }

  @Test func aRunThatIsTooSlowIsCancelled() async throws {
    let clock = VirtualClock()
    let uploads = try Batcher<String>(count: 100, clock: .virtual(clock), overlap: .queueOne) {
      _, _ in try? await clock.sleep(for: .seconds(30))
    }
    uploads.add("started")
    let result = await clock.run {
      async let result = uploads.drain(until: clock.now + .seconds(20))
      await clock.advance(by: .seconds(20))
      return await result
    }
    #expect(result == DrainResult(cancelledRunCount: 1))
  }

  /// A batcher that holds a line, and stores it with an asynchronous operation.
  private static func makeUploads() throws -> (uploads: Batcher<String>, stored: Stored) {
    let stored = Stored()
    let uploads = try Batcher<String>(maxWait: .seconds(600), overlap: .queueOne) { _, lines in
      for _ in 0..<20 { await Task.yield() }
      if !Task.isCancelled { stored.lines.withLock { $0 += lines } }
    }
    uploads.add("started")
    return (uploads, stored)
  }

  private final class Stored: Sendable {
    let lines = Mutex<[String]>([])
  }

  // In processes of their own, because signals are for all tests of a process.

  @Test func aSignalEndsTheTimers() async {
    await #expect(processExitsWith: .success) {
      let (uploads, stored) = try Self.makeUploads()
      // Until the source receives one, they have no effect.
      signal(SIGTERM, SIG_IGN)
      let sampling = try Repeater.every(.milliseconds(1), overlap: .skip) { _, _ in
        kill(getpid(), SIGTERM)
      }
      await serve(sampling, uploads)
      #expect(stored.lines.withLock { $0 } == ["started"])
      #expect(sampling.state == .cancelled && uploads.state == .cancelled)
    }
  }

  @Test func aSignalEndsTheGroup() async {
    await #expect(processExitsWith: .success) {
      let (uploads, stored) = try Self.makeUploads()
      let server = ClosureService {
        kill(getpid(), SIGTERM)
        try await gracefulShutdown()
        uploads.add("stopped")
      }
      let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      try await serve(uploads, server, logger: logger)
      #expect(stored.lines.withLock { $0 } == ["started", "stopped"])
    }
  }
}
