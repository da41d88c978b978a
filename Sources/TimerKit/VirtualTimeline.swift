public import Dispatch

/// A timeline on which time moves only when it is told to: tests are exact and take no time.
///
/// Alarms and queued fires run on the thread that advances the time, in the order of their
/// deadlines, and of their timers' creation where deadlines are equal. The queue of a timer plays no
/// part. A `fire()`, and what observers are told of a control, is delivered before the control
/// returns; from inside a handler, or while another thread advances, it is delivered by who is
/// already delivering.
public final class VirtualTimeline: Timeline {
  private let clock: VirtualClock
  private let driver: AlarmDriver

  /// - Parameters:
  ///   - kind: the clock it stands for.
  ///   - start: the time it begins at.
  ///   - wall: the time of day it begins at, in nanoseconds since 1970 UTC.
  public init(
    kind: ClockKind = .uptime, startingAt start: TimelineInstant = .init(nanoseconds: 0),
    wall: TimelineInstant = .init(nanoseconds: 0)
  ) {
    clock = VirtualClock(
      kind: kind, nanoseconds: start.nanoseconds,
      wallOffset: wall.nanoseconds.subtractingSaturated(start.nanoseconds))
    driver = AlarmDriver(virtual: clock)
  }

  public var kind: ClockKind { clock.kind }

  public var now: TimelineInstant { TimelineInstant(nanoseconds: TimeSource.virtual(clock).now) }

  public var wallNow: TimelineInstant {
    TimelineInstant(nanoseconds: TimeSource.virtual(clock).wallNow)
  }

  public func alarmDriver(for queue: DispatchQueue?) -> AlarmDriver { driver }

  /// Moves the time forward and runs everything that comes due on the way, also what is armed by
  /// what runs.
  ///
  /// Called from inside a handler, or while another thread advances, it only moves the time; who is
  /// already advancing runs what has come due.
  /// - Parameter duration: how far; nothing happens to the time if it is negative.
  public func advance(by duration: Duration) {
    driver.advance(by: max(0, duration.clampedNanoseconds), clock)
  }
}
