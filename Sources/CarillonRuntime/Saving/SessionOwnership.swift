/// The right to run and to save a session, which one process has at a time: the lock of the session.
struct SessionOwnership: Sendable {
  let store: SessionStore
  /// Releases the lock, which is released at the latest when the process ends.
  let release: @Sendable () -> Void
}

/// The outcome of an attempt to lock a session.
enum LockOutcome: Sendable {
  case acquired(SessionOwnership)
  /// Another process has the lock: `process 4711`.
  case held(by: String)
}
