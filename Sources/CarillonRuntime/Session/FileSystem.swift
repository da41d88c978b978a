import Platform

/// The access to the files of sessions, of the history and of the configuration.
struct FileSystem: Sendable {
  /// The maximum size of a file that is read.
  private static let sizeLimit = 64 << 20
  private static let linkLimit = 40

  /// Called before each system call with its name and its file. If it returns an error number, the call fails with that
  /// error: tests make any call fail.
  var fault: @Sendable (_ call: StaticString, _ path: String) -> Int32 = { _, _ in 0 }

  /// Makes a system call, and repeats it if a signal interrupts it.
  func call<Result: SignedInteger>(
    _ name: StaticString, _ path: String, _ body: () -> Result
  ) -> Result {
    while true {
      let fault = self.fault(name, path)
      let result = fault == 0 ? body() : -1
      if fault != 0 { errno = fault }
      if result >= 0 || errno != EINTR { return result }
    }
  }

  /// Opens a file. A new file is accessible only to its owner.
  /// - Returns: The descriptor; negative if the file cannot be opened.
  func open(_ path: String, _ flags: Int32) -> Int32 {
    call("open", path) { Platform.open(path, flags | O_CLOEXEC, 0o600) }
  }

  /// Returns the bytes of a file; `nil` if there is none.
  /// - Parameters:
  ///   - mustBeRegular: True to refuse a pipe or a device, whose contents can be read only once, or have no end.
  ///   - forbiddenMode: The permission bits that make the file untrustworthy. If not 0, the file must also be a regular
  ///     one that the user or root owns; otherwise any readable file is accepted.
  func contents(
    of path: String, mustBeRegular: Bool = false, forbiddenMode: mode_t = 0
  ) throws(FileError) -> [UInt8]? {
    let mustBeRegular = mustBeRegular || forbiddenMode != 0
    // Without O_NONBLOCK, opening a pipe of that name would wait for its other end.
    let descriptor = open(path, mustBeRegular ? O_RDONLY | O_NONBLOCK : O_RDONLY)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw FileError(path)
    }
    defer { Platform.close(descriptor) }
    if mustBeRegular {
      let attributes = try regularFile(descriptor, of: path)
      if forbiddenMode != 0 { try attributes.checkTrust(path, forbiddenMode: forbiddenMode) }
    }
    return try read(descriptor, of: path)
  }

  /// Throws if another user owns or can write a folder.
  func checkFolder(_ path: String) throws(FileError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY)
    guard descriptor >= 0 else { throw FileError(path) }
    defer { Platform.close(descriptor) }
    try attributes(descriptor, of: path).checkTrust(path, forbiddenMode: 0o022)
  }

  /// Throws if another user owns a folder or can use it.
  func checkPrivateFolder(_ path: String) throws(FileError) {
    if let fault = privacyFault(ofFolder: path) { throw FileError(path, fault) }
  }

  /// Opens a regular file for writing, and creates it if there is none.
  /// - Parameter allowsLinks: False if the file must have no other name, because it is about to be truncated.
  func openRegular(
    _ path: String, _ flags: Int32, allowsLinks: Bool = true
  ) throws(FileError) -> Int32 {
    let descriptor = open(path, flags | O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { throw FileError(path) }
    do throws(FileError) {
      let attributes = try regularFile(descriptor, of: path)
      guard allowsLinks || attributes.st_nlink == 1 else {
        throw FileError(path, "file has another name (a hard link)")
      }
    } catch {
      Platform.close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Replaces a file atomically: writes a new file and renames it over the old one.
  func replace(_ path: String, with bytes: [UInt8]) throws(FileError) {
    let new = "\(path).new"
    // No other process has the new file open or linked.
    _ = call("unlink", new) { unlink(new) }
    let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
    guard descriptor >= 0 else { throw FileError(new) }
    do {
      defer { Platform.close(descriptor) }
      try write(bytes, to: descriptor, of: new)
      try synchronize(descriptor, of: new)
    }
    guard call("rename", path, { rename(new, path) }) == 0 else { throw FileError(path) }
    // Otherwise the new name may not survive a power failure.
    let folder = Self.folder(of: path)
    let directory = open(folder, O_RDONLY | O_DIRECTORY)
    guard directory >= 0 else { throw FileError(folder) }
    defer { Platform.close(directory) }
    try synchronize(directory, of: folder)
  }

  /// Creates a folder and those that contain it, if they do not exist.
  func makeFolder(_ path: String) throws(FileError) {
    var made = ""
    for part in path.split(separator: "/") {
      made += "/\(part)"
      guard call("mkdir", made, { mkdir(made, 0o700) }) != 0, errno != EEXIST, errno != EISDIR
      else { continue }
      let number = errno
      // On a read-only system a folder may exist that cannot be created.
      if !exists(made) { throw FileError(made, number) }
    }
  }

  /// Returns true if a file has that name, even a dangling symbolic link; otherwise false, with the reason in `errno`.
  func exists(_ path: String) -> Bool {
    var found = stat()
    return call("lstat", path) { lstat(path, &found) } == 0
  }

  func write(_ bytes: [UInt8], to descriptor: Int32, of path: String) throws(FileError) {
    guard call("write", path, { writeAll(bytes, to: descriptor) == 0 ? 0 : -1 }) == 0 else {
      throw FileError(path)
    }
  }

  /// Writes a file or a folder to permanent storage.
  func synchronize(_ descriptor: Int32, of path: String) throws(FileError) {
    guard call("fsync", path, { synchronizeFile(descriptor) }) != 0 else { return }
    // Not every file system supports it.
    if errno != EINVAL && errno != ENOTSUP { throw FileError(path) }
  }

  /// Returns a path after resolving symbolic links of its last part. A link to a repository of dotfiles, for example, is
  /// kept when the file is replaced.
  func resolved(_ path: String) throws(FileError) -> String {
    var target = path
    for _ in 0..<Self.linkLimit {
      var next = ""
      let result = call("readlink", target) {
        next = linkTarget(of: target) ?? ""
        return next.isEmpty ? -1 : 0
      }
      guard result == 0 else {
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
      let count = call("read", path) { Platform.read(descriptor, &block, block.count) }
      if count == 0 { return bytes }
      guard count > 0 else { throw FileError(path) }
      bytes += block[..<count]
    }
    throw FileError(path, EFBIG)
  }

  private func attributes(_ descriptor: Int32, of path: String) throws(FileError) -> stat {
    var found = stat()
    guard call("fstat", path, { fstat(descriptor, &found) }) == 0 else { throw FileError(path) }
    return found
  }

  /// Returns the attributes of a file that is a regular one.
  private func regularFile(_ descriptor: Int32, of path: String) throws(FileError) -> stat {
    let found = try attributes(descriptor, of: path)
    guard found.st_mode & S_IFMT == S_IFREG else { throw FileError(path, "not a regular file") }
    return found
  }
}

extension stat {
  /// Checks owner and permissions like ssh(1). Files of root are trusted like those of the user.
  fileprivate func checkTrust(_ path: String, forbiddenMode: mode_t) throws(FileError) {
    guard st_uid == geteuid() || st_uid == 0 else { throw FileError(path, "owned by another user") }
    guard st_mode & forbiddenMode == 0 else {
      throw FileError(path, "writable by others (expected: chmod go-w '\(path)')")
    }
  }
}

/// A file on its file system, whatever its names are.
struct FileIdentity: Hashable, Sendable {
  private let device: dev_t
  private let number: ino_t

  private init(_ found: stat) {
    device = found.st_dev
    number = found.st_ino
  }

  /// The file that a name stands for, without following a symbolic link; `nil` if there is none.
  init?(ofEntry path: String) {
    var found = stat()
    guard lstat(path, &found) == 0 else { return nil }
    self.init(found)
  }

  /// The file at a path, after following symbolic links; `nil` if there is none.
  init?(at path: String) {
    var found = stat()
    guard stat(path, &found) == 0 else { return nil }
    self.init(found)
  }

  /// An open file.
  init?(_ descriptor: Int32) {
    var found = stat()
    guard fstat(descriptor, &found) == 0 else { return nil }
    self.init(found)
  }
}

/// An error of a file.
struct FileError: ProgramError, Hashable {
  var path: String
  var reason: String
  var description: String { "\(path): \(reason)" }

  init(_ path: String, _ number: Int32 = errno) {
    self.init(path, String(cString: strerror(number)))
  }

  init(_ path: String, _ reason: String) {
    self.path = path
    self.reason = reason
  }
}
