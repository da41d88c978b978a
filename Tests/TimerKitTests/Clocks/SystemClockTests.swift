import Dispatch
import Testing

@testable import TimerKit

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What is particular to the clocks that need descriptors.
@Suite struct SystemClockTests {
  @Test func eachClockHasADriverOfItsOwnOnAQueue() {
    let queue = DispatchQueue(label: "clocks")
    for queue in [queue, nil, .main] {
      let drivers = TimerClock.Kind.allCases.map { TimerClock($0).alarmDriver(for: queue) }
      #expect(Set(drivers.map(ObjectIdentifier.init)).count == 3)
      #expect(drivers.map(\.time.kind) == TimerClock.Kind.allCases)
      // One queue for all that have none. Told by label: `.main` is a new object at each call.
      #expect(Set(drivers.map { $0.queue?.label }) == [queue?.label ?? "TimerKit"])
    }
  }

  @Test(arguments: TimerClock.Kind.allCases) func ticksWithoutDrift(_ kind: TimerClock.Kind) async throws {
    let (ticks, continuation) = AsyncStream.makeStream(of: Repeater.Tick.self)
    let timer = try Repeater(
      every: .milliseconds(1), mode: .finite(20), on: TimerClock(kind)
    ) { _, tick in
      continuation.yield(tick)
      if tick.isLast { continuation.finish() }
    }
    try timer.start()
    var expected: TimerClock.Instant?
    for await tick in ticks {
      #expect(tick.scheduled == expected ?? tick.scheduled)
      expected = tick.scheduled.advanced(by: .milliseconds(tick.missed + 1))
    }
    #expect(timer.state == .finished)
  }

  @Test(arguments: [TimerClock.Kind.boot, .wall]) func aDriverGoesWithItsLastTimer(
    _ kind: TimerClock.Kind
  ) async throws {
    weak var dropped: AlarmDriver?
    let (ticks, continuation) = AsyncStream.makeStream(of: Void.self)
    do {
      let timer = try Repeater.once(after: .microseconds(1), on: TimerClock(kind)) {
        _, _ in continuation.finish()
      }
      dropped = TimerClock(kind).alarmDriver(for: nil)
      for await _ in ticks {}
      timer.cancelAndWait()
    }
    // Other tests use that queue as well: what is dropped then is this driver, or theirs lives on.
    let queue = dropped?.queue
    queue?.sync {}
    let isUsed = dropped.map { $0.usage.slots > $0.usage.freeSlots } ?? false
    #expect(dropped == nil || isUsed)
  }

  #if os(Linux)
    /// One descriptor for a queue and a clock, however many timers, and none when they are gone.
    @Test func descriptorsAreSharedAndGivenBack() async {
      await #expect(processExitsWith: .success) {
        let queues = (0..<8).map { DispatchQueue(label: "descriptors \($0)") }
        try await Self.ring(on: .uptime, queues[0])
        let before = Self.openDescriptors
        for _ in 0..<3 {
          var timers: [Repeater] = []
          for queue in queues {
            for kind in [TimerClock.Kind.boot, .wall] {
              // Made and not started, they need nothing.
              let count = Self.openDescriptors
              for _ in 0..<100 {
                timers.append(
                  try Repeater(every: .seconds(9), on: TimerClock(kind), queue: queue) {
                    _, _ in
                  })
              }
              #expect(Self.openDescriptors == count)
              for timer in timers.suffix(100) { try timer.start() }
              #expect(Self.openDescriptors == count + 1)
            }
          }
          timers = []
          for _ in 0..<2 { for queue in queues { queue.sync {} } }
          // They are closed by the sources' cancel handlers, which the queue runs when it can.
          while Self.openDescriptors > before { await Task.yield() }
        }
        #expect(Self.openDescriptors == before)
      }
    }

    /// Out of descriptors, timers still ring.
    @Test(arguments: [TimerClock.Kind.boot, .wall]) func ringsWithoutADescriptor(
      _ kind: TimerClock.Kind
    ) async {
      await #expect(processExitsWith: .success) { [kind] in
        let queue = DispatchQueue(label: "none left")
        try await Self.ring(on: .uptime, queue)
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        var none = rlimit(rlim_cur: 0, rlim_max: limit.rlim_max)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &none)
        #expect(ClockDescriptor(kind) == nil)
        try await Self.ring(on: kind, queue)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      }
    }

    private static func ring(on kind: TimerClock.Kind, _ queue: DispatchQueue) async throws {
      let (rings, continuation) = AsyncStream.makeStream(of: Void.self)
      let timeline = TimerClock(kind)
      let timer = try Repeater.every(.milliseconds(1), count: 3, on: timeline, queue: queue) {
        if $1.isLast { continuation.finish() }
      }
      for await _ in rings {}
      withExtendedLifetime(timer) {}
    }

    private static var openDescriptors: Int {
      guard let folder = opendir("/proc/self/fd") else { return -1 }
      defer { closedir(folder) }
      var count = 0
      while readdir(folder) != nil { count += 1 }
      return count
    }
  #endif
}
