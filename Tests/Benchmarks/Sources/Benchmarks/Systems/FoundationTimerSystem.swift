import Foundation
import Synchronization

/// Foundation's `Timer` on the run loop of the main thread.
struct FoundationTimerSystem: TimerSystem {
  static let creationCost: Int64 = 20_000

  func once(after delay: Int64, _ number: Int, _ tally: Tally) -> Foundation.Timer {
    add(
      Foundation.Timer(fire: Self.date(in: delay), interval: 0, repeats: false) { _ in
        tally.add(number)
      })
  }

  func once(at instant: Int64, _ number: Int, _ tally: Tally) -> Foundation.Timer {
    once(after: instant - Clocks.uptime, number, tally)
  }

  func move(_ timer: inout Foundation.Timer, after delay: Int64, _ number: Int, _ tally: Tally) {
    timer.fireDate = Self.date(in: delay)
  }

  func cancel(_ timer: Foundation.Timer) { timer.invalidate() }

  func every(
    _ interval: Int64, from first: Int64, tolerance: Int64,
    _ body: @escaping @Sendable (_ missed: Int) -> Void
  ) -> Foundation.Timer {
    let timer = Foundation.Timer(
      fire: Self.date(in: first - Clocks.uptime), interval: Self.seconds(interval), repeats: true
    ) { _ in body(0) }
    timer.tolerance = Self.seconds(tolerance)
    return add(timer)
  }

  func debouncer(quiet: Int64, _ inbox: Inbox) -> RunLoopDebouncer {
    RunLoopDebouncer(quiet: Self.seconds(quiet), inbox)
  }

  func wait(for tally: Tally, until instant: Int64) {
    while !tally.isComplete, Clocks.uptime < instant {
      _ = RunLoop.main.run(mode: .default, before: Self.date(in: instant - Clocks.uptime))
    }
  }

  private func add(_ timer: Foundation.Timer) -> Foundation.Timer {
    RunLoop.main.add(timer, forMode: .default)
    return timer
  }

  private static func date(in delay: Int64) -> Date { Date(timeIntervalSinceNow: seconds(delay)) }

  private static func seconds(_ nanoseconds: Int64) -> TimeInterval { Double(nanoseconds) / 1e9 }
}

/// Each call moves the timer's fire date, on the thread of its run loop.
final class RunLoopDebouncer: Debouncing {
  private struct State {
    var timer: Foundation.Timer?
    var value: Int?
  }

  private let state = Mutex(State())
  private let quiet: TimeInterval

  init(quiet: TimeInterval, _ inbox: Inbox) {
    self.quiet = quiet
    state.withLock { state in
      let timer = Foundation.Timer(fire: .distantFuture, interval: 1e9, repeats: true) {
        [weak self] _ in
        if let value = self?.take() { inbox.deliver(value) }
      }
      RunLoop.main.add(timer, forMode: .default)
      state.timer = timer
    }
  }

  func submit(_ value: Int) {
    state.withLock { state in
      state.value = value
      state.timer?.fireDate = Date(timeIntervalSinceNow: quiet)
    }
  }

  private func take() -> Int? {
    state.withLock { state in
      state.timer?.fireDate = .distantFuture
      return state.value.take()
    }
  }
}
