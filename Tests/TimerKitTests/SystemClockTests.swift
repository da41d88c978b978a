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
      let drivers = ClockKind.allCases.map { SystemTimeline(kind: $0).alarmDriver(for: queue) }
      #expect(Set(drivers.map(ObjectIdentifier.init)).count == 3)
      #expect(drivers.map(\.time.kind) == ClockKind.allCases)
      // One queue for all that have none. Told by label: `.main` is a new object at each call.
      #expect(Set(drivers.map { $0.queue?.label }) == [queue?.label ?? "TimerKit"])
    }
  }

  /// A clock can show any time: no conversion of one ends the process.
  @Test(
    arguments: [
      (0, 0, 0), (-1, 500_000_000, -500_000_000), (1, 1, 1_000_000_001),
      (9_223_372_036, 854_775_807, Int64.max), (9_223_372_036, 999_999_999, .max),
      (9_223_372_037, 0, .max), (253_402_300_800, 0, .max), (Int.max, 0, .max),
      (-9_223_372_037, 0, .min), (Int.min, 999_999_999, .min),
    ] as [(Int, Int, Int64)])
  func timesBeyondNanosecondsAreClamped(seconds: Int, rest: Int, nanoseconds: Int64) {
    #expect(timespec(tv_sec: seconds, tv_nsec: rest).clampedNanoseconds == nanoseconds)
  }

  /// Before 1970, and as far as there are nanoseconds.
  @Test(arguments: [Int64.min, -1_500_000_000, -1, 0, 1, .max])
  func aTimeOfDayIsATimespec(nanoseconds: Int64) {
    let time = timespec(nanoseconds)
    #expect((0..<1_000_000_000).contains(time.tv_nsec))
    #expect(time.clampedNanoseconds == nanoseconds)
  }

  @Test(arguments: ClockKind.allCases) func ticksWithoutDrift(_ kind: ClockKind) async throws {
    let (ticks, continuation) = AsyncStream.makeStream(of: Repeater.Tick.self)
    let timer = try Repeater(
      every: .milliseconds(1), mode: .finite(20), on: SystemTimeline(kind: kind)
    ) { _, tick in
      continuation.yield(tick)
      if tick.isLast { continuation.finish() }
    }
    try timer.start()
    var expected: TimelineInstant?
    for await tick in ticks {
      #expect(tick.scheduled == expected ?? tick.scheduled)
      expected = tick.scheduled.advanced(by: .milliseconds(tick.missed + 1))
    }
    #expect(timer.state == .finished)
  }

  @Test(arguments: [ClockKind.boot, .wall]) func aDriverGoesWithItsLastTimer(
    _ kind: ClockKind
  ) async throws {
    weak var dropped: AlarmDriver?
    let (ticks, continuation) = AsyncStream.makeStream(of: Void.self)
    do {
      let timer = try Repeater.once(after: .microseconds(1), on: SystemTimeline(kind: kind)) {
        _, _ in continuation.finish()
      }
      dropped = SystemTimeline(kind: kind).alarmDriver(for: nil)
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
            for kind in [ClockKind.boot, .wall] {
              // Made and not started, they need nothing.
              let count = Self.openDescriptors
              for _ in 0..<100 {
                timers.append(
                  try Repeater(every: .seconds(9), on: SystemTimeline(kind: kind), queue: queue) {
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
    @Test(arguments: [ClockKind.boot, .wall]) func ringsWithoutADescriptor(
      _ kind: ClockKind
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

    private static func ring(on kind: ClockKind, _ queue: DispatchQueue) async throws {
      let (rings, continuation) = AsyncStream.makeStream(of: Void.self)
      let timeline = SystemTimeline(kind: kind)
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
