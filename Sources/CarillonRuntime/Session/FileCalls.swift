import Platform

/// The system calls for the files of a session. Tests replace them to make any of them fail. On failure they
/// return a negative number and set `errno`.
struct FileCalls: Sendable {
  /// Opens a file with `O_CLOEXEC`. A new file is accessible only to its owner.
  var open: @Sendable (_ path: String, _ flags: Int32) -> Int32
  var close: @Sendable (Int32) -> Int32
  var read: @Sendable (Int32, UnsafeMutableRawBufferPointer) -> Int
  var write: @Sendable (Int32, UnsafeRawBufferPointer) -> Int
  /// Truncates a file to zero bytes.
  var truncate: @Sendable (Int32) -> Int32
  /// Writes the file to permanent storage.
  var sync: @Sendable (Int32) -> Int32
  var lock: @Sendable (Int32, _ operation: Int32) -> Int32
  var rename: @Sendable (_ old: String, _ new: String) -> Int32
  /// Creates a folder that is accessible only to its owner.
  var makeFolder: @Sendable (_ path: String) -> Int32
  /// Returns 0 if a file has that name, even a dangling symbolic link.
  var status: @Sendable (_ path: String) -> Int32
  /// Removes a file.
  var remove: @Sendable (_ path: String) -> Int32
  /// Reads the attributes of an open file.
  var attributes: @Sendable (Int32, inout FileAttributes) -> Int32
  /// Reads the target of a symbolic link.
  var readLink: @Sendable (_ path: String, inout String) -> Int32

  static let system = FileCalls(
    open: systemOpen, close: systemClose, read: systemRead, write: systemWrite,
    truncate: systemTruncate,
    sync: systemSync, lock: systemLock, rename: systemRename, makeFolder: systemMakeFolder,
    status: systemStatus, remove: systemRemove, attributes: systemAttributes,
    readLink: systemReadLink)
}

/// The type, owner and permissions of a file.
struct FileAttributes: Hashable, Sendable {
  var isRegular = true
  var isTrustedOwner = true
  /// The permission bits.
  var mode: mode_t = 0o600
  /// The number of hard links.
  var linkCount = 1
}

// The system calls. These names are not hidden by the properties above.

private let systemOpen: @Sendable (String, Int32) -> Int32 = { open($0, $1 | O_CLOEXEC, 0o600) }
private let systemClose: @Sendable (Int32) -> Int32 = { close($0) }
private let systemRead: @Sendable (Int32, UnsafeMutableRawBufferPointer) -> Int = {
  read($0, $1.baseAddress, $1.count)
}
private let systemWrite: @Sendable (Int32, UnsafeRawBufferPointer) -> Int = {
  write($0, $1.baseAddress, $1.count)
}
private let systemTruncate: @Sendable (Int32) -> Int32 = { ftruncate($0, 0) }
private let systemSync: @Sendable (Int32) -> Int32 = { synchronizeFile($0) }
private let systemLock: @Sendable (Int32, Int32) -> Int32 = { flock($0, $1) }
private let systemRename: @Sendable (String, String) -> Int32 = { rename($0, $1) }
private let systemMakeFolder: @Sendable (String) -> Int32 = { mkdir($0, 0o700) }
private let systemRemove: @Sendable (String) -> Int32 = { unlink($0) }
private let systemAttributes: @Sendable (Int32, inout FileAttributes) -> Int32 = {
  var found = stat()
  let result = fstat($0, &found)
  $1 = FileAttributes(
    isRegular: found.st_mode & S_IFMT == S_IFREG,
    // Files of root are trusted like those of the user.
    isTrustedOwner: found.st_uid == geteuid() || found.st_uid == 0, mode: found.st_mode & 0o7777,
    linkCount: Int(found.st_nlink))
  return result
}
private let systemReadLink: @Sendable (String, inout String) -> Int32 = {
  var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
  let count = bytes.withUnsafeMutableBytes { [path = $0] buffer in
    buffer.withMemoryRebound(to: CChar.self) { characters in
      characters.baseAddress.map { readlink(path, $0, characters.count) } ?? -1
    }
  }
  guard count >= 0 else { return -1 }
  $1 = String(decoding: bytes.prefix(count), as: UTF8.self)
  return 0
}
private let systemStatus: @Sendable (String) -> Int32 = {
  var found = stat()
  return lstat($0, &found)
}

/// An error of a file.
struct FileError: ProgramError, Hashable {
  var path: String
  var reason: String
  var description: String { "\(path): \(reason)" }

  init(_ path: String, _ number: Int32 = errno) {
    self.path = path
    reason = String(cString: strerror(number))
  }

  init(_ path: String, _ reason: String) {
    self.path = path
    self.reason = reason
  }
}
