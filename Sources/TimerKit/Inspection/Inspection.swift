package import Synchronization

/// The list of all timers of the process, and their counts, for an inspector such as `TimerKitInspector`.
///
/// Nothing of it costs a timer memory, and while nobody is attached, a fire and a wake-up each cost one relaxed load.
package enum Inspection {
  /// True while somebody watches the timers. Fires and wake-ups are counted only then.
  package static let isAttached = Atomic<Bool>(false)
  /// The lateness of all fires that were counted.
  package static let fires = LatenessHistogram()
  package static let wakeUpCount = Atomic<Int>(0)

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

/// The number of fires by their lateness, with eight buckets for each doubling. Any thread can record and read.
package final class LatenessHistogram: Sendable {
  private final class Bucket: Sendable {
    let count = Atomic<Int>(0)
  }

  private let buckets = (0...LatenessHistogram.bucket(of: .max)).map { _ in Bucket() }

  /// The number of fires in each bucket.
  package var counts: [Int] { buckets.map { $0.count.load(ordering: .relaxed) } }

  /// Counts a fire.
  /// - Parameter lateness: its lateness in nanoseconds. A negative one, after a clock was set back, counts as zero.
  func record(_ lateness: Int64) {
    buckets[Self.bucket(of: max(0, lateness))].count.add(1, ordering: .relaxed)
  }

  /// Returns the bucket of a lateness in nanoseconds, which is not negative.
  static func bucket(of lateness: Int64) -> Int {
    let shift = max(0, Int64.bitWidth - lateness.leadingZeroBitCount - 4)
    return 8 * shift + Int(lateness >> Int64(shift))
  }

  /// Returns the greatest lateness of a bucket, in nanoseconds.
  static func limit(of bucket: Int) -> Int64 {
    let shift = Int64(max(0, bucket / 8 - 1))
    return (Int64(bucket) - 8 * shift + 1) << shift &- 1
  }

  /// Returns the lateness in nanoseconds that 99 of 100 fires do not exceed, rounded up to the end of its bucket;
  /// `nil` if there were no fires.
  /// - Parameters:
  ///   - counts: the number of fires in each bucket.
  ///   - earlier: those of an earlier time, which do not count.
  package static func percentile99(of counts: [Int], since earlier: [Int]) -> Int64? {
    let counts = zip(counts, earlier).map { $0 - $1 }
    let total = counts.reduce(0, +)
    var rest = total - total / 100
    return counts.indices.first { index in
      rest -= counts[index]
      return rest <= 0 && total > 0
    }.map(limit(of:))
  }
}
