import Dashboard
import Dispatch
import TimerKit

/// Saves a session soon after it has changed, at most once a second, and off the main queue.
@MainActor
final class SessionSaver {
  private static let shortestGap = Duration.seconds(1)
  /// A fire alone is no haste: what it changes follows from the time.
  private static let tickGap = Duration.seconds(10)

  private let store: SessionStore
  private let current: @MainActor () -> (Dashboard, Moment)
  private let onTrouble: @MainActor (String) -> Void
  private let queue = DispatchQueue(label: "carillon.session", qos: .utility)
  private var alarm: DeadlineTimer?
  private var dueAt: TimerClock.Instant?
  private var savedAt: TimerClock.Instant?
  private var isTroubled = false

  /// - Parameters:
  ///   - current: what is to be saved, on the main queue.
  ///   - onTrouble: told once when saving begins to fail, on the main queue.
  init(
    _ store: SessionStore, current: @escaping @MainActor () -> (Dashboard, Moment),
    onTrouble: @escaping @MainActor (String) -> Void
  ) {
    self.store = store
    self.current = current
    self.onTrouble = onTrouble
    alarm = DeadlineTimer(isolation: MainActor.shared) { [weak self] _, _ in self?.save() }
  }

  /// Notes a change: it is saved within a second, or within ten if it was but a fire.
  func noteChange(isTick: Bool) {
    let now = TimerClock.suspending.now
    let gap = isTick ? Self.tickGap : Self.shortestGap
    let due = max(now, savedAt?.advanced(by: gap) ?? (isTick ? now.advanced(by: gap) : now))
    if let dueAt, dueAt <= due { return }
    dueAt = due
    alarm?.schedule(at: due)
  }

  private func save() {
    dueAt = nil
    savedAt = TimerClock.suspending.now
    let (dashboard, now) = current()
    queue.async { [store] in
      let fault = Self.save(dashboard, now, in: store)
      DispatchQueue.main.async { [weak self] in
        MainActor.assumeIsolated { self?.heard(of: fault) }
      }
    }
  }

  /// Saves once more, for the last time, and waits for it. Answers what went wrong.
  func finish() -> String? {
    alarm?.unschedule()
    let (dashboard, now) = current()
    return queue.sync { [store] in Self.save(dashboard, now, in: store) }
  }

  private nonisolated static func save(
    _ dashboard: Dashboard, _ now: Moment, in store: SessionStore
  ) -> String? {
    do {
      try store.save(try SessionFile(dashboard.savedTimers(at: now), at: now.wall).bytes)
      return nil
    } catch {
      return "\(error)"
    }
  }

  private func heard(of fault: String?) {
    if let fault, !isTroubled { onTrouble("the session cannot be saved: \(fault)") }
    isTroubled = fault != nil
    // What could not be saved has still to be.
    if isTroubled { noteChange(isTick: true) }
  }
}
