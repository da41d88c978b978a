import Platform

/// The store of a session: the file `NAME.json` in the folder of all sessions. One process at a time, the owner,
/// has the lock for writing.
struct SessionStore: Sendable {
  let name: SessionName
  let folder: String
  private let calls: FileCalls
  var path: String { "\(folder)/\(name).json" }
  private var lockPath: String { "\(folder)/\(name).lock" }
  /// The file in which version 1.0 stored its only session.
  private let oldPath: String

  /// The maximum size of a session file.
  private static let sizeLimit = 64 << 20
  /// The maximum number of attempts, one in each millisecond, while ``isLocked`` of others takes the lock for a moment.
  private static let lockAttemptLimit = 1000

  /// - Parameter environment: `XDG_STATE_HOME`, or else `HOME`, determines the folder.
  init?(
    environment: [String: String], name: SessionName = .main, calls: FileCalls = .system
  ) {
    guard let state = SessionName.stateFolder(environment: environment) else { return nil }
    self.name = name
    folder = "\(state)/sessions"
    oldPath = "\(state)/session.json"
    self.calls = calls
  }

  /// Creates the folder and locks the session, until the lock is released or the process ends.
  /// - Returns: The lock, or the process that has it.
  func acquireLock() throws(FileError) -> LockOutcome {
    try makeFolder()
    // Without O_NONBLOCK, opening a pipe of that name would wait for its other end.
    let descriptor = retrying {
      calls.open(lockPath, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK)
    }
    guard descriptor >= 0 else { throw FileError(lockPath) }
    do throws(FileError) {
      let attributes = try attributes(of: descriptor, of: lockPath)
      try checkRegular(attributes, lockPath)
      // The file is about to be truncated, so it must not have another name.
      guard attributes.linkCount == 1 else {
        throw FileError(lockPath, "file has another name (a hard link)")
      }
    } catch {
      _ = calls.close(descriptor)
      throw error
    }
    let number = takeLock(descriptor)
    guard number == 0 else {
      defer { _ = calls.close(descriptor) }
      guard number == EWOULDBLOCK else { throw FileError(lockPath, number) }
      let bytes = (try? Self.read(descriptor, of: lockPath, calls)) ?? []
      let holder = String(decoding: bytes, as: UTF8.self)
      return .held(by: holder.isEmpty ? "another process" : holder.printable())
    }
    _ = calls.truncate(descriptor)
    // The name of the process is only for the message, so a failure is ignored.
    try? write(Array("process \(getpid())".utf8), to: descriptor, of: lockPath)
    do throws(FileError) {
      try moveOldFile()
    } catch {
      _ = calls.close(descriptor)
      throw error
    }
    return .acquired(SessionOwnership(store: self) { [calls] in _ = calls.close(descriptor) })
  }

  /// Takes the lock of an owner. Fails at once if there is one; an attempt that fails only because
  /// ``isLocked`` of another process has the lock for a moment is repeated.
  /// - Returns: 0, or the error number: `EWOULDBLOCK` if another process owns the session.
  private func takeLock(_ descriptor: Int32) -> Int32 {
    for _ in 0..<Self.lockAttemptLimit {
      if retrying({ calls.lock(descriptor, LOCK_EX | LOCK_NB) }) == 0 { return 0 }
      let number = errno
      // Beside the lock of an owner there is no shared one.
      guard number == EWOULDBLOCK, retrying({ calls.lock(descriptor, LOCK_SH | LOCK_NB) }) == 0
      else { return number }
      _ = calls.lock(descriptor, LOCK_UN)
      usleep(1000)
    }
    return EWOULDBLOCK
  }

