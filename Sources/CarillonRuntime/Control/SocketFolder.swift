import Platform

/// The folder of a socket, which only the user can use.
struct SocketFolder {
  private let path: String

  init(of socketPath: String) {
    path = String(socketPath[..<(socketPath.lastIndex(of: "/") ?? socketPath.endIndex)])
  }

  func make() throws(FileError) {
    if mkdir(path, 0o700) != 0, errno != EEXIST { throw FileError(path) }
  }

  /// Throws if another user owns the folder or can use it.
  func check() throws(FileError) {
    var attributes = stat()
    guard lstat(path, &attributes) == 0 else { throw FileError(path) }
    guard attributes.st_mode & S_IFMT == S_IFDIR, attributes.st_uid == geteuid() else {
      throw FileError(path, "not a folder of this user")
    }
    guard attributes.st_mode & 0o077 == 0 else {
      throw FileError(path, "accessible to others (expected: chmod 700 '\(path)')")
    }
  }
}
