package import Synchronization

/// The list of all timers of the process, and their counts, for an inspector such as `TimerKitInspector`.
///
/// Nothing of it costs a timer memory, and while nobody is attached, a fire and a wake-up each cost one relaxed load.
package enum Inspection {
  /// True while somebody watches the timers. Fires and wake-ups are counted only then.
  package static let isAttached = Atomic<Bool>(false)
  package static let wakeUpCount = Atomic<Int>(0)
  private static let fires = Guarded(Fires())

  /// The number of fires, and the lateness of the newest ones in nanoseconds.
  private struct Fires {
    static let limit = 1024
    var count = 0
    var newest: [Int64] = []
  }

  /// Counts a wake-up, if somebody watches.
  static func countWakeUp() {
    if isAttached.load(ordering: .relaxed) { wakeUpCount.add(1, ordering: .relaxed) }
  }

  /// Counts a fire.
  static func record(lateness: Int64) {
    fires.withLock { fires in
      if fires.newest.count < Fires.limit {
        fires.newest.append(lateness)
      } else {
        fires.newest[fires.count % Fires.limit] = lateness
      }
      fires.count += 1
    }
  }

  /// The number of fires that were counted, and the lateness in nanoseconds that 99 of 100 of the newest thousand did not
  /// exceed; `nil` if there were none.
  package static var fireCounts: (count: Int, late99: Int64?) {
    let (count, newest) = fires.withLock { ($0.count, $0.newest) }
    return (count, newest.sorted().dropLast(newest.count / 100).last)
  }

  private static let drivers = Guarded(DriverList())

  private struct DriverList {
    var references: [WeakReference<AlarmDriver>] = []
    /// The number of references at which those to drivers that no longer exist are removed.
    var limit = 64

    /// - Returns: drivers that the caller releases after the mutex has been unlocked, because releasing one can run any
    ///   code.
    mutating func add(_ driver: AlarmDriver) -> [AlarmDriver] {
      var found: [AlarmDriver] = []
      if references.count >= limit {
        found = references.compactMap(\.object)
        references = found.map(WeakReference.init)
        limit = max(64, 2 * found.count)
      }
      references.append(WeakReference(object: driver))
      return found
    }
  }

  /// Adds a driver to those whose timers are listed.
  static func add(_ driver: AlarmDriver) { _ = drivers.withLock { $0.add(driver) } }

  /// The drivers of all timers. Keep them only briefly: a driver keeps its queue alive.
  package static var allDrivers: [AlarmDriver] {
    drivers.withLock { $0.references.compactMap(\.object) }
  }

  /// Returns a new number in the sequence that numbers the timers.
  package static func nextNumber() -> UInt64 { CreationCounter.next() }
}

/// A slot of a driver with its timer.
package typealias InspectedSlot = (slot: Int, timer: any InspectableTimer, isArmed: Bool)
