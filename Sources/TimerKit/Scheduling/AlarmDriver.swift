import Dispatch
import Synchronization

/// Wakes all timers of one queue and one clock by one dispatch source.
///
/// Ground rules:
/// - One wake delivers every alarm that is due, in order, inline on the queue, one at a time: also on a
///   concurrent queue. A wake is bounded, so that the queue's other work is not delayed.
/// - Timers hold their driver; it holds them weakly, and releases its mutex before it calls one.
/// - Mutexes are locked in the order timer, driver, source.
@usableFromInline
final class AlarmDriver: Sendable {
  @usableFromInline let time: TimeSource
  let queue: DispatchQueue?
  /// Never deallocated: its source need not load a weak reference, which is slow.
  private let isImmortal: Bool
  /// Set on the queue while the driver is there. The key of all drivers of a clock does not tell whether
  /// code runs on this one's queue: on a queue that targets it, it finds the nearer driver.
  let presence = DispatchSpecificKey<Void>()
  private let core = Guarded(Core())

  private struct Core {
    var table = AlarmTable()
    var plan = WakePlan()
    var source: WakeSource?
    /// A wake delivers alarms: no other does, and the source is not scheduled until its end.
    var isWaking = false
    /// A wake is requested that the source does not know of.
    var isWakeRequested = false
    /// Virtual time: the time to advance to.
    var goal = Int64.min
    /// The thread that delivers.
    var thread: UInt = 0
  }

  init(system clock: TimerClock.Kind, queue: DispatchQueue, isImmortal: Bool = false) {
    time = .system(clock)
    self.queue = queue
    self.isImmortal = isImmortal
  }

  init(virtual time: VirtualTime) {
    self.time = .virtual(time)
    queue = nil
    isImmortal = false
  }

  deinit {
    core.withLock { $0.source?.cancel() }
    queue?.setSpecific(key: presence, value: nil)
  }
}

/// A timer, as it registers with its driver.
struct AlarmRegistration {
  let target: any AlarmTarget
  /// The number of the timer in the order of creation.
  let creation: UInt64
  let tolerance: Int64
}

/// A timer's slot in its driver. The timer's mutex guards it.
@usableFromInline
struct AlarmHandle: Sendable {
  var slot = AlarmHandle.none
  /// The ticket of the newest arming; 0 when its alarm has fired.
  @usableFromInline var ticket: UInt32 = 0
  /// The time of the alarm: never after the timer's deadline, perhaps before it, since leaving it costs
  /// less than moving it.
  @usableFromInline var at: Int64 = .max
  /// The lower half of the generation it was armed for, if it is superseded.
  var superseded: UInt32 = 0
  /// It was due when a control changed the schedule: it will be rejected.
  @usableFromInline var isSuperseded = false

  static let none = UInt32.max

  var isRegistered: Bool { slot != AlarmHandle.none }
  @inlinable var isArmed: Bool { ticket != 0 }
}

// MARK: - Called with the timer's mutex held
extension AlarmDriver {
  func release(_ slot: UInt32) {
    core.withLock { $0.table.release(slot) }
  }

  func disarm(_ slot: UInt32) {
    core.withLock { $0.table.disarm(slot) }
  }

  /// Arms the alarm of a target, and gives it a slot if it has none.
  func arm(_ alarm: inout AlarmHandle, of target: AlarmRegistration, at deadline: Int64) {
    core.withLock { core in
      core.table.register(&alarm.slot, target)
      alarm.ticket = core.table.arm(
        alarm.slot, creation: target.creation, at: deadline, tolerance: target.tolerance)
      if !core.isWaking {
        follow(core.plan.wake(by: deadline.addingSaturated(target.tolerance)), &core)
      }
    }
    alarm.at = deadline
  }

  /// Requests a drain.
  /// - Returns: true if ``requestWake()`` is to be called when the timer's mutex is released.
  func requestDrain(
    _ alarm: inout AlarmHandle, of target: AlarmRegistration, at time: Int64
  ) -> Bool {
    core.withLock { core in
      core.table.register(&alarm.slot, target)
      core.table.requestDrain(alarm.slot, creation: target.creation, at: time)
      guard !core.isWaking, !core.isWakeRequested else { return false }
      core.isWakeRequested = true
      return true
    }
  }

  /// The size of its table: for tests of growth.
  var usage: (slots: Int, freeSlots: Int, entries: Int) {
    core.withLock { ($0.table.slotCount, $0.table.freeSlotCount, $0.table.entryCount) }
  }

