import Platform
import Synchronization
import TimerBoard
import TimerKit

/// The right to run and to save a session, which one process has at a time: the lock of the session.
final class SessionOwnership: Sendable {
  private struct State {
    /// The descriptor of the locked file; `nil` after the release.
    var lock: Int32?
    /// The path of the socket, which the lock names.
    var socket: String?
    /// The loss of the session to another process.
    var loss: SessionLoss?
  }

  let store: SessionStore
  private let state: Mutex<State>

  /// - Parameter lock: The descriptor of the locked file.
  fileprivate init(of store: SessionStore, lock: Int32) {
    self.store = store
    state = Mutex(State(lock: lock))
    record(socket: nil)
  }

  /// Writes the name of this process and the path of its socket into the lock, where clients find them whose environment
  /// names another folder.
  func record(socket: String?) {
    state.withLock { state in
      state.socket = socket
      write(state)
    }
  }

  /// Makes the lock again if others have removed it or its folder.
  /// - Returns: True if it was made again.
  /// - Throws: ``SessionLoss`` if another process owns the session now, also by later calls, or the error of the file.
  func check() throws -> Bool {
    try state.withLock { state in
      if let loss = state.loss { throw loss }
      guard let lock = state.lock, FileIdentity(lock) != FileIdentity(ofEntry: store.lockPath)
      else { return false }
      switch try store.lock() {
      case .locked(let descriptor):
        Platform.close(lock)
        state.lock = descriptor
        write(state)
        return true
      case .held(let holder):
        // A process that has not named itself yet is about to ask this one, by its socket.
        guard holder.process != nil else { return false }
        let loss = SessionLoss(newOwner: holder)
        state.loss = loss
        throw loss
      }
    }
  }

  /// Releases the lock, which is released at the latest when the process ends.
  /// - Parameter successor: The process that takes the lock now. While it is about to, no other process can.
  func release(to successor: pid_t? = nil) {
    state.withLock { state in
      if let successor { write(SessionHolder(successor: successor), state) }
      if let lock = state.lock.take() { Platform.close(lock) }
    }
  }

  private func write(_ state: State) {
    write(SessionHolder(process: getpid(), socket: state.socket), state)
  }

  /// Without the text, the lock still is one, so a failure is ignored.
  private func write(_ holder: SessionHolder, _ state: State) {
    guard let lock = state.lock else { return }
    _ = store.files.call("ftruncate", store.lockPath) { ftruncate(lock, 0) }
    _ = lseek(lock, 0, SEEK_SET)
    try? store.files.write(Array(holder.text.utf8), to: lock, of: store.lockPath)
  }
}

/// The process that has the lock of a session, as far as the lock names it.
struct SessionHolder: Hashable, Sendable, CustomStringConvertible {
  var process: pid_t?
  var socket: String?
  /// The process that is about to take the lock, in a hand-over.
  var successor: pid_t?

  init(process: pid_t? = nil, socket: String? = nil, successor: pid_t? = nil) {
    self.process = process
    self.socket = socket
    self.successor = successor
  }

  /// Reads the text of a lock.
  fileprivate init(_ bytes: [UInt8]) {
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let words = String(decoding: line, as: UTF8.self).split(separator: " ", maxSplits: 1)
      guard let value = words.last, words.count == 2 else { continue }
      switch words[0] {
      case "process": process = Self.identifier(value)
      case "successor": successor = Self.identifier(value)
      case "socket": socket = value.hasPrefix("/") ? String(value) : nil
      default: break
      }
    }
  }

  private static func identifier(_ text: Substring) -> pid_t? {
    pid_t(text).flatMap { $0 > 0 ? $0 : nil }
  }

  /// The text in the lock.
  fileprivate var text: String {
    let lines = [
      process.map { "process \($0)" }, successor.map { "successor \($0)" },
      socket.map { "socket \($0)" },
    ]
    return lines.compactMap { $0.map { $0 + "\n" } }.joined()
  }

  var description: String { process.map { "process \($0)" } ?? "another process" }

  /// The process, and what ends it, because it accepts no connections.
  var unreachableText: String {
    "\(self), which accepts no connections" + (process.map { " (kill \($0) ends it)" } ?? "")
  }
}

/// The loss of a session to another process: others have removed the lock and the socket, and it has opened the session.
struct SessionLoss: Error, Hashable, Sendable {
  var newOwner: SessionHolder
}

