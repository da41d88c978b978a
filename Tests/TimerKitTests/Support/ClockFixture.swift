import Dispatch

@testable import TimerKit

/// A timeline to hold to the contract, and how time is made to pass on it.
enum TimelineFixture: CaseIterable, Sendable {
  case uptime, boot, wall
  case virtualUptime, virtualBoot, virtualWall

  func make() -> Stage {
    switch self {
    case .uptime: Stage(timeline: TimerClock.suspending, virtual: nil)
    case .boot: Stage(timeline: TimerClock.continuous, virtual: nil)
    case .wall: Stage(timeline: TimerClock.wall, virtual: nil)
    case .virtualUptime: virtual(.uptime)
    case .virtualBoot: virtual(.boot)
    case .virtualWall: virtual(.wall)
    }
  }

  private func virtual(_ kind: TimerClock.Kind) -> Stage {
    // Not at zero, so that nothing is right by accident.
    let timeline = VirtualClock(
      kind: kind, startingAt: TimerClock.Instant(nanoseconds: 1_000_000_000_000))
    return Stage(timeline: timeline, virtual: timeline)
  }
}

struct Stage: Sendable {
  let timeline: TimerClock
  let virtual: VirtualClock?
  let queue = DispatchQueue(label: "stage")

  func alarm(
    _ handler: @escaping @Sendable (DeadlineTimer, _ scheduled: TimerClock.Instant) -> Void
  ) -> DeadlineTimer {
    DeadlineTimer(on: timeline, queue: queue, handler: handler)
  }

  func later(_ milliseconds: Int) -> TimerClock.Instant {
    timeline.now.advanced(by: .milliseconds(milliseconds))
  }

  /// Nothing rings before the body is done.
  func held(_ body: () throws -> Void) rethrows {
    if virtual == nil { queue.suspend() }
    defer { if virtual == nil { queue.resume() } }
    try body()
  }

  /// Lets everything ring that is due at `deadline`. On the system an alarm for that moment tells
  /// when that is: it is younger than all others, so it rings last.
  func pass(until deadline: TimerClock.Instant) async {
    if let virtual {
      virtual.advance(by: virtual.now.duration(to: deadline))
    } else {
      let (rings, continuation) = AsyncStream.makeStream(of: Void.self)
      let last = alarm { _, _ in continuation.finish() }
      last.schedule(at: deadline)
      for await _ in rings {}
      last.cancel()
    }
  }
}
