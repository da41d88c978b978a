/// Measures work that the main thread starts and other threads may finish.
struct Stopwatch {
  private let began = (caller: Clocks.threadCPU, process: Clocks.processCPU)

  /// CPU times in nanoseconds, which other load on the machine does not affect.
  struct Reading {
    /// The CPU time of the calling thread.
    var caller: Int64 = 0
    /// The CPU time of all threads until the process is idle.
    var process: Int64 = 0
  }

  /// Waits until the work is finished.
  func stop() -> Reading {
    let caller = Clocks.threadCPU - began.caller
    let waiting = Self.waitUntilIdle()
    return Reading(caller: caller, process: Clocks.processCPU - began.process - waiting)
  }

  /// Waits until the process uses no CPU. Returns the CPU time of the wait itself.
  @discardableResult
  static func waitUntilIdle() -> Int64 {
    let own = Clocks.threadCPU
    var before = (process: Clocks.processCPU, thread: own)
    while true {
      sleep(nanoseconds: 4_000_000)
      let after = (process: Clocks.processCPU, thread: Clocks.threadCPU)
      let others = (after.process - before.process) - (after.thread - before.thread)
      if others < 50_000 { return after.thread - own }
      before = after
    }
  }
}
