#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

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

  static let system = FileCalls(
    open: systemOpen, close: systemClose, read: systemRead, write: systemWrite, empty: systemEmpty,
    sync: systemSync, lock: systemLock, rename: systemRename, makeFolder: systemMakeFolder,
    find: systemFind)
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
private let systemFind: @Sendable (String) -> Int32 = {
  var found = stat()
  return lstat($0, &found)
}
