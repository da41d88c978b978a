import Dispatch

@testable import TimerKit

/// A clock that must meet the contract, and a way to let time pass on it.
enum ClockFixture: CaseIterable, Sendable {
  case suspending, continuous, wall
  case virtualSuspending, virtualContinuous, virtualWall

  func make() -> ClockUnderTest {
    switch self {
    case .suspending: ClockUnderTest(clock: .suspending, virtual: nil)
    case .continuous: ClockUnderTest(clock: .continuous, virtual: nil)
    case .wall: ClockUnderTest(clock: .wall, virtual: nil)
    case .virtualSuspending: virtual(.suspending)
    case .virtualContinuous: virtual(.continuous)
    case .virtualWall: virtual(.wall)
    }
  }

  private func virtual(_ kind: TimerClock.Kind) -> ClockUnderTest {
    // Not at zero, so that no result is correct by chance.
    let clock = VirtualClock(
      kind, startingAt: .seconds(1_000), wall: WallInstant(nanosecondsSince1970: 1_000_000_000_000))
    return ClockUnderTest(clock: .virtual(clock), virtual: clock)
  }
}

struct ClockUnderTest: Sendable {
  let clock: TimerClock
  let virtual: VirtualClock?
  let queue = DispatchQueue(label: "clock under test")

  func timer(
    _ handler: @escaping @Sendable (DeadlineTimer, _ scheduled: TimerClock.Instant) -> Void
  ) -> DeadlineTimer {
    DeadlineTimer(clock: clock, queue: queue, handler: handler)
  }

  func later(_ milliseconds: Int) -> TimerClock.Instant {
    clock.now.advanced(by: .milliseconds(milliseconds))
  }

  /// Performs the body before any timer fires.
  func suspended(_ body: () throws -> Void) rethrows {
    if virtual == nil { queue.suspend() }
    defer { if virtual == nil { queue.resume() } }
    try body()
  }

  /// Lets every timer fire that is due at `deadline`. On a system clock, another timer for that instant
  /// ends the wait: it was created last, so it fires last.
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
