import TimerBoard

/// The timers and settings that a dashboard starts with.
struct LaunchOptions: Sendable {
  /// The timers of the session.
  var saved: [SavedTimer] = []
  /// The requested timers.
  var specs: [TimerSpec] = []
  var configuration = Configuration()
  /// The store of the session; `nil` if it is not saved.
  var store: SessionStore?
  /// A Boolean value that indicates whether the timers are those of the tour, which are saved only after a change.
  var isTour = false
  /// An error to report after the launch.
  var error: String?

  /// Creates options without a session.
  init() {}

  /// Locks the session and reads it.
  init(sessionIn store: SessionStore) {
    do throws(SessionStore.Fault) {
      if let holder = try store.acquireLock() {
        error = "session is open in \(holder); changes here are not saved"
        return
      }
      self.store = store
    } catch {
      self.error = "changes here are not saved: \(error)"
      guard !store.isLocked else { return }
    }
    do throws(SessionStore.Fault) {
      try load(from: store)
    } catch {
      // A file that can be neither read nor moved is not overwritten.
      self.store = nil
      self.error = "changes here are not saved: \(error)"
    }
  }

  private mutating func load(from store: SessionStore) throws(SessionStore.Fault) {
    guard let bytes = try store.load() else {
      isTour = true
      return
    }
    do {
      saved = try SessionFile(bytes).savedTimers()
    } catch {
      let problem = "the session could not be read: \(error)"
      // The file is moved only if this process can save the session.
      self.error =
        self.store == nil
        ? "\(problem); changes here are not saved"
        : "\(problem); moved to \(try store.quarantine())"
    }
  }

  /// The names that new timers can refer to.
  var names: [String] { saved.compactMap(\.spec.name) }
}
