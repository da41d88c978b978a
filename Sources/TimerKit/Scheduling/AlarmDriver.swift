import Dispatch
import Synchronization

/// An object that fires the alarms of all timers on one queue and one system clock, with a single dispatch
/// source, or of all timers on one virtual clock.
///
/// Ground rules:
/// - A wake-up runs on the queue and delivers due alarms in order, one at a time, even if the queue is
///   concurrent. After a millisecond it begins no further delivery, and enqueues another wake-up for the rest, so
///   that it does not delay the queue's other work.
/// - A timer references its driver strongly. The driver references its timers weakly, and unlocks its
///   mutex before it calls one.
/// - After its last timer, a driver of a queue lingers for a while: see ``AlarmDriver/linger()``.
/// - The mutex of a timer is locked before that of its driver.
@usableFromInline
package final class AlarmDriver: Sendable {
  @usableFromInline let timeSource: TimeSource
  /// The queue on which wake-ups run; `nil` on a virtual clock.
  let queue: DispatchQueue?
  /// True if the driver is never deallocated. Its source then references it strongly, because loading a
  /// weak reference is slow.
  private let isImmortal: Bool
  private let core = Guarded(Core())

  private struct Core {
    var table = AlarmTable()
    var plan = WakePlan()
    var source: WakeSource?
    /// True during a wake-up. No other one starts meanwhile, and the source is not scheduled until its end.
    var isWaking = false
    /// True if a wake-up has been requested with ``requestWake()``, not by the source, and has not begun.
    var isWakeRequested = false
    /// The time to advance to, if the clock is virtual.
    var targetTime = Int64.min
    /// The thread that delivers alarms, or delivered the last one.
    var thread: UInt = 0
    /// True while ``AlarmDriver/linger()`` keeps the driver.
    var isLingering = false
    /// True if the last timer has ended again since the driver began to linger.
    var wasUsedMeanwhile = false
  }

  init(_ timeSource: TimeSource, queue: DispatchQueue? = nil, isImmortal: Bool = false) {
    self.timeSource = timeSource
    self.queue = queue
    self.isImmortal = isImmortal
    Inspection.add(self)
  }

  deinit {
    core.withLock { $0.source?.cancel() }
  }

  // MARK: - Called while the timer's mutex is locked

  /// Frees the slot of a timer. A driver of a queue lingers after its last timer.
  func freeSlot(_ slot: UInt32) {
    let beginsToLinger = core.withLock { core in
      core.table.freeSlot(slot)
      guard core.table.isUnused, queue != nil, !isImmortal else { return false }
      core.wasUsedMeanwhile = core.isLingering
      guard !core.isLingering,
        Self.lingeringCount.load(ordering: .relaxed) < Self.maximumLingeringCount
      else { return false }
      Self.lingeringCount.add(1, ordering: .relaxed)
      core.isLingering = true
      return true
    }
    if beginsToLinger { linger() }
  }

  /// Keeps the driver without timers for a while, with its dispatch source, for the next timer.
  ///
  /// Making a driver and its source costs as much as fifty timers, and a queue may have one timer after the other. But an
  /// idle source keeps its queue alive, so that few drivers linger, and only for a while.
  private func linger() {
    // A driver that was used meanwhile lingers for another delay. Dispatch may be late by a tenth of it.
    let delay = DispatchTimeInterval.milliseconds(Self.maximumLingeringTime * 9 / 20)
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + delay) {
      let lingersOn = self.core.withLock { core in
        core.isLingering = core.wasUsedMeanwhile && core.table.isUnused
        core.wasUsedMeanwhile = false
        return core.isLingering
      }
      if lingersOn { self.linger() } else { Self.lingeringCount.subtract(1, ordering: .relaxed) }
    }
  }

  /// The maximum time for which a driver lingers, in milliseconds.
  private static let maximumLingeringTime = 1_000
  /// The maximum number of drivers that linger.
  private static let maximumLingeringCount = 64
  private static let lingeringCount = Atomic<Int>(0)

  func disarm(_ slot: UInt32) {
    core.withLock { $0.table.disarm(slot) }
  }

  /// Arms the alarm of a timer, and assigns a slot if it has none.
  func arm(_ alarm: inout AlarmHandle, of registration: AlarmRegistration, at deadline: Int64) {
    core.withLock { core in
      core.table.register(&alarm.slot, registration)
      alarm.ticket = core.table.arm(
        alarm.slot, creationNumber: registration.creationNumber, at: deadline,
        tolerance: registration.tolerance
      )
      if !core.isWaking {
        apply(core.plan.schedule(by: deadline.addingSaturated(registration.tolerance)), &core)
      }
    }
    alarm.at = deadline
  }

  /// Requests a drain: a call to the target, which then delivers what is pending without an alarm.
  /// - Returns: true if the caller must call ``requestWake()`` after it has unlocked the timer's mutex.
  func requestDrain(
    _ alarm: inout AlarmHandle, of registration: AlarmRegistration, at time: Int64
  ) -> Bool {
    core.withLock { core in
      core.table.register(&alarm.slot, registration)
      core.table.requestDrain(alarm.slot, creationNumber: registration.creationNumber, at: time)
      guard !core.isWaking, !core.isWakeRequested else { return false }
      core.isWakeRequested = true
      return true
    }
  }

  /// The size of the table, for tests of memory growth.
  var usage: (slots: Int, freeSlots: Int, entries: Int) {
    core.withLock { ($0.table.slotCount, $0.table.freeSlotCount, $0.table.entryCount) }
  }

  /// Returns the timers in a range of slots, for an inspector; `nil` if there is no such slot. The mutex is locked
  /// meanwhile.
  package func inspect(_ range: Range<Int>) -> [InspectedSlot]? {
    core.withLock { $0.table.inspect(range) }
  }

  private func apply(_ schedule: WakePlan.Schedule?, _ core: inout sending Core) {
    guard let schedule, let queue else { return }
    if let source = core.source { return source.apply(schedule) }
    let clock = timeSource.kind
    core.source =
      isImmortal
      ? WakeSource(clock: clock, queue: queue, schedule) { self.sourceFired() }
      : WakeSource(clock: clock, queue: queue, schedule) { [weak self] in self?.sourceFired() }
  }

  // MARK: - Waking

  /// True if the caller is inside a delivery of this driver.
  var isCallerDelivering: Bool {
    core.withLock { $0.isWaking && $0.thread == currentThread() }
  }

  /// Enqueues a wake-up that delivers the requested drains. On a virtual clock, delivers them before it
  /// returns, unless another call is delivering.
  @usableFromInline
  func requestWake() {
    if case .virtual(let virtual) = timeSource {
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
    if !WakeSource.repeats(timeSource.kind) { core.withLock { $0.plan.sourceFired() } }
    wake()
  }

  private func wake() {
    let began = timeSource.now
    guard begin() else { return }
    Inspection.countWakeUp()
    var now = began
    core.withLock { $0.table.sortDueAlarms(through: began) }
    repeat {
      guard let due = core.withLock({ $0.table.takeDue(through: now) }) else { break }
      due.target.handle(due.call, at: now)
      now = timeSource.now
    } while now - began < Self.maximumWakeDuration

    let isWakeRequested = core.withLock { core in
      core.isWaking = false
      // On a concurrent queue, the source may have fired on another thread since the clock was read, and that wake-up did
      // not begin. If the plan took that fire for one to come, nothing would fire again.
      let now = timeSource.now
      let bounds = core.table.nextWake()
      core.isWakeRequested = core.table.hasDrains || (bounds?.earliest ?? .max) <= now
      if !core.isWakeRequested {
        let following = core.table.followingTime
        apply(core.plan.schedule(within: bounds, following: following, now: now), &core)
      }
      return core.isWakeRequested
    }
    if isWakeRequested { requestWake() }
  }

  private static let maximumWakeDuration: Int64 = 1_000_000

  // MARK: - Virtual time

  /// Moves the virtual time and delivers the alarms that come due. The time moves from one deadline to the
  /// next, or in one step if `inOneStep` is true, like a clock that is set or that continued while the machine
  /// slept. While another call delivers, the time also moves in one step, and that call delivers the alarms.
  func move(_ virtual: VirtualTime, by change: Int64, inOneStep: Bool = false) {
    let startsDelivery = core.withLock { core in
      let end = virtual.nanoseconds.load(ordering: .acquiring).addingSaturated(change)
      // A step, or an advance by another thread, moves the target of the advance in progress by the same time, so that
      // the rest of that advance still elapses. An advance inside a handler moves the target only if it ends later.
      let isWakingOnAnotherThread = core.isWaking && core.thread != currentThread()
      core.targetTime =
        (inOneStep || isWakingOnAnotherThread) && core.targetTime > .min
        ? core.targetTime.addingSaturated(change) : max(core.targetTime, end)
      if inOneStep || core.isWaking { virtual.nanoseconds.store(end, ordering: .releasing) }
      guard !core.isWaking else { return false }
      core.isWaking = true
      core.thread = currentThread()
      return true
    }
    if startsDelivery { run(virtual) }
  }

  /// The time of the first alarm, which may be earlier than the timer's deadline.
  var nextAlarm: Int64? { core.withLock { $0.table.nextWake()?.earliest } }

  /// The deadlines of all timers that have one.
  var deadlines: [Int64] {
    // Read after the driver's mutex is unlocked, because reading a deadline locks the timer's mutex.
    core.withLock { $0.table.armedTargets }.compactMap(\.timerDeadline)
  }

  /// Delivers the due alarms of a virtual clock. On a system clock, the source does that.
  func deliverDueAlarms() {
    if case .virtual(let virtual) = timeSource { move(virtual, by: 0) }
  }

  /// Delivers the drains and the alarms up to the target time, and moves the time to each deadline.
  private func run(_ virtual: VirtualTime) {
    while let due = core.withLock({ (core) -> AlarmTable.Due? in
      let due = core.table.takeDue(through: core.targetTime)
      let now = virtual.nanoseconds.load(ordering: .acquiring)
      let end =
        switch due?.call {
        case .alarm: due?.time ?? now
        case .drain: now
        case nil: core.targetTime
        }
      virtual.nanoseconds.store(max(now, end), ordering: .releasing)
      if due == nil {
        core.targetTime = .min
        core.isWaking = false
      }
      return due
    }) {
      due.target.handle(due.call, at: virtual.nanoseconds.load(ordering: .acquiring))
    }
  }
}