  /// Moves the file of an older version to the main session's path, unless that exists.
  private func moveOldFile() throws(FileError) {
    guard name == .main, retrying({ calls.status(path) }) != 0 else { return }
    var target = ""
    if retrying({ calls.readLink(oldPath, &target) }) == 0, !target.hasPrefix("/") {
      throw FileError(
        oldPath, "relative symbolic link (expected in '\(folder)', as '\(name).json')")
    }
    guard retrying({ calls.rename(oldPath, path) }) != 0, errno != ENOENT else { return }
    throw FileError(oldPath)
  }

  /// A Boolean value that indicates whether a process owns the session. The check takes a shared lock for a moment.
  var isLocked: Bool {
    let descriptor = calls.open(lockPath, O_RDONLY | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { _ = calls.close(descriptor) }
    return calls.lock(descriptor, LOCK_SH | LOCK_NB) != 0
  }

  /// Returns the bytes of the session; `nil` if there is none. Throws if another user owns or can write the file or its
  /// folders, because a session contains commands.
  func load() throws(FileError) -> [UInt8]? {
    let target = try target
    var found = try Self.contents(of: target, forbiddenMode: 0o022, calls)
    if found == nil, name == .main {
      found = try Self.contents(of: oldPath, forbiddenMode: 0o022, calls)
    }
    guard let bytes = found else { return nil }
    for folder in Set([Self.folder(of: folder), folder, Self.folder(of: target)]).sorted() {
      let descriptor = retrying { calls.open(folder, O_RDONLY | O_DIRECTORY) }
      guard descriptor >= 0 else { throw FileError(folder) }
      defer { _ = calls.close(descriptor) }
      try Self.checkTrust(try attributes(of: descriptor, of: folder), folder, forbiddenMode: 0o022)
    }
    return bytes
  }

  /// Returns the bytes of a file; `nil` if there is none.
  /// - Parameter forbiddenMode: The permission bits that make the file untrustworthy. If not 0, the file must also be a
  ///   regular one that the user or root owns; otherwise any readable file is accepted.
  static func contents(
    of path: String, forbiddenMode: mode_t = 0, _ calls: FileCalls = .system
  ) throws(FileError) -> [UInt8]? {
    let descriptor = retrying {
      calls.open(path, forbiddenMode == 0 ? O_RDONLY : O_RDONLY | O_NONBLOCK)
    }
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw FileError(path)
    }
    defer { _ = calls.close(descriptor) }
    if forbiddenMode != 0 {
      let attributes = try attributes(of: descriptor, of: path, calls)
      try checkRegular(attributes, path)
      try checkTrust(attributes, path, forbiddenMode: forbiddenMode)
    }
    return try read(descriptor, of: path, calls)
  }

  private static func checkRegular(_ attributes: FileAttributes, _ path: String) throws(FileError) {
    guard attributes.isRegular else { throw FileError(path, "not a regular file") }
  }

  /// Checks owner and permissions like ssh(1).
  private static func checkTrust(
    _ attributes: FileAttributes, _ path: String, forbiddenMode: mode_t
  ) throws(FileError) {
    guard attributes.isTrustedOwner else { throw FileError(path, "owned by another user") }
    guard attributes.mode & forbiddenMode == 0 else {
      throw FileError(path, "writable by others (expected: chmod go-w '\(path)')")
    }
  }

  private static func attributes(
    of descriptor: Int32, of path: String, _ calls: FileCalls
  ) throws(FileError) -> FileAttributes {
    var attributes = FileAttributes()
    guard retrying({ calls.attributes(descriptor, &attributes) }) == 0 else {
      throw FileError(path)
    }
    return attributes
  }

  private func attributes(of descriptor: Int32, of path: String) throws(FileError) -> FileAttributes
  {
    try Self.attributes(of: descriptor, of: path, calls)
  }

  private func checkRegular(_ attributes: FileAttributes, _ path: String) throws(FileError) {
    try Self.checkRegular(attributes, path)
  }

