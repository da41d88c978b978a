public import Synchronization

/// A value that a mutex protects.
///
/// It wraps `Mutex` to wait a little before it blocks in the kernel (see ``waitForUnlock()``), and for the thread
/// sanitizer, which does not recognize `Synchronization.Mutex` on Linux and reports races in correct programs. With
/// `-DTSAN`, an atomic next to the mutex shows the sanitizer the same order of events; other builds do not contain it.
///
/// One kind of false report remains in optimized builds: an array is copied out, read and released without
/// the mutex, and a later `append` under the mutex writes to the same memory. That is correct: the reader
/// releases its reference after the last read, and `append` writes in place only if its own reference is the
/// only one. But the sanitizer does not see reference counts. ``Stopwatch/Snapshot/laps`` is such an array.
/// A program of 20 lines without TimerKit, with an array of integers behind a mutex and an atomic, causes
/// the same report; with the read moved under the mutex, it does not.
@usableFromInline
package struct Guarded<Value: ~Copyable>: ~Copyable, Sendable {
  @usableFromInline let mutex: Mutex<Value>
  #if TSAN
    @usableFromInline let order = Atomic<UInt8>(0)
  #endif

  @inlinable
  package init(_ value: consuming sending Value) {
    mutex = Mutex(value)
  }

  @inlinable
  package func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    #if TSAN
      try mutex.withLock { (value: inout sending Value) throws(Failure) -> sending Result in
        _ = order.load(ordering: .acquiring)
        defer { order.store(0, ordering: .releasing) }
        return try body(&value)
      }
    #else
      if let result = try mutex.withLockIfAvailable(body) { return result }
      waitForUnlock()
      return try mutex.withLock(body)
    #endif
  }

  /// Waits for a mutex that another thread has locked. Returns when the mutex was free, or after the last
  /// attempt.
  ///
  /// Each attempt removes the guarded memory from that thread's cache, and waiting in the kernel takes a
  /// hundred times as long as most critical sections: on Linux, each thread that waits there is passed the mutex in turn,
  /// so that many threads would make one another wait. Therefore it tries rarely, and lets other threads run in between,
  /// because that thread may be without a processor. It leaves waiting in the kernel to the caller.
  @usableFromInline
  func waitForUnlock() {
    for _ in 0..<Self.attempts {
      let began = TimerClock.Kind.suspending.systemNanoseconds
      while TimerClock.Kind.suspending.systemNanoseconds - began < Self.attemptInterval {}
      if mutex.withLockIfAvailable({ _ in }) != nil { return }
      yieldThread()
    }
  }

  private static var attempts: Int { 100 }
  /// In nanoseconds.
  private static var attemptInterval: Int64 { 1_000 }
}

/// A weak reference that a mutex protects.
struct WeakReference<Object: AnyObject> {
  weak var object: Object?

  /// Returns the object. Mutating, because a nonmutating read copies the weak reference.
  mutating func load() -> Object? { object }
}
