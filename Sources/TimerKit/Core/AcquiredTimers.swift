/// The number of timers that the calling thread has acquired to run their code: the body of `performExclusively(_:)`,
/// or the work of a ``BackgroundTimer``.
///
/// A thread with such a timer can be part of a deadlock, and records an ``AcquisitionRecord`` when it waits for another
/// one. A timer whose observers the thread calls is not counted.
enum AcquiredTimers {
  private static let counter = ThreadLocalCounter()

  static var count: Int {
    get { counter.value }
    set { counter.value = newValue }
  }
}

/// The record of a thread that has acquired a timer and waits for another one, or has acquired that one as well.
struct AcquisitionRecord: Sendable {
  /// A closure that returns the thread that has acquired a timer; 0 if none has.
  typealias HolderLookup = @Sendable () -> UInt

  private static let records = Guarded<[UInt: HolderLookup]>([:])

  private let thread: UInt
  /// The thread's previous record, which ``end()`` restores. A record lasts until the body that the
  /// thread runs with the timer has returned, and a call inside that body replaces it.
  private let previous: HolderLookup?

  /// Records that the calling thread, `thread`, waits for a timer. Traps if the thread that has acquired that
  /// timer waits, directly or through others, for a timer that the caller has acquired. A thread that waits here
  /// releases no timer meanwhile, so a cycle is a deadlock.
  init(_ thread: UInt, findingHolder findHolder: @escaping HolderLookup) {
    self.thread = thread
    previous = Self.records.withLock { records in
      let previous = records.updateValue(findHolder, forKey: thread)
      var seen: Set<UInt> = []
      var next = findHolder()
      while next != thread, seen.insert(next).inserted, let findHolder = records[next] {
        next = findHolder()
      }
      precondition(
        next != thread,
        "performExclusively(_:) would wait forever: the thread that has acquired this timer waits "
          + "for one that the caller has acquired")
      return previous
    }
  }

  /// Removes the record and restores the previous one. Call it before the timer is released: after the release, another
  /// thread can acquire the timer and wait for the caller, and an old record would look like a deadlock.
  func end() {
    Self.records.withLock { $0[thread] = previous }
  }
}
