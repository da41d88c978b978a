#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Names the calling thread, among those that run; never 0.
func currentThread() -> UInt {
  #if canImport(Darwin)
    UInt(bitPattern: pthread_self())
  #else
    UInt(pthread_self())
  #endif
}
