import Dispatch
import Synchronization

/// The source of a timer's time: a system clock, or the time of a ``VirtualClock``. Its size is one word.
@usableFromInline
enum TimeSource: Sendable {
  case system(TimerClock.Kind)
  case virtual(VirtualTime)

  /// The current time of the clock, in nanoseconds since its origin.
  @usableFromInline var now: Int64 {
    if case .virtual(let time) = self { return time.nanoseconds.load(ordering: .acquiring) }
    return kind.systemNanoseconds
  }

  var kind: TimerClock.Kind {
    switch self {
    case .system(let kind): kind
    case .virtual(let time): time.identity.kind
    }
  }

  private var virtualTime: VirtualTime? {
    if case .virtual(let time) = self { time } else { nil }
  }

  @usableFromInline var identity: ClockIdentity { virtualTime?.identity ?? ClockIdentity(kind) }

  var currentInstant: TimerClock.Instant { instant(nanoseconds: now) }

  func instant(nanoseconds: Int64) -> TimerClock.Instant {
    TimerClock.Instant(nanoseconds: nanoseconds, clock: identity)
  }

  /// Returns the driver for the timers of a queue on this clock.
  /// - Parameter queue: the queue; `nil` for the queue that all timers without one share.
  func driver(for queue: DispatchQueue?) -> AlarmDriver {
    virtualTime?.driver ?? .system(kind, queue: queue)
  }

  /// The driver for sleeping tasks, asynchronous sequences and operations on this clock.
  var driverForTasks: AlarmDriver { driver(for: AlarmDriver.taskQueue) }

  /// The executor of the tasks that a timer on this clock starts; `nil`, for the default executor, unless the
  /// clock is virtual.
  var virtualExecutor: (any TaskExecutor)? { virtualTime?.executor }

  /// Removes and returns the closure to call before a handler of the timer, if ``VirtualClock`` holds it.
  func takeHold(of timer: AnyObject) -> (@Sendable () -> Void)? {
    virtualTime?.hold.withLock { $0?.timer == ObjectIdentifier(timer) ? $0.take()?.body : nil }
  }

  /// Changes the number of tasks that sleep on a virtual clock; does nothing for a system clock.
  func adjustSleepCount(by change: Int) { virtualTime?.sleeps.add(change) }

  /// A seed for a sequence of random numbers: a new one at each read. A virtual clock determines it.
  var seed: UInt64 { virtualTime?.nextSeed() ?? .random(in: .min ... .max) }

  /// The current date and time; for a virtual clock, its virtual date and time.
  var wallNow: WallInstant { virtualTime?.wallNow ?? .now }
}

extension TimeSource: Hashable {
  @usableFromInline
  static func == (left: TimeSource, right: TimeSource) -> Bool { left.identity == right.identity }

  @usableFromInline
  func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}

/// The time of a ``VirtualClock``. Only its driver advances it.
@usableFromInline
final class VirtualTime: Sendable {
  let identity: ClockIdentity
  let nanoseconds: Atomic<Int64>
  /// The date and time at nanosecond 0 of this clock, in nanoseconds since 1970 UTC. Always 0 for a wall
  /// clock.
  let wallOffset: Atomic<Int64>
  /// True if a task that sleeps advances the time instead of waiting for it.
  let isImmediate: Bool
  /// The executor of the tasks that the clock controls.
  let executor = VirtualExecutor()
  let sleeps = SleepCount()
  /// The timer whose next handler is held at its entry, and the closure to call then.
  let hold = Guarded<(timer: ObjectIdentifier, body: @Sendable () -> Void)?>(nil)
  private let driverReference = DriverReference()

  private let lastSeed: Atomic<UInt64>

  private static let count = Atomic<UInt32>(0)

  init(
    _ kind: TimerClock.Kind, startingAt start: Duration, wall: WallInstant, isImmediate: Bool,
    seed: UInt64
  ) {
    let isWall = kind == .wall
    let begin = isWall ? wall.nanosecondsSince1970 : start.clampedNanoseconds
    self.isImmediate = isImmediate
    lastSeed = Atomic(seed)
    identity = ClockIdentity(
      kind, serial: Self.count.add(1, ordering: .relaxed).newValue & (.max >> 2))
    nanoseconds = Atomic(begin)
    wallOffset = Atomic(isWall ? 0 : wall.nanosecondsSince1970.subtractingSaturated(begin))
  }

  /// The one driver of all the clock's timers.
  var driver: AlarmDriver { driverReference.driver { AlarmDriver(.virtual(self)) } }

  var wallNow: WallInstant {
    let offset = wallOffset.load(ordering: .acquiring)
    let now = nanoseconds.load(ordering: .acquiring)
    return WallInstant(nanosecondsSince1970: offset.addingSaturated(now))
  }

  func nextSeed() -> UInt64 { lastSeed.wrappingAdd(1, ordering: .relaxed).newValue }

  func adjustWall(by change: Int64) {
    var old = wallOffset.load(ordering: .relaxed)
    var isChanged = false
    while !isChanged {
      (isChanged, old) = wallOffset.weakCompareExchange(
        expected: old, desired: old.addingSaturated(change), ordering: .releasing)
    }
  }
}
