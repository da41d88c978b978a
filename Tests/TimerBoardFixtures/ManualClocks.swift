package import TimerBoard
package import TimerKit

/// Readings of clocks that move only when a test moves them.
package struct ManualClocks {
  /// 2026-07-01 14:29:00 UTC, a Wednesday.
  package static let startTime = WallInstant(nanosecondsSince1970: 1_782_916_140_000_000_000)

  package private(set) var now: ClockReading

  package init(
    startingAt start: Duration = .seconds(1000), continuousAt: Duration? = nil,
    at time: WallInstant = startTime, in zone: LocalZone = .utc
  ) {
    now = ClockReading(
      suspending: TimerClock.suspending.instant(nanoseconds: 0) + start,
      continuous: TimerClock.continuous.instant(nanoseconds: 0) + (continuousAt ?? start),
      wall: time, zone: zone)
  }

  package mutating func advance(by time: Duration) { now = now.moved(by: time) }

  /// Simulates a machine that sleeps.
  package mutating func sleep(for time: Duration) {
    now.continuous += time
    now.wall = now.wall.advanced(by: time)
  }

  /// Sets the time of day.
  package mutating func adjustWall(by change: Duration) { now.wall = now.wall.advanced(by: change) }

  /// Returns the time until a board must advance next; `nil` if none of its timers is due ever.
  package func timeToWakeUp(of board: Board) -> Duration? {
    TimerClock.Kind.allCases.compactMap { clock in
      board.wakeUp(on: clock).map { max(.zero, now.duration(to: $0.lowerBound)) }
    }.min()
  }
}
