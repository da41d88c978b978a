import TimerBoard
import TimerKit

/// The instants at which digits and bars move: every second, or every tenth of one.
///
/// All rows share one grid, so that fifty timers cost one frame a second and not fifty. What is
/// shown depends on the start of the grid's cell, never on the instant within it: the picture stands
/// still until the next cell.
struct DisplayGrid: Hashable, Sendable {
  /// Timers started together differ by microseconds; they share a digit all the same.
  private static let slack = Duration.milliseconds(10)

  let showsTenths: Bool
  /// The length of a cell, in nanoseconds.
  private let unit: Int64
  /// Nanoseconds by which the cells are shifted, so that a timer which runs alone is on the grid:
  /// its digits then change exactly at its whole seconds.
  private var phase: Int64 = 0

  init(showsTenths: Bool) {
    self.showsTenths = showsTenths
    unit = showsTenths ? 100_000_000 : 1_000_000_000
  }

  mutating func align(to due: TimerClock.Instant) {
    phase = due.nanoseconds % unit
  }

  /// The start of the cell that holds an instant.
  func start(of now: TimerClock.Instant) -> TimerClock.Instant {
    let into = (now.nanoseconds % unit - phase) % unit
    return now.advanced(by: .nanoseconds(-(into < 0 ? into + unit : into)))
  }

  func next(after start: TimerClock.Instant) -> TimerClock.Instant {
    start.advanced(by: .nanoseconds(unit))
  }

  /// Whole units until a deadline, as shown within a cell: 0 only when it is overdue, and never a
  /// unit or more off the truth.
  func units(until due: TimerClock.Instant, from start: TimerClock.Instant) -> Int64 {
    guard due >= start else { return 0 }
    return max(1, start.duration(to: due.advanced(by: Self.slack)).clampedNanoseconds / unit)
  }

  /// Whole units of a time that stands still, rounded up.
  func units(in duration: Duration) -> Int64 {
    let nanoseconds = max(0, duration.clampedNanoseconds)
    return nanoseconds / unit + (nanoseconds % unit > 0 ? 1 : 0)
  }

  /// The time left that a row shows within a cell, or of a stopwatch the time gone by; `nil` where
  /// none is to come.
  func units(of row: BoardTimer, from start: TimerClock.Instant) -> Int64? {
    if case .stopwatch(let stopwatch) = row.status {
      return units(elapsedOn: stopwatch, since: row.origin, at: start)
    }
    return switch row.status.state {
    case .running, .executing: row.due.map { units(until: $0, from: start) } ?? 0
    case .paused: row.status.frozenTimeLeft.map { units(in: $0) }
    case .idle: row.status.period.map { units(in: $0) }
    case .finished, .cancelled: nil
    }
  }

  /// Whole units that went by: of a stopwatch that runs as at the start of a cell, to the nearest
  /// one, since in company its own units begin anywhere within the cell.
  private func units(
    elapsedOn stopwatch: Stopwatch.Snapshot, since origin: TimerClock.Instant?,
    at start: TimerClock.Instant
  ) -> Int64 {
    guard let origin else { return (stopwatch.frozenElapsed ?? .zero).clampedNanoseconds / unit }
    return max(0, origin.duration(to: start).clampedNanoseconds + unit / 2) / unit
  }
}
