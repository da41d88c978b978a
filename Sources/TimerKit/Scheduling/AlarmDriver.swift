import Dispatch
import Synchronization

/// What wakes all timers of one queue and one clock: one dispatch source, however many they are.
///
/// Ground rules:
/// - One wake rings every alarm that is due, in order, inline on the queue, one at a time: also on a
///   concurrent queue. A wake is bounded, so that the queue's other work has its drain.
/// - Timers hold their driver; it holds them weakly, and lets go of its mutex before it rings one.
/// - Mutexes are taken in the order timer, driver, source.
@usableFromInline
final class AlarmDriver: Sendable {
  @usableFromInline let time: TimeSource
  let queue: DispatchQueue?
  /// Never released: nothing need look whether it is still there, which is slow.
  private let isImmortal: Bool
  private let core = Guarded(Core())

  private struct Core {
    var table = AlarmTable()
    var plan = WakePlan()
    var source: WakeSource?
    /// Alarms are being rung: nobody else rings, and the source is left alone until the end.
    var isWaking = false
    /// A wake is on its way that the source does not know of.
    var isWakeRequested = false
    /// Virtual time: how far it is to advance.
    var goal = Int64.min
    /// The thread that rings.
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
  }
}

/// What a driver has to know of a timer.
struct AlarmRegistration {
  let target: any AlarmTarget
  /// Tells which of two timers was made first.
  let creation: UInt64
  let tolerance: Int64
}

/// A timer's place in its driver. The timer's mutex guards it.
@usableFromInline
struct AlarmHandle: Sendable {
  var slot = AlarmHandle.none
  /// Of the newest arming; 0 when its alarm has rung.
  @usableFromInline var ticket: UInt32 = 0
  /// When the alarm rings: never after the timer's deadline, perhaps before it, since to leave it
  /// costs less than to move it.
  @usableFromInline var at: Int64 = .max
  /// The generation it was armed for, if it is superseded: the lower half, which is enough.
  var superseded: UInt32 = 0
  /// It was due when a control took its schedule away: it will be refused.
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
      alarm.ticket = core.table.arm(alarm.slot, creation: target.creation, at: deadline)
      if !core.isWaking {
        follow(core.plan.wake(by: deadline.addingSaturated(target.tolerance)), &core)
      }
    }
    alarm.at = deadline
  }

  /// Asks for a drain. Where it answers true, call ``requestWake()`` when the timer's mutex is released.
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

  /// What its table holds: for tests of growth.
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
  /// Whether the caller is on the queue, or inside a handler.
  var isCurrent: Bool { isDrainingHere || isOnQueue }

  /// Whether the caller is inside something that it rings.
  var isDrainingHere: Bool {
    core.withLock { $0.isWaking && $0.thread == currentThread() }
  }
}

extension AlarmDriver {
  /// Delivers what drains were asked for.
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
      due.target.ring(due.ring, at: now)
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
  /// Moves the time, and rings what comes due: with the time moving from one to the next, or `atOnce`,
  /// as a clock does that is set, or that went on while the machine slept.
  func move(by change: Int64, atOnce: Bool = false, _ virtual: VirtualTime) {
    let isMine = core.withLock { core in
      let end = virtual.nanoseconds.load(ordering: .acquiring).addingSaturated(change)
      // Who advances while the clock jumps has as far to go as before.
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
    // The mutex of a timer is taken before that of its driver, never inside it.
    core.withLock { $0.table.armedTargets }.compactMap(\.alarmDeadline)
  }

  /// Rings what is due by now. (A system clock does that by itself.)
  func catchUp() {
    if case .virtual(let virtual) = time { move(by: 0, virtual) }
  }

  /// Rings the drains, and the alarms up to the goal, the time moving with them.
  private func run(_ virtual: VirtualTime) {
    while let due = core.withLock({ (core) -> AlarmTable.Due? in
      let due = core.table.takeDue(through: core.goal)
      let now = virtual.nanoseconds.load(ordering: .acquiring)
      let end =
        switch due?.ring {
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
      due.target.ring(due.ring, at: virtual.nanoseconds.load(ordering: .acquiring))
    }
  }
}
