import Dispatch

@testable import TimerKit

/// A clock to hold to the contract, and how time is made to pass on it.
enum ClockFixture: CaseIterable, Sendable {
  case suspending, continuous, wall
  case virtualSuspending, virtualContinuous, virtualWall

  func make() -> Stage {
    switch self {
    case .suspending: Stage(clock: .suspending, virtual: nil)
    case .continuous: Stage(clock: .continuous, virtual: nil)
    case .wall: Stage(clock: .wall, virtual: nil)
    case .virtualSuspending: virtual(.suspending)
    case .virtualContinuous: virtual(.continuous)
    case .virtualWall: virtual(.wall)
    }
  }

  private func virtual(_ kind: TimerClock.Kind) -> Stage {
    // Not at zero, so that nothing is right by accident.
    let clock = VirtualClock(
      kind, startingAt: .seconds(1_000), wall: WallInstant(nanosecondsSince1970: 1_000_000_000_000))
    return Stage(clock: .virtual(clock), virtual: clock)
  }
}

struct Stage: Sendable {
  let clock: TimerClock
  let virtual: VirtualClock?
  let queue = DispatchQueue(label: "stage")

  func timer(
    _ handler: @escaping @Sendable (DeadlineTimer, _ scheduled: TimerClock.Instant) -> Void
  ) -> DeadlineTimer {
    DeadlineTimer(clock: clock, queue: queue, handler: handler)
  }

  func later(_ milliseconds: Int) -> TimerClock.Instant {
    clock.now.advanced(by: .milliseconds(milliseconds))
  }

  /// Nothing fires before the body is done.
  func held(_ body: () throws -> Void) rethrows {
    if virtual == nil { queue.suspend() }
    defer { if virtual == nil { queue.resume() } }
    try body()
  }

  /// Lets everything fire that is due at `deadline`. On the system a timer for that moment ends
  /// the wait: it is younger than all others, so it fires last.
  func pass(until deadline: TimerClock.Instant) async {
    if let virtual {
      await virtual.advance(by: virtual.now.duration(to: deadline))
    } else {
      let (fires, continuation) = AsyncStream.makeStream(of: Void.self)
      let last = timer { _, _ in continuation.finish() }
      last.schedule(at: deadline)
      for await _ in fires {}
      last.cancel()
    }
  }
}
