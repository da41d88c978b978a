import Platform

/// The access to the files of sessions, of the history and of the configuration.
struct FileSystem: Sendable {
  /// The maximum size of a file that is read.
  private static let sizeLimit = 64 << 20
  private static let linkLimit = 40

  var calls = FileCalls.system

  /// Returns the bytes of a file; `nil` if there is none.
  /// - Parameter forbiddenMode: The permission bits that make the file untrustworthy. If not 0, the file must also be a
  ///   regular one that the user or root owns; otherwise any readable file is accepted.
  func contents(of path: String, forbiddenMode: mode_t = 0) throws(FileError) -> [UInt8]? {
    // Without O_NONBLOCK, opening a pipe of that name would wait for its other end.
    let flags = forbiddenMode == 0 ? O_RDONLY : O_RDONLY | O_NONBLOCK
    let descriptor = retrying { calls.open(path, flags) }
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw FileError(path)
    }
    defer { _ = calls.close(descriptor) }
    if forbiddenMode != 0 {
      let attributes = try attributes(of: descriptor, of: path)
      guard attributes.isRegular else { throw FileError(path, "not a regular file") }
      try attributes.checkTrust(path, forbiddenMode: forbiddenMode)
    }
    return try read(descriptor, of: path)
  }

  /// Throws if another user owns or can write a folder.
  func checkFolder(_ path: String) throws(FileError) {
    let descriptor = retrying { calls.open(path, O_RDONLY | O_DIRECTORY) }
    guard descriptor >= 0 else { throw FileError(path) }
    defer { _ = calls.close(descriptor) }
    try attributes(of: descriptor, of: path).checkTrust(path, forbiddenMode: 0o022)
  }

  /// Opens a regular file for writing, and creates it if there is none.
  /// - Parameter allowsLinks: False if the file must have no other name, because it is about to be truncated.
  func openRegular(
    _ path: String, _ flags: Int32, allowsLinks: Bool = true
  ) throws(FileError) -> Int32 {
    let descriptor = retrying {
      calls.open(path, flags | O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK)
    }
    guard descriptor >= 0 else { throw FileError(path) }
    do throws(FileError) {
      let attributes = try attributes(of: descriptor, of: path)
      guard attributes.isRegular else { throw FileError(path, "not a regular file") }
      guard allowsLinks || attributes.linkCount == 1 else {
        throw FileError(path, "file has another name (a hard link)")
      }
    } catch {
      _ = calls.close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Replaces a file atomically: writes a new file and renames it over the old one.
  func replace(_ path: String, with bytes: [UInt8]) throws(FileError) {
    let new = "\(path).new"
    let descriptor = try create(new)
    do {
      defer { _ = calls.close(descriptor) }
      try write(bytes, to: descriptor, of: new)
      try synchronize(descriptor, of: new)
    }
    guard retrying({ calls.rename(new, path) }) == 0 else { throw FileError(path) }
    // Otherwise the new name may not survive a power failure.
    let folder = Self.folder(of: path)
    let directory = retrying { calls.open(folder, O_RDONLY | O_DIRECTORY) }
    guard directory >= 0 else { throw FileError(folder) }
    defer { _ = calls.close(directory) }
    try synchronize(directory, of: folder)
  }

  /// Creates a folder and those that contain it, if they do not exist.
  func makeFolder(_ path: String) throws(FileError) {
    var made = ""
    for part in path.split(separator: "/") {
      made += "/\(part)"
      if retrying({ calls.makeFolder(made) }) != 0, errno != EEXIST, errno != EISDIR {
        let number = errno
        // On a read-only system a folder may exist that cannot be created.
        if retrying({ calls.status(made) }) != 0 { throw FileError(made, number) }
      }
    }
  }

  func write(_ bytes: [UInt8], to descriptor: Int32, of path: String) throws(FileError) {
    var start = 0
    while start < bytes.count {
      let count = retrying {
        bytes.withUnsafeBytes { calls.write(descriptor, .init(rebasing: $0[start...])) }
      }
      guard count >= 0 else { throw FileError(path) }
      start += count
    }
  }

  /// Writes a file or a folder to permanent storage.
  func synchronize(_ descriptor: Int32, of path: String) throws(FileError) {
    guard retrying({ calls.sync(descriptor) }) != 0 else { return }
    // Not every file system supports it.
    if errno != EINVAL && errno != ENOTSUP { throw FileError(path) }
  }

  /// Returns a path after resolving symbolic links of its last part. A link to a repository of dotfiles, for example, is
  /// kept when the file is replaced.
  func resolved(_ path: String) throws(FileError) -> String {
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

  static func folder(of path: String) -> String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count > 2 ? parts.dropLast().joined(separator: "/") : "/"
  }

  func read(_ descriptor: Int32, of path: String) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= Self.sizeLimit {
      let count = retrying { block.withUnsafeMutableBytes { calls.read(descriptor, $0) } }
      if count == 0 { return bytes }
      guard count > 0 else { throw FileError(path) }
      bytes += block[..<count]
    }
    throw FileError(path, EFBIG)
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

  private func attributes(
    of descriptor: Int32, of path: String
  ) throws(FileError) -> FileAttributes {
    var attributes = FileAttributes()
    guard retrying({ calls.attributes(descriptor, &attributes) }) == 0 else {
      throw FileError(path)
    }
    return attributes
  }
}

extension FileAttributes {
  /// Checks owner and permissions like ssh(1).
  fileprivate func checkTrust(_ path: String, forbiddenMode: mode_t) throws(FileError) {
    guard isTrustedOwner else { throw FileError(path, "owned by another user") }
    guard mode & forbiddenMode == 0 else {
      throw FileError(path, "writable by others (expected: chmod go-w '\(path)')")
    }
  }
}

/// Retries a system call that a signal interrupts.
func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}
