public import Dispatch
import Synchronization

/// A timeline on which time moves only when it is told to: tests are exact and take no time.
///
/// Alarms and queued fires run on the thread that advances the time, in the order of their
/// deadlines, and of their timers' creation where deadlines are equal. The queue of a timer plays no
/// part. A `fire()`, and what observers are told of a control, is delivered before the control
/// returns; from inside a handler, or while another thread advances, it is delivered by who is
/// already delivering.
public final class VirtualClock: Timeline {
  private let clock: VirtualTime
  private let driver: AlarmDriver

  /// - Parameters:
  ///   - kind: the clock it stands for.
  ///   - start: the time it begins at; 0 if it is `nil`.
  ///   - wall: the time of day it begins at, in nanoseconds since 1970 UTC; 0 if it is `nil`. A
  ///     timeline of kind ``TimerClock.Kind/wall`` *is* the time of day: either of the two says it, this one
  ///     first.
  public init(
    kind: TimerClock.Kind = .uptime, startingAt start: TimerClock.Instant? = nil,
    wall: TimerClock.Instant? = nil
  ) {
    let isWall = kind == .wall
    let begin = (isWall ? wall ?? start : start)?.nanoseconds ?? 0
    let offset = isWall ? 0 : (wall?.nanoseconds ?? 0).subtractingSaturated(begin)
    clock = VirtualTime(kind: kind, nanoseconds: begin, wallOffset: offset)
    driver = AlarmDriver(virtual: clock)
  }

  public var kind: TimerClock.Kind { clock.kind }

  /// What the clock shows.
  public var now: TimerClock.Instant {
    TimerClock.Instant(nanoseconds: clock.nanoseconds.load(ordering: .acquiring))
  }

  public var wallNow: TimerClock.Instant {
    TimerClock.Instant(nanoseconds: clock.wallNow)
  }

  public func alarmDriver(for queue: DispatchQueue?) -> AlarmDriver { driver }

  /// Moves the time forward and runs everything that comes due on the way, also what is armed by
  /// what runs.
  ///
  /// Called from inside a handler, or while another thread advances, it only moves the time; who is
  /// already advancing runs what has come due.
  /// - Parameter duration: how far; nothing happens to the time if it is negative.
  public func advance(by duration: Duration) {
    driver.move(by: max(0, duration.clampedNanoseconds), clock)
  }

  /// The machine sleeps, as when the lid of a laptop is shut: nothing rings, and uptime stands still.
  /// Boot time and the time of day are later on waking, and what has come due on them rings then, in
  /// the order of its deadlines.
  ///
  /// Called from inside a handler, or while another thread advances, it only moves the time, as
  /// ``advance(by:)`` does; what was still to be advanced then comes on top of it.
  /// - Parameter duration: how long; nothing happens if it is negative.
  public func suspend(for duration: Duration) {
    let nanoseconds = max(0, duration.clampedNanoseconds)
    switch kind {
    case .uptime: clock.stepWall(by: nanoseconds)
    case .boot, .wall: driver.move(by: nanoseconds, atOnce: true, clock)
    }
  }

  /// Sets the time of day, forward or back: nothing else has gone by. Only a timeline of kind
  /// ``TimerClock.Kind/wall`` rings by it: a step forward past a deadline makes it due, now; a step back
  /// postpones it. On the others only ``wallNow`` changes.
  ///
  /// Called from inside a handler, or while another thread advances, it only sets the clock; who is
  /// already advancing goes on from there, as far as was still to go.
  /// - Parameter change: by how much; it may be negative.
  public func stepWall(by change: Duration) {
    let nanoseconds = change.clampedNanoseconds
    switch kind {
    case .uptime, .boot: clock.stepWall(by: nanoseconds)
    case .wall: driver.move(by: nanoseconds, atOnce: true, clock)
    }
  }
}