/// The values with which a timer registers with its driver.
struct AlarmRegistration {
  let target: any AlarmTarget
  /// The number of the timer in the order of creation.
  let creationNumber: UInt64
  let tolerance: Int64
}

/// A timer's slot and alarm in its driver. The timer's mutex guards them.
@usableFromInline
struct AlarmHandle: Sendable {
  var slot = AlarmHandle.noSlot
  /// The ticket of the armed alarm: see ``AlarmEntry/ticket``. 0 if none is armed.
  @usableFromInline var ticket: UInt32 = 0
  /// The time of the alarm: the timer's deadline, or earlier. A deadline that moves to a later time
  /// leaves the alarm unchanged, which costs less than moving it.
  @usableFromInline var at: Int64 = .max
  /// The low 32 bits of the timer's generation (see ``TimerStateMachine/generation``) for which the alarm was armed, if it is superseded.
  var supersededGeneration: UInt32 = 0
  /// True if the alarm was due when a control superseded it, or was armed for the deadline when the timer was
  /// cancelled. It is rejected when it fires.
  @usableFromInline var isSuperseded = false

  static let noSlot = UInt32.max

  var isRegistered: Bool { slot != AlarmHandle.noSlot }
  @inlinable var isArmed: Bool { ticket != 0 }
}
