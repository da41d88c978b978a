import Platform
import TimerKit

extension ProgramFailure {
  /// Returns the failure for a session that no process owns, or whose owner does not listen.
  static func noOwner(of store: SessionStore) -> ProgramFailure {
    ProgramFailure(
      store.holder.map { "session '\(store.name)' is open in \($0.unreachableText)" }
        ?? "session '\(store.name)' has no owner; start one with 'carillon', 'carillon serve' or 'carillon ctl add'",
      exitStatus: ExitStatus.noOwner)
  }
}

/// The opening of a session, which may have another owner, by a board or by `carillon serve`.
struct SessionOpening {
  let owner: SessionOwner
  /// A Boolean value that indicates whether the session is taken over without asking.
  var takesOver: Bool
  /// Throws an error if this process could not run the timers. It is called before a session is taken over.
  var check: () throws -> Void = {}

  /// Opens a session, or takes it over.
  func open(_ store: SessionStore) throws -> LaunchOptions {
    var opening = self
    while true {
      if let launch = try opening.attempt(store) { return launch }
      // The session has another owner now, or none. The user has answered already.
      opening.takesOver = true
    }
  }

  /// - Returns: `nil` if the owner has ended, or has passed the session on, before it responded.
  private func attempt(_ store: SessionStore) throws -> LaunchOptions? {
    let outcome: LockOutcome
    do throws(FileError) {
      outcome = try store.acquireLock()
    } catch {
      guard owner.kind == .board else { throw error }
      var launch = LaunchOptions(error: "changes here are not saved: \(error)")
      // The lock file cannot be written on a read-only disk, for example. The timers are read nevertheless, unless
      // another process runs them: they must not fire twice.
      if !store.isLocked { launch.load(from: store) }
      return launch
    }
    switch outcome {
    case .acquired(let ownership): return LaunchOptions(of: ownership)
    case .held(let holder):
      guard let client = try ControlClient.connected(to: store) else {
        guard store.isLocked else { return try attempt(store) }
        guard owner.kind == .board else { throw isOpen(store, in: holder.unreachableText) }
        return LaunchOptions(
          error: "session is open in \(holder.unreachableText); changes here are not saved")
      }
      let response = try client.response(to: ControlRequest(.owner))
      guard let other = response?.owner else { return try attempt(store) }
      return try open(store, of: other, client)
    }
  }

  private func isOpen(_ store: SessionStore, in owner: String) -> ProgramFailure {
    ProgramFailure("serve: session '\(store.name)' is open in \(owner)")
  }

  private func open(
    _ store: SessionStore, of other: SessionOwner, _ client: ControlClient
  ) throws -> LaunchOptions? {
    try check()
    if owner.kind == .board, other.kind != .background, !takesOver {
      switch try answer(about: other, of: store.name) {
      case .takeOver: break
      case .newSession: return try openNew(beside: store)
      case .quit: Platform.exit(ExitStatus.success)
      }
    } else if owner.kind != .board, !takesOver {
      throw isOpen(store, in: "\(other.text) (expected --take-over)")
    }
    var launch = try takeOver(store, from: client)
    launch?.wasInBackground = other.kind == .background
    return launch
  }

  private enum Answer {
    case takeOver, newSession, quit
  }

  /// Asks on the terminal.
  private func answer(about other: SessionOwner, of name: SessionName) throws -> Answer {
    let terminal = openControllingTerminal()
    guard terminal >= 0 else {
      throw UsageError(
        "session '\(name)' is open in \(other.text) (expected --take-over or --session)")
    }
    defer { Platform.close(terminal) }
    let since = other.sinceText(at: .now(), uses24Hours: Program.uses24Hours)
    let question = """
      Session '\(name)' is open in \(other.text.printable()), since \(since.printable()).
      [t] take over   [n] new session   [q] quit\u{20}
      """
    try StandardStreams.write(Array(question.utf8), to: terminal)
    while true {
      let (answer, text): (Answer?, String) =
        switch readKey(from: terminal) {
        case UInt8(ascii: "t"): (.takeOver, "take over\n")
        case UInt8(ascii: "n"): (.newSession, "new session\n")
        // The end of the input, Ctrl-C and Ctrl-D quit too.
        case UInt8(ascii: "q"), nil, 3, 4: (.quit, "quit\n")
        default: (nil, "\nexpected t, n or q: ")
        }
      try StandardStreams.write(Array(text.utf8), to: terminal)
      if let answer { return answer }
    }
  }

  /// Reads one key without waiting for Enter; `nil` at the end of the input.
  private func readKey(from terminal: Int32) -> UInt8? {
    var before = termios()
    tcgetattr(terminal, &before)
    var settings = before
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
    tcsetattr(terminal, TCSANOW, &settings)
    defer { tcsetattr(terminal, TCSANOW, &before) }
    var key: UInt8 = 0
    while true {
      let count = Platform.read(terminal, &key, 1)
      if count < 0, errno == EINTR { continue }
      return count == 1 ? key : nil
    }
  }

  /// Opens the first session of `NAME-2`, `NAME-3` and so on that no process owns.
  private func openNew(beside store: SessionStore) throws -> LaunchOptions {
    for number in 2... {
      let name = store.name.numbered(number)
      guard let store = SessionStore(environment: store.environment, name: name) else { break }
      if case .acquired(let ownership) = try store.acquireLock() {
        var launch = LaunchOptions(of: ownership)
        launch.notice = "session '\(store.name)'; --session \(store.name) opens it again"
        return launch
      }
    }
    return LaunchOptions()
  }
}

/// The take-over of a session from its owner, which does not end before this process confirms.
///
/// If one of the two processes ends in between, the other one has the session: the file is complete before the
/// confirmation, and the lock is free as soon as its owner has ended.
extension SessionOpening {
  /// Takes over a session.
  /// - Returns: The launch options, with the ownership; `nil` if the owner has ended, or has passed the session on,
  ///   before it responded.
  private func takeOver(
    _ store: SessionStore, from client: ControlClient
  ) throws -> LaunchOptions? {
    guard let response = try client.response(to: ControlRequest(.handOver)) else { return nil }
    guard response.isOK else { throw ProgramFailure(response.error ?? "the owner refused") }
    // Without them, the owner has ended without a hand-over.
    guard let bytes = try store.load() else { return LaunchOptions(of: try lock(store)) }
    let file = try SessionFile(bytes)
    let restored = try file.restored(at: .now())
    var confirmation = ControlRequest(.confirm)
    confirmation.value = owner.text
    // If the owner ended before its response, its lock is free.
    let confirmed = try? client.response(to: confirmation)
    let ownership = try lock(store)
    // Another process can have had the lock, and changed the session, before this one.
    var launch = LaunchOptions()
    if try store.load() == bytes {
      launch.ownership = ownership
      launch.view = file.view
      launch.source = .handOver(restored)
      launch.events = confirmed?.lastEvent.flatMap { last in
        RecentEvents(feed: confirmed?.feed, last: last, text: confirmed?.events ?? "")
      }
    } else {
      launch = LaunchOptions(of: ownership)
    }
    return launch
  }

  /// Locks a session, which the owner is releasing.
  private func lock(_ store: SessionStore) throws -> SessionOwnership {
    let end = TimerClock.suspending.now.advanced(by: .seconds(5))
    while true {
      switch try store.acquireLock(asSuccessor: true) {
      case .acquired(let ownership): return ownership
      case .held(let holder):
        guard TimerClock.suspending.now < end else {
          throw ProgramFailure("session '\(store.name)' is still owned by \(holder)")
        }
        usleep(1000)
      }
    }
  }
}
