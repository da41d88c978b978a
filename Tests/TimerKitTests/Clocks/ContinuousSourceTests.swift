import Dispatch
import Testing
import TimerKit

#if os(Linux)
  import Glibc

  /// A timer of the continuous clock is a plain dispatch source for which Swift has no API: see
  /// `WakeSource`. Each test has its own process, since Dispatch opens a descriptor for each clock and
  /// keeps it open.
  @Suite struct ContinuousSourceTests {
    /// The suspending clock is Dispatch's own: its descriptor is already open.
    @Test(.timeLimit(.minutes(20)), arguments: [TimerClock.Kind.continuous, .wall])
    func theSystemTimerUsesItsClock(_ kind: TimerClock.Kind) async {
      await #expect(processExitsWith: .success) { [kind] in
        let clockID = Int(kind == .continuous ? CLOCK_BOOTTIME : CLOCK_REALTIME)
        #expect(!Self.timerClocks.contains(clockID))
        let (ticks, continuation) = AsyncStream.makeStream(of: Repeater.Tick.self)
        let clock = TimerClock(kind)
        let timer = try Repeater.every(.milliseconds(1), clock: clock) { _, tick in
          continuation.yield(tick)
          if tick.iteration == 3 { continuation.finish() }
        }
        var deadlines: [TimerClock.Instant] = []
        for await tick in ticks {
          deadlines.append(tick.deadline)
          #expect(tick.lateness >= .zero)
          #expect(tick.deadline <= clock.now)
        }
        #expect(deadlines == deadlines.sorted() && deadlines.count == 3)
        timer.cancel()
        // Dispatch opens the descriptor when a deadline is in the future. On a busy machine none of the ticks above need
        // be, so this one is; and it opens it on a thread of its own.
        let later = try Repeater.every(.seconds(3600), clock: clock) { _, _ in }
        while !Self.timerClocks.contains(clockID) { await Task.yield() }
        later.cancel()
      }
    }

    /// The only alarm of a process on that clock, so that nothing else can wake it.
    @Test(arguments: TimerClock.Kind.allCases)
    func aSingleDeadlineFires(_ kind: TimerClock.Kind) async {
      await #expect(processExitsWith: .success) { [kind] in
        let (fires, continuation) = AsyncStream.makeStream(of: TimerClock.Instant.self)
        let clock = TimerClock(kind)
        let deadline = clock.now.advanced(by: .milliseconds(20))
        let timer = DeadlineTimer(clock: clock) { _, scheduled in
          continuation.yield(scheduled)
          continuation.finish()
        }
        timer.schedule(at: deadline)
        for await scheduled in fires {
          #expect(scheduled == deadline)
          #expect(clock.now >= deadline)
        }
        withExtendedLifetime(timer) {}
      }
    }

    /// Returns the clocks of the timer descriptors that the process has open.
    static var timerClocks: [Int] {
      var clocks: [Int] = []
      guard let folder = opendir("/proc/self/fdinfo") else { return clocks }
      defer { closedir(folder) }
      while let entry = readdir(folder) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) {
          String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        guard let file = fopen("/proc/self/fdinfo/" + name, "r") else { continue }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        while fgets(&line, 128, file) != nil {
          let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
          if text.hasPrefix("clockid:") {
            clocks.append(contentsOf: text.split { !$0.isNumber }.compactMap { Int($0) })
          }
        }
      }
      return clocks
    }
  }
#endif
