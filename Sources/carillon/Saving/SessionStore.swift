#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Where a session is kept: `session.json` in a folder of carillon's own. One process at a time has
/// it for writing.
struct SessionStore: Sendable {
  /// Why something could not be done, for people.
  struct Fault: Error, CustomStringConvertible {
    var path: String
    var reason: String
    var description: String { "\(path): \(reason)" }

    init(_ path: String, _ number: Int32 = errno) {
      self.path = path
      reason = String(cString: strerror(number))
    }
  }

  let folder: String
  var path: String { "\(folder)/session.json" }
  private var lockPath: String { "\(folder)/session.lock" }

  /// More is no session: nobody has a million timers.
  private static let largestSize = 64 << 20

  /// - Parameter environment: `XDG_STATE_HOME`, else `HOME`, say where it is.
  init?(environment: [String: String]) {
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
      folder = "\(state)/carillon"
    } else if let home = environment["HOME"], home.hasPrefix("/") {
      folder = "\(home)/.local/state/carillon"
    } else {
      return nil
    }
  }

  /// Takes the session for as long as the process lives, and makes the folder for it.
  /// - Returns: `nil` where it is taken; else who has it, as far as that is known.
  func claim() throws(Fault) -> String? {
    try makeFolder()
    let descriptor = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Fault(lockPath) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let number = errno
      defer { close(descriptor) }
      guard number == EWOULDBLOCK else { throw Fault(lockPath, number) }
      let holder = String(decoding: (try? Self.read(descriptor, of: lockPath)) ?? [], as: UTF8.self)
      return holder.isEmpty ? "another process" : holder.printable()
    }
    let holder = Array("process \(getpid())".utf8)
    ftruncate(descriptor, 0)
    _ = holder.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    // It stays open, and taken, to the end of the process.
    return nil
  }

  /// Whether a dashboard has it at present.
  var isClaimed: Bool {
    let descriptor = open(lockPath, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0
  }

  /// What is there; `nil` where nothing is.
  func load() throws(Fault) -> [UInt8]? {
    try Self.contents(of: path)
  }

  /// What a file holds; `nil` where there is none.
  static func contents(of path: String) throws(Fault) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw Fault(path)
    }
    defer { close(descriptor) }
    return try read(descriptor, of: path)
  }

  /// Gives an unreadable file another name, so that it is neither in the way nor lost.
  /// - Returns: that name.
  func keepAside() throws(Fault) -> String {
    for number in 1... {
      let aside = "\(path).unreadable-\(number)"
      var found = stat()
      if lstat(aside, &found) == 0 { continue }
      guard rename(path, aside) == 0 else { throw Fault(path) }
      return aside
    }
    return path
  }

  /// Writes a whole new file and puts it in the old one's place: whatever happens meanwhile, there is
  /// the one or the other.
  func save(_ bytes: [UInt8]) throws(Fault) {
    let new = "\(path).new"
    let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Fault(new) }
    var start = 0
    while start < bytes.count {
      let count = bytes.withUnsafeBytes { bytes in
        let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
        return write(descriptor, rest.baseAddress, rest.count)
      }
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw closed(descriptor, Fault(new)) }
      start += count
    }
    if fsync(descriptor) != 0 { throw closed(descriptor, Fault(new)) }
    close(descriptor)
    guard rename(new, path) == 0 else { throw Fault(path) }
    // Else the new name may not outlive a power cut.
    let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if directory >= 0 {
      fsync(directory)
      close(directory)
    }
  }

  private func closed(_ descriptor: Int32, _ fault: Fault) -> Fault {
    close(descriptor)
    return fault
  }

  private func makeFolder() throws(Fault) {
    var made = ""
    for part in folder.split(separator: "/") {
      made += "/\(part)"
      if mkdir(made, 0o700) != 0, errno != EEXIST, errno != EISDIR {
        let number = errno
        var found = stat()
        // One that is there need not be ours to make: on a system that cannot be written to.
        if stat(made, &found) != 0 { throw Fault(made, number) }
      }
    }
  }

  private static func read(_ descriptor: Int32, of path: String) throws(Fault) -> [UInt8] {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= largestSize {
      let count = block.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
      if count == 0 { return bytes }
      if count > 0 {
        bytes += block[..<count]
      } else if errno != EINTR {
        throw Fault(path)
      }
    }
    throw Fault(path, EFBIG)
  }
}

/// The system's, where a method has its name.
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int
{
  read(descriptor, bytes, count)
}
