/// The lock of a session, which its owner has. It is released at the latest when the process ends.
struct SessionLock: Sendable {
  let release: @Sendable () -> Void
}

/// The outcome of an attempt to lock a session.
enum LockOutcome: Sendable {
  case acquired(SessionOwnership)
  /// Another process has the lock: `process 4711`.
  case held(by: String)
}
