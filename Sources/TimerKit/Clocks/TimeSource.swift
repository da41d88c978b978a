import Dispatch
import Synchronization

/// The source of a timer's time: a system clock, or the time of a ``VirtualClock``. It takes one word.
@usableFromInline
enum TimeSource: Sendable {
  case suspending, continuous, wall
  case virtual(VirtualTime)

  static func system(_ kind: TimerClock.Kind) -> TimeSource {
    switch kind {
    case .suspending: .suspending
    case .continuous: .continuous
    case .wall: .wall
    }
  }

  /// The nanoseconds on this clock.
  @usableFromInline var now: Int64 {
    if case .virtual(let time) = self { return time.nanoseconds.load(ordering: .acquiring) }
    return kind.systemNanoseconds
  }

  var kind: TimerClock.Kind {
    switch self {
    case .suspending: .suspending
    case .continuous: .continuous
    case .wall: .wall
    case .virtual(let time): time.identity.kind
    }
  }

  @usableFromInline var identity: ClockIdentity {
    if case .virtual(let time) = self { return time.identity }
    return ClockIdentity(kind)
  }

  var instant: TimerClock.Instant { instant(nanoseconds: now) }

  func instant(nanoseconds: Int64) -> TimerClock.Instant {
    TimerClock.Instant(nanoseconds: nanoseconds, clock: identity)
  }

  /// The driver of the timers of one queue on this clock.
  /// - Parameter queue: `nil` for the queue that all timers without one share.
  func driver(for queue: DispatchQueue?) -> AlarmDriver {
    if case .virtual(let time) = self { return time.driver }
    return .system(kind, queue: queue)
  }

  /// The driver of the sleeps on this clock.
  var sleepDriver: AlarmDriver {
    if case .virtual(let time) = self { return time.driver }
    return .sleeping(kind)
  }

  /// Keeps the count of the sleeps on a virtual clock.
  func countSleep(_ change: Int) {
    if case .virtual(let time) = self { time.sleeps.add(change) }
  }

  /// The time of day; of a virtual clock, the virtual one.
  var wallNow: WallInstant {
    if case .virtual(let time) = self {
      return WallInstant(nanosecondsSince1970: time.wallNanoseconds)
    }
    return .now
  }
}

extension TimeSource: Hashable {
  @usableFromInline
  static func == (left: TimeSource, right: TimeSource) -> Bool { left.identity == right.identity }

  @usableFromInline
  func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}

/// The time of a ``VirtualClock``. Only its driver moves it.
@usableFromInline
final class VirtualTime: Sendable {
  let identity: ClockIdentity
  let nanoseconds: Atomic<Int64>
  /// The time of day, since 1970 UTC, at nanosecond 0 of this clock. Always 0 for a clock that is the
  /// time of day.
  let wallOffset: Atomic<Int64>
  /// A sleep moves the time in place of waiting for it.
  let isImmediate: Bool
  /// Runs the tasks that the clock controls.
  let executor = VirtualExecutor()
  let sleeps = SleepCount()
  private let driverReference = Guarded(WeakDriver())

  private struct WeakDriver {
    weak var driver: AlarmDriver?
    mutating func load() -> AlarmDriver? { driver }
  }

  private static let count = Atomic<UInt32>(0)

  init(kind: TimerClock.Kind, nanoseconds: Int64, wallOffset: Int64, isImmediate: Bool) {
    self.isImmediate = isImmediate
    identity = ClockIdentity(
      kind, serial: Self.count.add(1, ordering: .relaxed).newValue & (.max >> 2))
    self.nanoseconds = Atomic(nanoseconds)
    self.wallOffset = Atomic(wallOffset)
  }

  /// The one driver of all the clock's timers.
  var driver: AlarmDriver {
    driverReference.withLock { reference in
      if let driver = reference.load() { return driver }
      let driver = AlarmDriver(virtual: self)
      reference.driver = driver
      return driver
    }
  }

  var wallNanoseconds: Int64 {
    wallOffset.load(ordering: .acquiring)
      .addingSaturated(nanoseconds.load(ordering: .acquiring))
  }

  func stepWall(by change: Int64) { wallOffset.wrappingAdd(change, ordering: .releasing) }
}