/// The outcome of an attempt to own a session.
enum LockOutcome: Sendable {
  case acquired(SessionOwnership)
  /// Another process has the lock.
  case held(by: SessionHolder)
}

/// The lock.
extension SessionStore {
  /// The maximum number of attempts, one in each millisecond, while ``holder`` of others takes the lock for a moment.
  private static let lockAttemptLimit = 1000

  /// Creates the folder and locks the session, until the lock is released or the process ends.
  ///
  /// A process that answers at the session's socket owns it, also if its lock has been removed.
  /// - Parameter isSuccessor: True for the process to which the owner has handed the session over.
  /// - Returns: The ownership, or the process that has it.
  func acquireLock(asSuccessor isSuccessor: Bool = false) throws(FileError) -> LockOutcome {
    switch try lock(asSuccessor: isSuccessor) {
    case .held(let holder): return .held(by: holder)
    case .locked(let descriptor):
      if let holder = ControlClient.ownerWithoutLock(of: self) {
        Platform.close(descriptor)
        return .held(by: holder)
      }
      return .acquired(SessionOwnership(of: self, lock: descriptor))
    }
  }

  fileprivate enum Attempt {
    case locked(Int32)
    case held(by: SessionHolder)
  }

  /// Creates the folder and the file of the lock, and locks it. Its text is then empty.
  fileprivate func lock(asSuccessor isSuccessor: Bool = false) throws(FileError) -> Attempt {
    try files.makeFolder(folder)
    let descriptor = try files.openRegular(lockPath, 0, allowsLinks: false)
    let number = takeLock(descriptor)
    guard number == 0 else {
      defer { Platform.close(descriptor) }
      guard number == EWOULDBLOCK else { throw FileError(lockPath, number) }
      return .held(by: text(of: descriptor))
    }
    if !isSuccessor, let successor = successor(in: descriptor) {
      Platform.close(descriptor)
      return .held(by: successor)
    }
    _ = files.call("ftruncate", lockPath) { ftruncate(descriptor, 0) }
    return .locked(descriptor)
  }

  /// Takes the lock of an owner. Fails at once if there is one; an attempt that fails only because ``holder`` of
  /// another process has the lock for a moment is repeated.
  /// - Returns: 0, or the error number: `EWOULDBLOCK` if another process owns the session.
  private func takeLock(_ descriptor: Int32) -> Int32 {
    for _ in 0..<Self.lockAttemptLimit {
      if lock(descriptor, LOCK_EX) { return 0 }
      let number = errno
      // Beside the lock of an owner there is no shared one.
      guard number == EWOULDBLOCK, lock(descriptor, LOCK_SH) else { return number }
      flock(descriptor, LOCK_UN)
      usleep(1000)
    }
    return EWOULDBLOCK
  }

  private func lock(_ descriptor: Int32, _ operation: Int32) -> Bool {
    files.call("flock", lockPath) { flock(descriptor, operation | LOCK_NB) } == 0
  }

  private func text(of descriptor: Int32) -> SessionHolder {
    SessionHolder((try? files.read(descriptor, of: lockPath)) ?? [])
  }

  /// The time for which a lock that is free belongs to the successor that it names.
  private static let successionLimit = Duration.seconds(10)

  /// Returns the process that is about to take a lock that is free; `nil` if there is none, or if it has ended.
  private func successor(in descriptor: Int32) -> SessionHolder? {
    guard let successor = text(of: descriptor).successor, successor != getpid(),
      kill(successor, 0) == 0 || errno == EPERM
    else { return nil }
    // Later, the number can be one of another process.
    var found = stat()
    guard fstat(descriptor, &found) == 0 else { return nil }
    let age = WallInstant(nanosecondsSince1970: found.modificationSeconds * 1_000_000_000)
      .duration(to: ClockReading.now().wall)
    return (.seconds(-1)...Self.successionLimit).contains(age)
      ? SessionHolder(process: successor) : nil
  }

  /// The process that has the lock; `nil` if none has. The check takes a shared lock for a moment.
  var holder: SessionHolder? {
    let descriptor = files.open(lockPath, O_RDONLY | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { Platform.close(descriptor) }
    return lock(descriptor, LOCK_SH) ? successor(in: descriptor) : text(of: descriptor)
  }

  /// A Boolean value that indicates whether a process has the lock.
  var isLocked: Bool { holder != nil }
}
