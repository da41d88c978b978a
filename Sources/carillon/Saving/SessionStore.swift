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
  private let calls: FileCalls
  var path: String { "\(folder)/session.json" }
  private var lockPath: String { "\(folder)/session.lock" }

  /// More is no session: nobody has a million timers.
  private static let largestSize = 64 << 20

  /// - Parameter environment: `XDG_STATE_HOME`, else `HOME`, say where it is.
  init?(environment: [String: String], calls: FileCalls = .system) {
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
      folder = "\(state)/carillon"
    } else if let home = environment["HOME"], home.hasPrefix("/") {
      folder = "\(home)/.local/state/carillon"
    } else {
      return nil
    }
    self.calls = calls
  }

  /// Takes the session for as long as the process lives, and makes the folder for it.
  /// - Returns: `nil` where it is taken; else who has it, as far as that is known.
  func claim() throws(Fault) -> String? {
    try makeFolder()
    let descriptor = repeated { calls.open(lockPath, O_RDWR | O_CREAT | O_NOFOLLOW) }
    guard descriptor >= 0 else { throw Fault(lockPath) }
    guard repeated({ calls.lock(descriptor, LOCK_EX | LOCK_NB) }) == 0 else {
      let number = errno
      defer { _ = calls.close(descriptor) }
      guard number == EWOULDBLOCK else { throw Fault(lockPath, number) }
      let bytes = (try? Self.read(descriptor, of: lockPath, calls)) ?? []
      let holder = String(decoding: bytes, as: UTF8.self)
      return holder.isEmpty ? "another process" : holder.printable()
    }
    _ = calls.empty(descriptor)
    // Who has it is good to know, and no more than that.
    try? write(Array("process \(getpid())".utf8), to: descriptor, of: lockPath)
    // It stays open, and taken, to the end of the process.
    return nil
  }

  /// Whether a dashboard has it at present.
  var isClaimed: Bool {
    let descriptor = calls.open(lockPath, O_RDONLY)
    guard descriptor >= 0 else { return false }
    defer { _ = calls.close(descriptor) }
    return calls.lock(descriptor, LOCK_SH | LOCK_NB) != 0
  }

  /// What is there; `nil` where nothing is.
  func load() throws(Fault) -> [UInt8]? {
    try Self.contents(of: path, calls)
  }

  /// What a file holds; `nil` where there is none.
  static func contents(
    of path: String, _ calls: FileCalls = .system
  ) throws(Fault) -> [UInt8]? {
    let descriptor = repeated { calls.open(path, O_RDONLY) }
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw Fault(path)
    }
    defer { _ = calls.close(descriptor) }
    return try read(descriptor, of: path, calls)
  }

  /// Gives an unreadable file another name, so that it is neither in the way nor lost.
  /// - Returns: that name.
  func keepAside() throws(Fault) -> String {
    for number in 1... {
      let aside = "\(path).unreadable-\(number)"
      if repeated({ calls.find(aside) }) == 0 { continue }
      // Where one cannot tell whether it is there, it must not be written over.
      guard errno == ENOENT else { throw Fault(aside) }
      guard repeated({ calls.rename(path, aside) }) == 0 else { throw Fault(path) }
      return aside
    }
    return path
  }

  /// Writes a whole new file and puts it in the old one's place: whatever happens meanwhile, there is
  /// the one or the other.
  func save(_ bytes: [UInt8]) throws(Fault) {
    let new = "\(path).new"
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW
    let descriptor = repeated { calls.open(new, flags) }
    guard descriptor >= 0 else { throw Fault(new) }
    do {
      defer { _ = calls.close(descriptor) }
      try write(bytes, to: descriptor, of: new)
      try sync(descriptor, of: new)
    }
    guard repeated({ calls.rename(new, path) }) == 0 else { throw Fault(path) }
    // Else the new name may not outlive a power cut.
    let directory = repeated { calls.open(folder, O_RDONLY | O_DIRECTORY) }
    guard directory >= 0 else { throw Fault(folder) }
    defer { _ = calls.close(directory) }
    try sync(directory, of: folder)
  }

  private func write(_ bytes: [UInt8], to descriptor: Int32, of path: String) throws(Fault) {
    var start = 0
    while start < bytes.count {
      let count = repeated {
        bytes.withUnsafeBytes { calls.write(descriptor, .init(rebasing: $0[start...])) }
      }
      guard count >= 0 else { throw Fault(path) }
      start += count
    }
  }

  private func sync(_ descriptor: Int32, of path: String) throws(Fault) {
    guard repeated({ calls.sync(descriptor) }) != 0 else { return }
    // Not every file system can.
    if errno != EINVAL { throw Fault(path) }
  }

  private func makeFolder() throws(Fault) {
    var made = ""
    for part in folder.split(separator: "/") {
      made += "/\(part)"
      if repeated({ calls.makeFolder(made) }) != 0, errno != EEXIST, errno != EISDIR {
        let number = errno
        // One that is there need not be ours to make: on a system that cannot be written to.
        if repeated({ calls.find(made) }) != 0 { throw Fault(made, number) }
      }
    }
  }

  private static func read(
    _ descriptor: Int32, of path: String, _ calls: FileCalls
  ) throws(Fault) -> [UInt8] {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= largestSize {
      let count = repeated { block.withUnsafeMutableBytes { calls.read(descriptor, $0) } }
      if count == 0 { return bytes }
      guard count > 0 else { throw Fault(path) }
      bytes += block[..<count]
    }
    throw Fault(path, EFBIG)
  }
}

/// Calls the system again where a signal came between.
private func repeated<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}
