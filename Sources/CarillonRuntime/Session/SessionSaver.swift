import Dispatch
import TimerBoard
import TimerKit

/// A saver that writes the session after changes, at most once per second, or sooner if a client waits for it, on its
/// own queue.
@MainActor
final class SessionSaver {
  private static let minimumGap = Duration.seconds(1)
  /// The minimum time between two saves if only fires have changed the session. It is longer, because a restored
  /// session catches up on fires.
  private static let fireGap = Duration.seconds(10)
  /// The minimum time between the beginnings of two saves while clients wait for them.
  private static let awaitedGap = Duration.milliseconds(50)

  /// Called on the main queue when a state is saved, with the error if it could not be saved.
  typealias Completion = @MainActor (_ error: String?) -> Void

  /// The board and the settings that are saved.
  typealias Contents = (board: Board, view: SavedView?, now: ClockReading)

  private let store: SessionStore
  private let current: @MainActor () -> Contents?
  private let onError: @MainActor (String) -> Void
  private let beforeSave: (@Sendable () -> Void)?
  private let queue = DispatchQueue(label: "carillon.session", qos: .utility)
  private lazy var timer = DeadlineTimer(isolation: MainActor.shared) { [weak self] _, _ in
    self?.save()
  }
  private var dueAt: TimerClock.Instant?
  private var savedAt: TimerClock.Instant?
  /// A Boolean value that indicates whether the next error is reported: until one is, and again after each change, since
  /// whoever made it would take it for saved. Retries and fires repeat no error.
  private var reportsError = true
  private var isSaving = false
  /// The reason for which nothing is saved any more.
  private var endReason: String?
  /// The completions of the running save, and those of the next one.
  private var completions: (running: [Completion], next: [Completion]) = ([], [])

  /// - Parameters:
  ///   - current: Returns the board to save, on the main queue; `nil` if there is none any more.
  ///   - beforeSave: Called before each save, on the saver's queue. It writes the history, because a saved session no
  ///     longer contains the stretches that have ended.
  ///   - onError: Called when saving begins to fail, and for each later change that cannot be saved, on the main queue.
  init(
    _ store: SessionStore, current: @escaping @MainActor () -> Contents?,
    beforeSave: (@Sendable () -> Void)? = nil,
    onError: @escaping @MainActor (String) -> Void
  ) {
    self.store = store
    self.beforeSave = beforeSave
    self.current = current
    self.onError = onError
  }

  /// Schedules a save: within a second, or within ten seconds after a fire.
  func scheduleSave(afterFire isFire: Bool) {
    if !isFire { reportsError = true }
    let now = TimerClock.suspending.now
    let gap = isFire ? Self.fireGap : Self.minimumGap
    let due = max(now, savedAt?.advanced(by: gap) ?? (isFire ? now.advanced(by: gap) : now))
    schedule(at: due)
  }

  /// Calls a closure when the present state is saved: at once if it is, or else after the running or the next save,
  /// which then begins within 50 ms or at the end of a running one.
  func whenSaved(_ completion: @escaping Completion) {
    if let endReason { return completion(endReason) }
    guard dueAt != nil else {
      if isSaving { completions.running.append(completion) } else { completion(nil) }
      return
    }
    completions.next.append(completion)
    let now = TimerClock.suspending.now
    schedule(at: max(now, savedAt?.advanced(by: Self.awaitedGap) ?? now))
  }

  /// Schedules a save, unless an earlier one is scheduled.
  private func schedule(at due: TimerClock.Instant) {
    if let dueAt, dueAt <= due { return }
    dueAt = due
    timer.schedule(at: due)
  }

  private func save() {
    // The end of a running save begins the next one.
    guard !isSaving else { return }
    dueAt = nil
    savedAt = TimerClock.suspending.now
    guard let contents = current() else { return }
    isSaving = true
    completions = (running: completions.next, next: [])
    queue.async { [store, beforeSave] in
      let error = Self.save(contents, in: store, after: beforeSave)
      DispatchQueue.main.async { [weak self] in self?.saveEnded(with: error) }
    }
  }

  /// Saves the session for the last time and waits until it is saved.
  /// - Returns: The error; `nil` on success.
  func finish() -> String? {
    timer.unschedule()
    dueAt = nil
    guard let contents = current() else { return endReason }
    let error = queue.sync { Self.save(contents, in: store, after: beforeSave) }
    completions = (running: completions.running + completions.next, next: [])
    completeRunning(with: error)
    return error
  }

  /// Saves nothing any more.
  func abandon(because reason: String) {
    endReason = reason
    timer.unschedule()
    dueAt = nil
    completions = (running: completions.running + completions.next, next: [])
    completeRunning(with: reason)
  }

  private func completeRunning(with error: String?) {
    let running = completions.running
    completions.running = []
    for complete in running { complete(error) }
  }

  private nonisolated static func save(
    _ contents: Contents, in store: SessionStore, after beforeSave: (@Sendable () -> Void)?
  ) -> String? {
    beforeSave?()
    do {
      var file = SessionFile(contents.board, at: contents.now)
      file.view = contents.view
      try store.save(file.jsonLine)
      return nil
    } catch {
      return "\(error)"
    }
  }

  private func saveEnded(with error: String?) {
    isSaving = false
    if let error {
      if reportsError { onError("the session cannot be saved: \(error)") }
      reportsError = false
      // Retries after the longer gap, although no fire has changed the session.
      scheduleSave(afterFire: true)
    } else {
      reportsError = true
    }
    completeRunning(with: error)
    // The timer may have fired during the save.
    if let dueAt { timer.schedule(at: dueAt) }
  }
}
