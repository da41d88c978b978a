/// Measures a piece of work that the main thread sets off and other threads may have to finish.
struct Stopwatch {
  private let began = (caller: Clocks.threadCPU, process: Clocks.processCPU)

  /// In nanoseconds of CPU: on a machine with other work, the time of day would measure that.
  struct Reading {
    /// What the calling thread used.
    var caller: Int64 = 0
    /// What all threads used until the process came to rest.
    var process: Int64 = 0
  }

  /// Waits until nothing of the work goes on any more.
  func stop() -> Reading {
    let caller = Clocks.threadCPU - began.caller
    let waiting = Self.settle()
    return Reading(caller: caller, process: Clocks.processCPU - began.process - waiting)
  }

  /// Waits until the process uses no CPU. Answers what the waiting itself used.
  @discardableResult
  static func settle() -> Int64 {
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
