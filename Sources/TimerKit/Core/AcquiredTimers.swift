/// The number of timers that the calling thread has acquired to run their code: the body of `performExclusively(_:)`,
/// or the work of a ``BackgroundTimer``.
///
/// A thread with such a timer can be part of a deadlock, and records an ``AcquisitionWait`` when it waits for another
/// one. A timer whose observers the thread calls is not counted.
enum AcquiredTimers {
  private static let counter = ThreadCounter()

  static var count: Int {
    get { counter.value }
    set { counter.value = newValue }
  }
}

/// The record of a thread that has acquired a timer and waits for another one.
struct AcquisitionWait: Sendable {
  /// A closure that returns the thread that has acquired a timer; 0 if none has.
  typealias HolderLookup = @Sendable () -> UInt

  private static let waits = Guarded<[UInt: HolderLookup]>([:])

  private let thread: UInt
  /// The thread's previous record, which ``end()`` restores. A record lasts until the body of `performExclusively(_:)`
  /// has returned, and a call inside that body replaces it.
  private let outer: HolderLookup?

  /// Records that the calling thread, `thread`, waits for a timer. Traps if the thread that has acquired that
  /// timer waits, directly or through others, for a timer that the caller has acquired. A thread that waits here
  /// releases no timer meanwhile, so a cycle is a deadlock.
  init(_ thread: UInt, for acquiringThread: @escaping HolderLookup) {
    self.thread = thread
    outer = Self.waits.withLock { waits in
      let outer = waits.updateValue(acquiringThread, forKey: thread)
      var seen: Set<UInt> = []
      var next = acquiringThread()
      while next != thread, seen.insert(next).inserted, let acquiringThread = waits[next] {
        next = acquiringThread()
      }
      precondition(
        next != thread,
        "performExclusively(_:) would wait forever: the thread that has acquired this timer waits "
          + "for one that the caller has acquired")
      return outer
    }
  }

  /// Removes the record and restores the previous one. Call it before the timer is released: after the release, another
  /// thread can acquire the timer and wait for the caller, and an old record would look like a deadlock.
  func end() {
    Self.waits.withLock { $0[thread] = outer }
  }
}