  /// The path of the session file after resolving symbolic links. A link to a repository of dotfiles, for example,
  /// is kept.
  private var target: String {
    get throws(FileError) {
      var target = path
      for _ in 0..<Self.linkLimit {
        var next = ""
        guard retrying({ calls.readLink(target, &next) }) == 0 else {
          // Not a link, or no such file.
          if errno == EINVAL || errno == ENOENT || errno == ENOTDIR { return target }
          throw FileError(target)
        }
        target = next.hasPrefix("/") ? next : "\(Self.folder(of: target))/\(next)"
      }
      throw FileError(path, ELOOP)
    }
  }

  private static let linkLimit = 40

  private static func folder(of path: String) -> String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count > 2 ? parts.dropLast().joined(separator: "/") : "/"
  }

  /// Renames an unreadable session file, so that a new one can be saved without losing it.
  /// - Returns: The new path.
  func quarantine() throws(FileError) -> String {
    let target = try target
    for number in 1... {
      let newPath = "\(target).unreadable-\(number)"
      if retrying({ calls.status(newPath) }) == 0 { continue }
      // A file that may exist must not be overwritten.
      guard errno == ENOENT else { throw FileError(newPath) }
      guard retrying({ calls.rename(target, newPath) }) == 0 else { throw FileError(target) }
      return newPath
    }
    return target
  }

  /// Replaces the session file atomically: writes a new file and renames it over the old one.
  func save(_ bytes: [UInt8]) throws(FileError) {
    let target = try target
    let new = "\(target).new"
    let descriptor = try create(new)
    do {
      defer { _ = calls.close(descriptor) }
      try write(bytes, to: descriptor, of: new)
      try sync(descriptor, of: new)
    }
    guard retrying({ calls.rename(new, target) }) == 0 else { throw FileError(target) }
    // Otherwise the new name may not survive a power failure.
    let folder = Self.folder(of: target)
    let directory = retrying { calls.open(folder, O_RDONLY | O_DIRECTORY) }
    guard directory >= 0 else { throw FileError(folder) }
    defer { _ = calls.close(directory) }
    try sync(directory, of: folder)
  }

  /// Creates a new file after removing an existing one, so that no other process has it open or linked.
  private func create(_ path: String) throws(FileError) -> Int32 {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
    let descriptor = retrying { calls.open(path, flags) }
    if descriptor >= 0 { return descriptor }
    guard errno == EEXIST, retrying({ calls.remove(path) }) == 0 else { throw FileError(path) }
    let second = retrying { calls.open(path, flags) }
    guard second >= 0 else { throw FileError(path) }
    return second
  }

  private func write(_ bytes: [UInt8], to descriptor: Int32, of path: String) throws(FileError) {
    var start = 0
    while start < bytes.count {
      let count = retrying {
        bytes.withUnsafeBytes { calls.write(descriptor, .init(rebasing: $0[start...])) }
      }
      guard count >= 0 else { throw FileError(path) }
      start += count
    }
  }

  private func sync(_ descriptor: Int32, of path: String) throws(FileError) {
    guard retrying({ calls.sync(descriptor) }) != 0 else { return }
    // Not every file system supports it.
    if errno != EINVAL && errno != ENOTSUP { throw FileError(path) }
  }

  private func makeFolder() throws(FileError) {
    var made = ""
    for part in folder.split(separator: "/") {
      made += "/\(part)"
      if retrying({ calls.makeFolder(made) }) != 0, errno != EEXIST, errno != EISDIR {
        let number = errno
        // On a read-only system a folder may exist that cannot be created.
        if retrying({ calls.status(made) }) != 0 { throw FileError(made, number) }
      }
    }
  }

  private static func read(
    _ descriptor: Int32, of path: String, _ calls: FileCalls
  ) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= sizeLimit {
      let count = retrying { block.withUnsafeMutableBytes { calls.read(descriptor, $0) } }
      if count == 0 { return bytes }
      guard count > 0 else { throw FileError(path) }
      bytes += block[..<count]
    }
    throw FileError(path, EFBIG)
  }
}

/// Retries a system call that a signal interrupts.
private func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}
