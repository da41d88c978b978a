import Dispatch
import Synchronization

/// Drivers whose last timer has ended a short time ago, and which keep their dispatch sources for the next timer.
///
/// Making a driver and its source costs as much as fifty timers, and a queue may have one timer after the other. But an
/// idle source keeps its queue alive, so that a driver lingers only for a while.
///
/// Nothing wakes while no driver lingers. While one does, sweeps come, two of them within the maximum time. Each releases
/// the drivers whose last timer ended before the sweep was scheduled.
///
/// The mutex of the shared value is locked after that of a timer and before that of a driver.
struct LingeringDrivers {
  /// The maximum time for which a driver lingers, in milliseconds.
  static let maximumTime = 1_000
  /// The maximum number of drivers that linger. For another one, the one whose last timer ended first is released.
  static let maximumCount = 64

  private var drivers: [AlarmDriver] = []
  /// Drivers whose last timer ended at this time or before it linger until the next sweep, and no longer.
  private var sweepScheduledAt: UInt64 = 0

  var isEmpty: Bool { drivers.isEmpty }

  /// Adds a driver without timers.
  /// - Returns: the drivers that linger no longer, which the caller releases after it has unlocked the mutex.
  mutating func add(_ driver: AlarmDriver) -> [AlarmDriver] {
    var released: [AlarmDriver] = []
    if drivers.count == Self.maximumCount {
      released = remove { !$0.lingers(since: 0) }
      let first = released.isEmpty ? drivers.min { $0.lastTimerEndedAt < $1.lastTimerEndedAt } : nil
      if let first { released = remove { $0 === first } }
    }
    drivers.append(driver)
    return released
  }

  /// Removes the drivers that have timers again, or had none since the sweep was scheduled, and schedules the next sweep.
  /// - Returns: the drivers, which the caller releases after it has unlocked the mutex.
  mutating func sweep() -> [AlarmDriver] {
    let time = sweepScheduledAt
    scheduleSweep()
    return remove { !$0.lingers(since: time) }
  }

  mutating func scheduleSweep() { sweepScheduledAt = Self.nextTime() }

  private mutating func remove(where isUnwanted: (AlarmDriver) -> Bool) -> [AlarmDriver] {
    let end = drivers.partition(by: isUnwanted)
    defer { drivers.removeSubrange(end...) }
    return Array(drivers[end...])
  }
}

// MARK: - Shared by all queues
extension LingeringDrivers {
  private static let shared = Guarded(LingeringDrivers())
  private static let clock = Atomic<UInt64>(0)

  /// Returns a number that is greater than all earlier ones, which costs less than the time.
  static func nextTime() -> UInt64 { clock.add(1, ordering: .relaxed).newValue }

  /// Keeps a driver without timers for a while.
  static func keep(_ driver: AlarmDriver) {
    var released: [AlarmDriver] = []
    let isFirst = shared.withLock { lingering in
      let isFirst = lingering.isEmpty
      released = lingering.add(driver)
      if isFirst { lingering.scheduleSweep() }
      return isFirst
    }
    if isFirst { sweepLater() }
    _ = released
  }

  private static func sweepLater() {
    // Dispatch may be late by a tenth of the delay.
    let delay = DispatchTimeInterval.milliseconds(maximumTime * 9 / 20)
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + delay) {
      var released: [AlarmDriver] = []
      let isEmpty = shared.withLock { lingering in
        released = lingering.sweep()
        return lingering.isEmpty
      }
      if !isEmpty { sweepLater() }
      _ = released
    }
  }
}
