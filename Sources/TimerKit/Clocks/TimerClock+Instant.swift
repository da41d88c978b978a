extension TimerClock {
  /// A point in time on one clock.
  ///
  /// Instants of different clocks are never equal. Comparing them with `<`, or computing the duration
  /// between them, is a programming error and traps. Arithmetic saturates instead of overflowing: a
  /// deadline at the latest representable instant never comes.
  public struct Instant: InstantProtocol, Hashable, Sendable {
    /// The nanoseconds since the clock's origin.
    public let nanoseconds: Int64
    let clock: ClockIdentity

    init(nanoseconds: Int64, clock: ClockIdentity) {
      self.nanoseconds = nanoseconds
      self.clock = clock
    }

    /// The kind of the clock that the instant belongs to.
    public var clockKind: TimerClock.Kind { clock.kind }

    /// The instant as a date and time; `nil` unless the clock is of the kind ``TimerClock/Kind/wall``.
    public var wallInstant: WallInstant? {
      clock.kind == .wall ? WallInstant(nanosecondsSince1970: nanoseconds) : nil
    }

    /// Returns the instant that is `duration` later, or earlier if `duration` is negative. The result is
    /// clamped to the representable instants.
    public func advanced(by duration: Duration) -> Instant {
      Instant(
        nanoseconds: nanoseconds.addingSaturated(duration.clampedNanoseconds), clock: clock)
    }

    /// Returns the duration from this instant to another one of the same clock; negative if `other` is
    /// earlier.
    public func duration(to other: Instant) -> Duration {
      requireSameClock(self, other)
      return .nanoseconds(other.nanoseconds.subtractingSaturated(nanoseconds))
    }

    public static func < (left: Instant, right: Instant) -> Bool {
      requireSameClock(left, right)
      return left.nanoseconds < right.nanoseconds
    }
  }
}

private func requireSameClock(_ left: TimerClock.Instant, _ right: TimerClock.Instant) {
  precondition(left.clock == right.clock, "instants of two clocks cannot be compared")
}

extension TimerClock.Instant: CustomStringConvertible {
  /// The kind of the clock and the seconds since its origin: `suspending 12.5 seconds`.
  public var description: String { "\(clock.kind) \(Duration.nanoseconds(nanoseconds))" }
}

/// The clock that an instant belongs to: a system clock, or one virtual clock. Its size is four bytes.
@usableFromInline
struct ClockIdentity: Hashable, Sendable {
  private let bits: UInt32

  /// Creates the identity of a clock.
  /// - Parameter serial: 0 for a system clock; a unique number for each virtual clock.
  init(_ kind: TimerClock.Kind, serial: UInt32 = 0) {
    let index: UInt32 =
      switch kind {
      case .suspending: 0
      case .continuous: 1
      case .wall: 2
      }
    bits = serial << 2 | index
  }

  var kind: TimerClock.Kind {
    switch bits & 3 {
    case 0: .suspending
    case 1: .continuous
    default: .wall
    }
  }
}
