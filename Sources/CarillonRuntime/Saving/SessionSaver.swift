import Dispatch
import TimerBoard
import TimerKit

/// A saver that writes the session after changes, at most once per second, on its own queue.
@MainActor
final class SessionSaver {
  private static let minimumGap = Duration.seconds(1)
  /// The minimum time between two saves if only fires have changed the session. It is longer, because a restored
  /// session catches up on fires.
  private static let fireGap = Duration.seconds(10)

  /// The board and the settings that are saved.
  struct Contents: Sendable {
    var board: Board
    var view: SavedView?
    var now: ClockReading
  }

  private let store: SessionStore
  private let current: @MainActor () -> Contents?
  private let onError: @MainActor (String) -> Void
  private let beforeSave: (@Sendable () -> Void)?
  private let queue = DispatchQueue(label: "carillon.session", qos: .utility)
  private var timer: DeadlineTimer?
  private var dueAt: TimerClock.Instant?
  private var savedAt: TimerClock.Instant?
  private var hasFailed = false

  /// - Parameters:
  ///   - current: Returns the board to save, on the main queue; `nil` if there is none any more.
  ///   - beforeSave: Called before each save, on the saver's queue. It writes the history, because a saved session no
  ///     longer contains the stretches that have ended.
  ///   - onError: Called once when saving begins to fail, on the main queue.
  init(
    _ store: SessionStore, current: @escaping @MainActor () -> Contents?,
    beforeSave: (@Sendable () -> Void)? = nil,
    onError: @escaping @MainActor (String) -> Void
  ) {
    self.store = store
    self.beforeSave = beforeSave
    self.current = current
    self.onError = onError
    timer = DeadlineTimer(isolation: MainActor.shared) { [weak self] _, _ in self?.save() }
  }

  /// Schedules a save: within a second, or within ten seconds after a fire.
  func scheduleSave(afterFire isFire: Bool) {
    let now = TimerClock.suspending.now
    let gap = isFire ? Self.fireGap : Self.minimumGap
    let due = max(now, savedAt?.advanced(by: gap) ?? (isFire ? now.advanced(by: gap) : now))
    if let dueAt, dueAt <= due { return }
    dueAt = due
    timer?.schedule(at: due)
  }

  private func save() {
    dueAt = nil
    savedAt = TimerClock.suspending.now
    guard let contents = current() else { return }
    queue.async { [store, beforeSave] in
      beforeSave?()
      let error = Self.save(contents, for: .session, in: store)
      DispatchQueue.main.async { [weak self] in
        MainActor.assumeIsolated { self?.saveEnded(with: error) }
      }
    }
  }

  /// Saves the session for the last time and waits until it is saved.
  /// - Returns: The error; `nil` on success.
  func finish(for purpose: SavedBoard.Purpose = .session) -> String? {
    timer?.unschedule()
    dueAt = nil
    guard let contents = current() else { return nil }
    return queue.sync { [store, beforeSave] in
      beforeSave?()
      return Self.save(contents, for: purpose, in: store)
    }
  }

  private nonisolated static func save(
    _ contents: Contents, for purpose: SavedBoard.Purpose, in store: SessionStore
  ) -> String? {
    do {
      var file = SessionFile(contents.board, for: purpose, at: contents.now)
      file.view = contents.view
      try store.save(try file.bytes)
      return nil
    } catch {
      return "\(error)"
    }
  }

  private func saveEnded(with error: String?) {
    if let error, !hasFailed { onError("the session cannot be saved: \(error)") }
    hasFailed = error != nil
    // Retries after the longer gap, although no fire has changed the session.
    if hasFailed { scheduleSave(afterFire: true) }
  }
}
