import Platform

/// What a session asks of the system for its files, call by call: a test can make any of them fail.
/// They answer as the system's own do: below zero where they fail, with the reason in `errno`.
struct FileCalls: Sendable {
  /// Opens a file; one that is made is its owner's alone, and is closed in children.
  var open: @Sendable (_ path: String, _ flags: Int32) -> Int32
  var close: @Sendable (Int32) -> Int32
  var read: @Sendable (Int32, UnsafeMutableRawBufferPointer) -> Int
  var write: @Sendable (Int32, UnsafeRawBufferPointer) -> Int
  /// Takes away all that a file holds.
  var empty: @Sendable (Int32) -> Int32
  /// Returns when what was written would outlive a power cut.
  var sync: @Sendable (Int32) -> Int32
  var lock: @Sendable (Int32, _ operation: Int32) -> Int32
  var rename: @Sendable (_ old: String, _ new: String) -> Int32
  /// Makes a folder of the owner's alone.
  var makeFolder: @Sendable (_ path: String) -> Int32
  /// Answers 0 where there is something by that name, be it a link that leads nowhere.
  var find: @Sendable (_ path: String) -> Int32
  /// Removes a name.
  var remove: @Sendable (_ path: String) -> Int32
  /// Reads what an open file is.
  var inspect: @Sendable (Int32, inout FileFacts) -> Int32
  /// Reads where a symbolic link leads.
  var readLink: @Sendable (_ path: String, inout String) -> Int32

  static let system = FileCalls(
    open: systemOpen, close: systemClose, read: systemRead, write: systemWrite, empty: systemEmpty,
    sync: systemSync, lock: systemLock, rename: systemRename, makeFolder: systemMakeFolder,
    find: systemFind, remove: systemRemove, inspect: systemInspect, readLink: systemReadLink)
}

/// What a file is and who can write it.
struct FileFacts: Hashable, Sendable {
  var isRegular = true
  var isOurs = true
  /// Permission bits.
  var mode: mode_t = 0o600
  /// How many names the file has.
  var names = 1
}

// The system's, where the properties above have their names.

private let systemOpen: @Sendable (String, Int32) -> Int32 = { open($0, $1 | O_CLOEXEC, 0o600) }
private let systemClose: @Sendable (Int32) -> Int32 = { close($0) }
private let systemRead: @Sendable (Int32, UnsafeMutableRawBufferPointer) -> Int = {
  read($0, $1.baseAddress, $1.count)
}
private let systemWrite: @Sendable (Int32, UnsafeRawBufferPointer) -> Int = {
  write($0, $1.baseAddress, $1.count)
}
private let systemEmpty: @Sendable (Int32) -> Int32 = { ftruncate($0, 0) }
private let systemSync: @Sendable (Int32) -> Int32 = { fsync($0) }
private let systemLock: @Sendable (Int32, Int32) -> Int32 = { flock($0, $1) }
private let systemRename: @Sendable (String, String) -> Int32 = { rename($0, $1) }
private let systemMakeFolder: @Sendable (String) -> Int32 = { mkdir($0, 0o700) }
private let systemRemove: @Sendable (String) -> Int32 = { unlink($0) }
private let systemInspect: @Sendable (Int32, inout FileFacts) -> Int32 = {
  var found = stat()
  let result = fstat($0, &found)
  $1 = FileFacts(
    isRegular: found.st_mode & S_IFMT == S_IFREG,
    // The system's own files are as good as ours.
    isOurs: found.st_uid == geteuid() || found.st_uid == 0, mode: found.st_mode & 0o7777,
    names: Int(found.st_nlink))
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
private let systemFind: @Sendable (String) -> Int32 = {
  var found = stat()
  return lstat($0, &found)
}
