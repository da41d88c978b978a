#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The number of timers whose lock the calling thread has, or whose work it does.
///
/// Only a thread that holds one can be part of a deadlock. So all others are spared ``LockWait``.
enum HeldTimers {
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key, nil) == 0 ? key : nil
  }()

  static var count: Int {
    get { key.map { Int(bitPattern: pthread_getspecific($0)) } ?? 0 }
    set {
      if let key { _ = pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue)) }
    }
  }
}

/// The entry of a thread that holds a timer and waits for another one.
struct LockWait: Sendable {
  /// Answers the thread that has the timer; 0: none has.
  typealias Holder = @Sendable () -> UInt

  private static let waits = Guarded<[UInt: Holder]>([:])

  private let thread: UInt
  /// What the thread already waited for: a body on the main queue may wait in its place.
  private let outer: Holder?

  /// Traps if the thread that has the timer waits, directly or through others, for one that the caller
  /// holds. Whoever waits here can let nothing go meanwhile, so what is found is a deadlock.
  init(_ thread: UInt, for holder: @escaping Holder) {
    self.thread = thread
    outer = Self.waits.withLock { waits in
      let outer = waits.updateValue(holder, forKey: thread)
      var seen: Set<UInt> = []
      var next = holder()
      while next != thread, seen.insert(next).inserted, let wait = waits[next] { next = wait() }
      precondition(
        next != thread,
        "withLock(_:) would wait forever: the thread that has this timer waits for one that the "
          + "caller holds")
      return outer
    }
  }

  /// To be called before the timer is let go: another thread may then take it and wait for the caller.
  func end() {
    Self.waits.withLock { $0[thread] = outer }
  }
}
