import Dispatch
import TimerBoard
import TimerKit

/// Saves a session soon after it has changed, at most once per second, on a queue of its own.
@MainActor
final class SessionSaver {
  private static let shortestGap = Duration.seconds(1)
  /// A fire alone can wait: its effect follows from the time.
  private static let tickGap = Duration.seconds(10)

  private let store: SessionStore
  private let current: @MainActor () -> (Board, ClockReading)
  private let onError: @MainActor (String) -> Void
  private let queue = DispatchQueue(label: "carillon.session", qos: .utility)
  private var timer: DeadlineTimer?
  private var dueAt: TimerClock.Instant?
  private var savedAt: TimerClock.Instant?
  private var hasFailed = false

  /// - Parameters:
  ///   - current: Returns the board to save, on the main queue.
  ///   - onError: Called once when saving begins to fail, on the main queue.
  init(
    _ store: SessionStore, current: @escaping @MainActor () -> (Board, ClockReading),
    onError: @escaping @MainActor (String) -> Void
  ) {
    self.store = store
    self.current = current
    self.onError = onError
    timer = DeadlineTimer(isolation: MainActor.shared) { [weak self] _, _ in self?.save() }
  }

  /// Schedules a save: within a second, or within ten after a fire.
  func noteChange(isTick: Bool) {
    let now = TimerClock.suspending.now
    let gap = isTick ? Self.tickGap : Self.shortestGap
    let due = max(now, savedAt?.advanced(by: gap) ?? (isTick ? now.advanced(by: gap) : now))
    if let dueAt, dueAt <= due { return }
    dueAt = due
    timer?.schedule(at: due)
  }

  private func save() {
    dueAt = nil
    savedAt = TimerClock.suspending.now
    let (board, now) = current()
    queue.async { [store] in
      let fault = Self.save(board, now, in: store)
      DispatchQueue.main.async { [weak self] in
        MainActor.assumeIsolated { self?.saved(with: fault) }
      }
    }
  }

  /// Saves for the last time and waits for the end of it.
  /// - Returns: the error.
  func finish() -> String? {
    timer?.unschedule()
    let (board, now) = current()
    return queue.sync { [store] in Self.save(board, now, in: store) }
  }

  private nonisolated static func save(
    _ board: Board, _ now: ClockReading, in store: SessionStore
  ) -> String? {
    do {
      try store.save(try SessionFile(board.savedTimers(at: now), at: now.wall).bytes)
      return nil
    } catch {
      return "\(error)"
    }
  }

  private func saved(with fault: String?) {
    if let fault, !hasFailed { onError("the session cannot be saved: \(fault)") }
    hasFailed = fault != nil
    // Another attempt follows.
    if hasFailed { noteChange(isTick: true) }
  }
}
