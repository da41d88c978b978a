import Platform

/// Returns the processor time of this thread for an operation, which does not include other load.
func processorTime(of operation: () throws -> Void) rethrows -> Duration {
  func now() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
  let start = now()
  try operation()
  return now() - start
}
