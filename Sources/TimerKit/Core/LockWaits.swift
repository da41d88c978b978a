/// The number of timers that the calling thread holds, or whose work it does.
///
/// Only a thread that holds one can be part of a deadlock. So all others are spared ``LockWait``.
enum HeldTimers {
  private static let counter = ThreadCounter()

  static var count: Int {
    get { counter.value }
    set { counter.value = newValue }
  }
}

/// The record of a thread that holds a timer and waits for another one.
struct LockWait: Sendable {
  /// Returns the thread that holds the timer; 0 if none does.
  typealias Holder = @Sendable () -> UInt

  private static let waits = Guarded<[UInt: Holder]>([:])

  private let thread: UInt
  /// The wait that the thread was already in: a body on the main queue may wait in its place.
  private let outer: Holder?

  /// Traps if the thread that holds the timer waits, directly or through others, for one that the caller
  /// holds. A thread that waits here can release nothing meanwhile, so a cycle is a deadlock.
  init(_ thread: UInt, for deliverer: @escaping Holder) {
    self.thread = thread
    outer = Self.waits.withLock { waits in
      let outer = waits.updateValue(deliverer, forKey: thread)
      var seen: Set<UInt> = []
      var next = deliverer()
      while next != thread, seen.insert(next).inserted, let wait = waits[next] { next = wait() }
      precondition(
        next != thread,
        "performExclusively(_:) would wait forever: the thread that holds this timer waits for one "
          + "that the caller holds")
      return outer
    }
  }

  /// Ends the wait. Call it before the timer is released: another thread may then acquire it and wait for
  /// the caller.
  func end() {
    Self.waits.withLock { $0[thread] = outer }
  }
}
