import Dispatch
import Testing

@testable import TimerKit

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Behavior specific to the system's clocks.
@Suite struct SystemClockTests {
  @Test func eachClockHasItsOwnDriverOnAQueue() {
    let queue = DispatchQueue(label: "clocks")
    for queue in [queue, nil, .main] {
      let drivers = TimerClock.Kind.allCases.map { TimerClock($0).timeSource.driver(for: queue) }
      #expect(Set(drivers.map(ObjectIdentifier.init)).count == 3)
      #expect(drivers.map(\.timeSource.kind) == TimerClock.Kind.allCases)
      // Timers without a queue share one. Compared by label: `.main` is a new object at each call.
      #expect(Set(drivers.map { $0.queue?.label }) == [queue?.label ?? "TimerKit"])
    }
  }

  /// A clock can show any time: converting one never traps.
  @Test(
    arguments: [
      (0, 0, 0), (-1, 500_000_000, -500_000_000), (1, 1, 1_000_000_001),
      (9_223_372_036, 854_775_807, Int64.max), (9_223_372_036, 999_999_999, .max),
      (9_223_372_037, 0, .max), (253_402_300_800, 0, .max), (Int.max, 0, .max),
      (-9_223_372_037, 0, .min), (Int.min, 999_999_999, .min),
    ] as [(Int, Int, Int64)])
  func timesBeyondNanosecondsAreClamped(seconds: Int, rest: Int, nanoseconds: Int64) {
    #expect(clampedNanoseconds(seconds: seconds, nanoseconds: rest) == nanoseconds)
  }

  /// Before 1970, and as far as nanoseconds reach.
  @Test(arguments: [Int64.min, -1_500_000_000, -1, 0, 1, .max])
  func nanosecondsAreSplit(nanoseconds: Int64) {
    let (seconds, rest) = nanoseconds.flooredDivision(by: 1_000_000_000)
    #expect((0..<1_000_000_000).contains(rest))
    #expect(clampedNanoseconds(seconds: Int(seconds), nanoseconds: Int(rest)) == nanoseconds)
  }

  @Test(arguments: TimerClock.Kind.allCases) func ticksWithoutDrift(_ kind: TimerClock.Kind)
    async throws
  {
    let (ticks, continuation) = AsyncStream.makeStream(of: Repeater.Tick.self)
    let timer = try Repeater(
      interval: .milliseconds(1), mode: .finite(20), clock: TimerClock(kind)
    ) { _, tick in
      continuation.yield(tick)
      if tick.isLast { continuation.finish() }
    }
    timer.start()
    var expected: TimerClock.Instant?
    for await tick in ticks {
      #expect(tick.deadline == expected ?? tick.deadline)
      expected = tick.deadline.advanced(by: .milliseconds(tick.missedCount + 1))
    }
    #expect(timer.state == .finished)
  }

  #if os(Linux)
    /// The process has one timer descriptor per clock, however many queues and timers. (Dispatch opens
    /// other descriptors at unspecified times, and this one only for a deadline that is still to come.)
    @Test func descriptorsAreShared() async {
      await #expect(processExitsWith: .success) {
        let queues = (0..<8).map { DispatchQueue(label: "descriptors \($0)") }
        for _ in 0..<3 {
          var timers: [Repeater] = []
          for queue in queues {
            for kind in TimerClock.Kind.allCases {
              for _ in 0..<100 {
                timers.append(
                  try Repeater.every(.seconds(9), clock: TimerClock(kind), queue: queue) { _, _ in
                  })
              }
              try await Self.fire(on: kind, queue)
              let clocks = ContinuousSourceTests.timerClocks
              #expect(Set(clocks).count == clocks.count)
            }
          }
        }
      }
    }

    private static func fire(on kind: TimerClock.Kind, _ queue: DispatchQueue) async throws {
      let (fires, continuation) = AsyncStream.makeStream(of: Void.self)
      let clock = TimerClock(kind)
      let timer = try Repeater.every(.milliseconds(1), count: 3, clock: clock, queue: queue) {
        if $1.isLast { continuation.finish() }
      }
      for await _ in fires {}
      withExtendedLifetime(timer) {}
    }
  #endif
}
