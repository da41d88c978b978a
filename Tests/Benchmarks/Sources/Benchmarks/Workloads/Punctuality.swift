import Histogram
import Synchronization

/// Compares each tick with its expected time: first + n · interval.
struct Punctuality {
  let count: Int
  let interval: Int64
  /// The duration in nanoseconds.
  private let duration: Int64

  init(count: Int, interval: Int64, lasting seconds: Int64) {
    self.count = count
    self.interval = interval
    duration = seconds * 1_000_000_000
  }

  func run<System: TimerSystem>(_ system: System) throws -> Readings {
    let first = Clocks.uptime + 100_000_000 + Int64(count) * System.creationCost
    let log = TickLog(duration: duration)
    let timers = (0..<count).map { index in
      GridTimer(
        first: first + Int64(index) * interval / Int64(count), interval: interval, log: log)
    }
    let tickers = try timers.map { timer in
      try system.every(interval, from: timer.first, tolerance: 0) { timer.tick(missed: $0) }
    }
    defer { withExtendedLifetime(tickers) {} }

    rest(system, until: first - 10_000_000)
    let began = (cpu: Clocks.processCPU, switches: Resources.switches)
    rest(system, until: first + duration)
    let ended = (cpu: Clocks.processCPU, switches: Resources.switches)
    // A late tick must not count as missed.
    rest(system, until: first + duration + 50_000_000)

    var readings = log.readings
    let served = timers.map(\.served).reduce(0, +)
    readings[.missed] = Double(
      timers.map { max(0, $0.due(by: first + duration) - $0.served) }.reduce(0, +))
    readings[.cpu] = Double(ended.cpu - began.cpu) / Double(served)
    readings[.switches] = Double(ended.switches - began.switches) / Double(served)
    return readings
  }
}

/// A timer and the expected times of its ticks.
private final class GridTimer: Sendable {
  let first: Int64
  private let interval: Int64
  private let log: TickLog
  /// The number of expected ticks that were delivered, or reported as missed.
  private let count = Atomic(0)

  init(first: Int64, interval: Int64, log: TickLog) {
    self.first = first
    self.interval = interval
    self.log = log
  }

  var served: Int { count.load(ordering: .relaxed) }

  func tick(missed: Int) {
    let now = Clocks.uptime
    // A merged tick is counted as the earliest of the ticks it stands for.
    let elapsed = Int64(count.add(1 + missed, ordering: .relaxed).oldValue) * interval
    log.record(lateness: now - first - elapsed, elapsed: elapsed, missed: missed)
  }

  /// Returns the number of ticks that were due by an instant.
  func due(by instant: Int64) -> Int { Int((instant - first) / interval) }
}

/// The lateness of the ticks of all timers.
private final class TickLog: Sendable {
  private struct State {
    var all = TickLog.histogram
    /// The lateness in the first and the last tenth of the time.
    var early = TickLog.histogram
    var late = TickLog.histogram
    var reported = 0
  }

  private let duration: Int64
  private let state = Mutex(State())

  init(duration: Int64) { self.duration = duration }

  func record(lateness: Int64, elapsed: Int64, missed: Int) {
    state.withLock { state in
      let value = UInt64(min(max(0, lateness), Self.latest))
      state.all.record(value)
      if elapsed < duration / 10 { state.early.record(value) }
      if elapsed >= duration / 10 * 9 { state.late.record(value) }
      state.reported += missed
    }
  }

  var readings: Readings {
    state.withLock { state in
      func microseconds(_ nanoseconds: UInt64) -> Double { Double(nanoseconds) / 1000 }
      return [
        .median: microseconds(state.all.valueAtPercentile(50)),
        .p99: microseconds(state.all.valueAtPercentile(99)),
        .max: microseconds(state.all.max),
        .drift: microseconds(state.late.valueAtPercentile(50))
          - microseconds(state.early.valueAtPercentile(50)),
        .reported: Double(state.reported),
      ]
    }
  }

  private static let latest: Int64 = 100_000_000_000
  private static var histogram: Histogram<UInt64> {
    Histogram(highestTrackableValue: UInt64(latest), numberOfSignificantValueDigits: .three)
  }
}
