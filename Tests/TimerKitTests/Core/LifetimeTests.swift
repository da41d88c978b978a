import Dispatch
import Testing

@testable import TimerKit

#if canImport(Glibc)
  import Glibc
#endif

/// A timer can be released in any state and from any thread, and leaks nothing.
@Suite struct LifetimeTests {
  /// Counts the handlers that are still alive.
  private final class InstanceCounter: Sendable {
    private let count = Guarded(0)
    var liveCount: Int { count.withLock { $0 } }

    final class Instance: Sendable {
      let instances: InstanceCounter
      init(_ instances: InstanceCounter) {
        self.instances = instances
        instances.count.withLock { $0 += 1 }
      }
      deinit { instances.count.withLock { $0 -= 1 } }
    }
  }

  /// The states in which a timer can be released; each is also tested while a handler executes.
  private static let states = TimerState.allCases

  private static func timer(_ queue: DispatchQueue, _ instances: InstanceCounter) throws -> Repeater
  {
    try Repeater(interval: .microseconds(5), mode: .finite(3), queue: queue) {
      [instance = InstanceCounter.Instance(instances)] _, _ in
      withExtendedLifetime(instance) {}
    }
  }

  private static func bring(_ timer: Repeater, to state: TimerState) {
    switch state {
    case .idle: break
    case .running: timer.start()
    case .paused:
      timer.start()
      timer.pause()
    case .finished:
      for _ in 0..<3 { timer.fire() }
    case .cancelled:
      timer.start()
      timer.cancel()
    }
  }

  @Test func canBeReleasedInEveryStateOnAnyThread() {
    let instances = InstanceCounter()
    let queue = DispatchQueue(label: "dropped")
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for round in 0..<200 {
        let state = Self.states[round % Self.states.count]
        #expect(throws: Never.self) {
          let timer = try Self.timer(queue, instances)
          Self.bring(timer, to: state)
          if thread % 2 == 0 { timer.fire() }
          if thread % 4 == 0 { _ = timer.events() }
        }
      }
    }
    queue.sync {}
    #expect(instances.liveCount == 0)
  }

  /// The handler releases the last reference, in every state that a handler can bring about.
  @Test(arguments: states)
  func canBeReleasedInItsOwnHandler(_ state: TimerState) async throws {
    let queue = DispatchQueue(label: "inside")
    let reference = Guarded<Repeater?>(nil)
    let (done, continuation) = AsyncStream.makeStream(of: Void.self)
    weak var dropped: Repeater?
    do {
      let timer = try Repeater(interval: .microseconds(50), mode: .finite(4), queue: queue) {
        timer, _ in
        _ = reference.withLock { $0.take() }
        switch state {
        case .idle: timer.reset()
        case .running: break
        case .paused: timer.pause()
        case .finished: for _ in 0..<4 { timer.fire() }
        case .cancelled: timer.cancel()
        }
        continuation.finish()
      }
      reference.withLock { $0 = timer }
      dropped = timer
      timer.start()
    }
    for await _ in done {}
    queue.sync {}
    #expect(dropped == nil)
  }

  @Test func canBeReleasedInTheHandlerOfAnotherTimerOnVirtualTime() throws {
    let clock = VirtualClock()
    let reference = Guarded<Repeater?>(nil)
    let ticks = Recorder<String>()
    let dropper = try Repeater.once(after: .seconds(1), clock: .virtual(clock)) { _, _ in
      ticks.append("dropper")
      _ = reference.withLock { $0.take() }
    }
    reference.withLock {
      $0 = try? Repeater.once(after: .seconds(1), clock: .virtual(clock)) { _, _ in
        ticks.append("dropped")
      }
    }
    clock.advance(by: .seconds(2))
    #expect(ticks.all == ["dropper"])
    withExtendedLifetime(dropper) {}
  }

  @Test func aHandlerIsReleasedWhenReplacedOrItsTimerIsReleased() throws {
    let instances = InstanceCounter()
    let queue = DispatchQueue(label: "replaced")
    var timer: Repeater? = try Self.timer(queue, instances)
    #expect(instances.liveCount == 1)
    timer?.setHandler { _, _ in }
    #expect(instances.liveCount == 0)
    timer = nil
  }

  @Test func theDriversTableIsEmptyAfterAllTimersAreReleased() throws {
    let clock = VirtualClock()
    for _ in 0..<10 {
      let timers = try (0..<2_000).map { number in
        try Repeater.every(.seconds(1 + number), clock: .virtual(clock)) { _, _ in }
      }
      for timer in timers.prefix(1_000) { timer.cancel() }
    }
    let usage = clock.driver.usage
    #expect(usage.slots == usage.freeSlots)
    #expect(usage.entries <= 130)
  }

  #if os(Linux)
    /// Creates ten thousand timers per round, of some hundred bytes each, so that a leak is visible. The
    /// test has its own process, because other tests use memory and threads as well.
    @Test(arguments: TimerClock.Kind.allCases) func tenThousandTimersLeakNothing(
      _ kind: TimerClock.Kind
    ) async {
      await #expect(processExitsWith: .success) { [kind] in
        func round() throws {
          let queue = DispatchQueue(label: "growth")
          let timers = try (0..<10_000).map { number in
            try Repeater.every(
              .milliseconds(1 + number), clock: TimerClock(kind), queue: queue
            ) { _, _ in }
          }
          for timer in timers.prefix(3_000) { timer.pause() }
          for timer in timers.prefix(6_000) { timer.cancel() }
        }
        try round()
        let (threads, files) = (Self.count("/proc/self/task"), Self.count("/proc/self/fd"))
        let memory = Self.residentBytes()
        for _ in 0..<8 { try round() }
        // Eight leaked rounds would be 25 MB or more.
        #expect(Self.residentBytes() - memory < 12_000_000)
        #expect(Self.count("/proc/self/task") - threads < 8)
        #expect(Self.count("/proc/self/fd") - files < 8)
      }
    }

    private static func count(_ directory: String) -> Int {
      guard let stream = opendir(directory) else { return 0 }
      defer { closedir(stream) }
      var count = 0
      while readdir(stream) != nil { count += 1 }
      return count
    }

    private static func residentBytes() -> Int {
      guard let file = fopen("/proc/self/statm", "r") else { return 0 }
      defer { fclose(file) }
      var line = [CChar](repeating: 0, count: 128)
      guard fgets(&line, 128, file) != nil else { return 0 }
      let fields = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
        .split(separator: " ")
      return (Int(fields[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
  #endif
}
