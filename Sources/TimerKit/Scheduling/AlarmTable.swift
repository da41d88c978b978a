/// The interface of a timer to its driver.
@usableFromInline
protocol AlarmTarget: InspectableTimer {
  /// The deadline of the timer, which may be later than the armed alarm; `nil` if it has none.
  var timerDeadline: Int64? { get }

  func handle(_ call: DriverCall, at now: Int64)
}

/// A call of a timer by its driver.
@usableFromInline
enum DriverCall: Sendable {
  /// A call because the alarm that was armed with this ticket has fired.
  case alarm(ticket: UInt32)
  /// A call that the timer has requested, because it has something to deliver without an alarm.
  case drain
}

/// The alarms and drains of all timers of one driver, in the order in which they are due.
///
/// Disarming and arming again are lazy: they change the ticket of the slot (see ``AlarmEntry/ticket``) and leave the outdated entry in its
/// heap. It is removed when it becomes the first entry, or with all outdated ones when these are many.
struct AlarmTable {
  /// A timer to call, and the time of its alarm, or of its request for the drain.
  typealias Due = (target: any AlarmTarget, call: DriverCall, time: Int64)

  private var slots = AlarmSlots()
  private var alarms = AlarmHeap<AlarmEntry>()
  private var drains = AlarmHeap<AlarmEntry>()
  private var outdatedAlarmCount = 0
  private var lastTicket: UInt32

  /// - Parameter lastTicket: the ticket before that of the first alarm.
  init(lastTicket: UInt32 = 0) {
    self.lastTicket = lastTicket
  }

  /// The number of entries, the outdated ones included.
  var entryCount: Int { alarms.count + drains.count }
  var freeSlotCount: Int { slots.freeCount }
  var slotCount: Int { slots.count }
  var isUnused: Bool { slots.freeCount == slots.count }

  /// Assigns a slot to the target if it has none.
  mutating func register(_ slot: inout UInt32, _ registration: AlarmRegistration) {
    guard slot == AlarmHandle.noSlot else { return }
    slot = slots.add(registration.target, tolerance: registration.tolerance)
  }

  mutating func freeSlot(_ slot: UInt32) {
    if slots.remove(slot) { recordOutdatedAlarm() }
    if isUnused, slots.count > 1024 {
      self = AlarmTable(lastTicket: lastTicket)
    }
  }

  /// Arms the alarm of a slot, in place of an earlier one.
  /// - Parameters:
  ///   - creationNumber: the number of the timer in the order of creation.
  ///   - tolerance: the time by which the alarm may be late; `nil` does not change it.
  /// - Returns: the ticket of the alarm.
  mutating func arm(
    _ slot: UInt32, creationNumber: UInt64, at deadline: Int64, tolerance: Int64? = nil
  ) -> UInt32 {
    let ticket = newTicket()
    if slots.setAlarm(ticket, slot, tolerance: tolerance) { recordOutdatedAlarm() }
    alarms.insert(at: deadline, creationNumber: creationNumber, slot: slot, ticket: ticket)
    return ticket
  }

  mutating func disarm(_ slot: UInt32) {
    if slots.setAlarm(0, slot) { recordOutdatedAlarm() }
  }

  private mutating func recordOutdatedAlarm() {
    outdatedAlarmCount += 1
    if outdatedAlarmCount > 64, outdatedAlarmCount > alarms.count / 2 { dropOutdated() }
  }

  mutating func requestDrain(_ slot: UInt32, creationNumber: UInt64, at time: Int64) {
    guard !slots.hasDrain(slot) else { return }
    let ticket = newTicket()
    slots.setDrain(ticket, slot)
    drains.insert(at: time, creationNumber: creationNumber, slot: slot, ticket: ticket)
  }

  /// Sorts the alarms that are due at `limit`, if there are many of them, so that removing them is cheap.
  mutating func sortDueAlarms(through limit: Int64) {
    guard !alarms.hasSortedRun, alarms.countOfFew(dueBy: limit) == nil else { return }
    if outdatedAlarmCount > alarms.count / 4 { dropOutdated() }
    alarms.sortDue(by: limit)
  }

  /// Removes and returns the first entry among the drains and the alarms that are due at `limit`.
  mutating func takeDue(through limit: Int64) -> Due? {
    while true {
      dropOutdatedRoots()
      let alarm = alarms.first.flatMap { $0.time <= limit ? $0 : nil }
      let entry: AlarmEntry
      let call: DriverCall
      if let drain = drains.first, alarm.map({ drain < $0 }) ?? true {
        drains.removeFirst()
        slots.setDrain(0, drain.slot)
        (entry, call) = (drain, .drain)
      } else if let alarm {
        alarms.removeFirst()
        _ = slots.setAlarm(0, alarm.slot)
        (entry, call) = (alarm, .alarm(ticket: alarm.ticket))
      } else {
        return nil
      }
      // A target that is being deallocated has not released its slot yet.
      if let target = slots.target(entry.slot) {
        return (target, call, entry.time)
      }
    }
  }

  var hasDrains: Bool {
    mutating get { drains.entries.contains { slots.isValidDrain($0.ticket, $0.slot) } }
  }

  /// Returns the bounds of the next wake-up: the time of the first alarm, and the earliest sum of the time of an alarm and its
  /// tolerance; `nil` if no alarm is armed. While the sorted run has entries, both are the time of the first alarm.
  mutating func nextWake() -> (earliest: Int64, latest: Int64)? {
    dropOutdatedRoots()
    guard let first = alarms.first else { return nil }
    if alarms.hasSortedRun { return (first.time, first.time) }
    var latest = Int64.max
    lower(&latest, from: 0)
    return (first.time, latest)
  }

  /// The time of the alarm after the first one, or of an outdated one; `nil` if there is none.
  var followingTime: Int64? { alarms.children(of: 0).lazy.map { alarms.entries[$0].time }.min() }

  /// The targets of the valid alarms in the heap, without those in its sorted run. A virtual clock never sorts alarms.
  var armedTargets: [any AlarmTarget] {
    mutating get {
      alarms.entries.filter { slots.isValidAlarm($0.ticket, $0.slot) }.compactMap {
        slots.target($0.slot)
      }
    }
  }

  mutating func inspect(_ range: Range<Int>) -> [InspectedSlot]? { slots.inspect(range) }

  /// Lowers `latest` to the earliest sum of the time of an alarm and its tolerance, in an entry of the heap and its descendants.
  private mutating func lower(_ latest: inout Int64, from index: Int) {
    let entry = alarms.entries[index]
    guard entry.time < latest else { return }
    if slots.isValidAlarm(entry.ticket, entry.slot) {
      latest = min(latest, entry.time.addingSaturated(slots.tolerance(entry.slot)))
    }
    for child in alarms.children(of: index) { lower(&latest, from: child) }
  }

  private mutating func dropOutdated() {
    alarms.compact { slots.isValidAlarm($0.ticket, $0.slot) }
    outdatedAlarmCount = 0
  }

  private mutating func dropOutdatedRoots() {
    while let first = alarms.first, !slots.isValidAlarm(first.ticket, first.slot) {
      alarms.removeFirst()
      outdatedAlarmCount -= 1
    }
    while let first = drains.first, !slots.isValidDrain(first.ticket, first.slot) {
      drains.removeFirst()
    }
  }

  private mutating func newTicket() -> UInt32 {
    lastTicket &+= 1
    if lastTicket == 0 { lastTicket = 1 }
    return lastTicket
  }
}
