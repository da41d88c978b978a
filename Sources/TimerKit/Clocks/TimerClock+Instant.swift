extension TimerClock {
  /// A point in time of one clock.
  ///
  /// Instants of different clocks are unequal; to compare them by `<` or to take the duration between
  /// them is a programming error. Arithmetic saturates: the farthest instants stand for "never", and
  /// nothing traps.
  public struct Instant: InstantProtocol, Hashable, Sendable {
    /// The nanoseconds since the clock's origin.
    public let nanoseconds: Int64
    let clock: ClockIdentity

    init(nanoseconds: Int64, clock: ClockIdentity) {
      self.nanoseconds = nanoseconds
      self.clock = clock
    }

    /// Creates an instant of a clock.
    /// - Parameters:
    ///   - nanoseconds: the nanoseconds since the clock's origin.
    ///   - clock: the clock it belongs to.
    public init(nanoseconds: Int64, on clock: TimerClock = .suspending) {
      self.init(nanoseconds: nanoseconds, clock: clock.source.identity)
    }

    /// The time of day; `nil` unless the clock is of the kind ``TimerClock/Kind/wall``.
    public var wallInstant: WallInstant? {
      clock.kind == .wall ? WallInstant(nanosecondsSince1970: nanoseconds) : nil
    }

    /// The instant that much later, or earlier if `duration` is negative; at the farthest, the
    /// farthest there is.
    public func advanced(by duration: Duration) -> Instant {
      Instant(
        nanoseconds: nanoseconds.addingSaturated(duration.clampedNanoseconds), clock: clock)
    }

    /// The duration from this instant to another of the same clock; negative if that is earlier.
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
  /// The kind of the clock and the seconds since its origin: `suspending 12.5 s`.
  public var description: String { "\(clock.kind) \(Duration.nanoseconds(nanoseconds))" }
}

/// The clock that an instant belongs to: one of the system's, or one virtual clock. It takes four bytes.
@usableFromInline
struct ClockIdentity: Hashable, Sendable {
  private let bits: UInt32

  /// - Parameter serial: 0 for the system's clock; a number of its own for each virtual one.
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