  private func follow(_ schedule: WakePlan.Schedule?, _ core: inout sending Core) {
    guard let schedule, let queue else { return }
    let source = core.source ?? makeSource(queue)
    core.source = source
    source.follow(schedule)
  }

  private func makeSource(_ queue: DispatchQueue) -> WakeSource {
    isImmortal
      ? WakeSource(clock: time.kind, queue: queue) { self.sourceFired() }
      : WakeSource(clock: time.kind, queue: queue) { [weak self] in self?.sourceFired() }
  }
}

// MARK: - Waking
extension AlarmDriver {
  /// True if the caller is on the queue, or inside a handler.
  var isCurrent: Bool { isDrainingHere || isOnQueue }

  /// True if the caller is inside a delivery of this driver.
  var isDrainingHere: Bool {
    core.withLock { $0.isWaking && $0.thread == currentThread() }
  }
}

extension AlarmDriver {
  /// Delivers what was requested by drains.
  @usableFromInline
  func requestWake() {
    if case .virtual(let virtual) = time {
      if begin() { run(virtual) }
    } else {
      queue?.async { self.wake() }
    }
  }

  private func begin() -> Bool {
    core.withLock { core in
      core.isWakeRequested = false
      guard !core.isWaking else { return false }
      core.isWaking = true
      core.thread = currentThread()
      return true
    }
  }

  private func sourceFired() {
    if !WakeSource.repeats(time.kind) { core.withLock { $0.plan.sourceFired() } }
    wake()
  }

  private func wake() {
    let began = time.now
    guard begin() else { return }
    var now = began
    core.withLock { $0.table.expect(through: began) }
    repeat {
      guard let due = core.withLock({ $0.table.takeDue(through: now) }) else { break }
      due.target.handle(due.event, at: now)
      now = time.now
    } while now - began < Self.longestWake

    let isWakeRequested = core.withLock { core in
      core.isWaking = false
      let wanted = core.table.nextWake()
      core.isWakeRequested = core.table.hasDrains || (wanted?.earliest ?? .max) <= now
      if !core.isWakeRequested { follow(core.plan.wake(within: wanted, now: now), &core) }
      return core.isWakeRequested
    }
    if isWakeRequested { requestWake() }
  }

  private static let longestWake: Int64 = 1_000_000
}

// MARK: - Virtual time
extension AlarmDriver {
  /// Moves the time, and delivers what comes due: with the time moving from one deadline to the next,
  /// or `atOnce`, like a clock that is set, or that continued while the machine slept.
  func move(by change: Int64, atOnce: Bool = false, _ virtual: VirtualTime) {
    let isMine = core.withLock { core in
      let end = virtual.nanoseconds.load(ordering: .acquiring).addingSaturated(change)
      // A thread that advances while the clock jumps has as far to go as before.
      core.goal =
        atOnce && core.goal > .min ? core.goal.addingSaturated(change) : max(core.goal, end)
      if atOnce || core.isWaking { virtual.nanoseconds.store(end, ordering: .releasing) }
      guard !core.isWaking else { return false }
      core.isWaking = true
      core.thread = currentThread()
      return true
    }
    if isMine { run(virtual) }
  }

  /// The time of the first alarm, which may be earlier than the timer's deadline.
  var nextAlarm: Int64? { core.withLock { $0.table.nextWake()?.earliest } }

  /// The deadlines of all timers that wait for one.
  var deadlines: [Int64] {
    // The mutex of a timer is locked before that of its driver, never inside it.
    core.withLock { $0.table.armedTargets }.compactMap(\.alarmDeadline)
  }

  /// Delivers what is due by now. (A system clock does that by itself.)
  func catchUp() {
    if case .virtual(let virtual) = time { move(by: 0, virtual) }
  }

  /// Delivers the drains, and the alarms up to the goal, the time moving with them.
  private func run(_ virtual: VirtualTime) {
    while let due = core.withLock({ (core) -> AlarmTable.Due? in
      let due = core.table.takeDue(through: core.goal)
      let now = virtual.nanoseconds.load(ordering: .acquiring)
      let end =
        switch due?.event {
        case .alarm: due?.deadline ?? now
        case .drain: now
        case nil: core.goal
        }
      virtual.nanoseconds.store(max(now, end), ordering: .releasing)
      if due == nil {
        core.goal = .min
        core.isWaking = false
      }
      return due
    }) {
      due.target.handle(due.event, at: virtual.nanoseconds.load(ordering: .acquiring))
    }
  }
}
