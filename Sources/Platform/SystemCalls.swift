// The calls that differ between systems, and those that need more than one line.

/// Writes all bytes, and waits while the file accepts none.
/// - Returns: 0, or the error number.
public func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
  var start = 0
  while start < bytes.count {
    let count = bytes.withUnsafeBytes { bytes in
      let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
      return write(descriptor, rest.baseAddress, rest.count)
    }
    if count >= 0 {
      start += count
    } else if errno == EAGAIN {
      var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      _ = poll(&ready, 1, -1)
    } else if errno != EINTR {
      return errno
    }
  }
  return 0
}

/// Returns true if a file accepts output now. A terminal that is stopped by Ctrl-S does not.
public func acceptsOutput(_ descriptor: Int32) -> Bool {
  var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
  return poll(&ready, 1, 0) > 0 && Int32(ready.revents) & Int32(POLLOUT) != 0
}

/// Writes a file's buffered data to the disk, so that it survives a power failure.
/// - Returns: 0, or -1 with the reason in `errno`.
public func synchronizeFile(_ descriptor: Int32) -> Int32 {
  #if canImport(Darwin)
    // There fsync leaves the data in the drive's own cache. Not every file system supports more.
    if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
    if errno == EINTR { return -1 }
  #endif
  return fsync(descriptor)
}

/// Returns the target of a symbolic link; `nil` if there is none, with the reason in `errno`.
public func linkTarget(of path: String) -> String? {
  var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
  let count = readlink(path, &bytes, bytes.count)
  guard count > 0 else { return nil }
  return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// Returns the width of a terminal; `nil` if it is unknown.
public func terminalColumns(of descriptor: Int32) -> Int? {
  var size = winsize()
  guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
  return Int(size.ws_col)
}

/// Opens the process's controlling terminal for reading and writing.
/// - Returns: its descriptor; negative if there is none.
public func openControllingTerminal() -> Int32 {
  #if canImport(Darwin)
    // There /dev/tty cannot be watched by Dispatch.
    if let path = ttyname(STDOUT_FILENO) {
      let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY)
      if descriptor >= 0 { return descriptor }
    }
  #endif
  return open("/dev/tty", O_RDWR | O_CLOEXEC)
}

/// Creates a connected pair of stream sockets that no other program inherits. A write to the first after
/// the second was closed fails with `EPIPE` and raises no signal, if it is made by ``sendWithoutSignal(_:_:_:)``.
/// - Returns: the pair; `nil` if the system has no descriptors left.
public func makeSocketPair() -> (Int32, Int32)? {
  #if canImport(Glibc)
    let stream = Int32(SOCK_STREAM.rawValue)
  #else
    let stream = SOCK_STREAM
  #endif
  var ends: [Int32] = [-1, -1]
  guard socketpair(AF_UNIX, stream, 0, &ends) == 0 else { return nil }
  for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  #if canImport(Darwin)
    var isOn: Int32 = 1
    setsockopt(ends[0], SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
  #endif
  return (ends[0], ends[1])
}

/// Sends bytes without raising `SIGPIPE`.
/// - Returns: the number of bytes sent, or -1 with the reason in `errno`.
@discardableResult
public func sendWithoutSignal(_ socket: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
  #if canImport(Darwin)
    let flags: Int32 = 0
  #else
    let flags = Int32(MSG_NOSIGNAL)
  #endif
  return send(socket, bytes, count, flags)
}

/// Returns true if the process can open that many more descriptors. The new descriptors are always the lowest, so that
/// the highest are tried first.
public func canOpenDescriptors(_ count: Int) -> Bool {
  var limit = rlimit()
  guard getrlimit(openFilesResource, &limit) == 0 else { return true }
  var free = 0
  // On Darwin there can be no limit.
  var descriptor = Int32(clamping: min(limit.rlim_cur, 1 << 20))
  while free < count, descriptor > 0 {
    descriptor -= 1
    if fcntl(descriptor, F_GETFD) == -1 { free += 1 }
  }
  return free == count
}

/// `RLIMIT_NOFILE` as `getrlimit` takes it.
#if canImport(Glibc)
  public let openFilesResource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  private let coreFileResource = __rlimit_resource_t(RLIMIT_CORE.rawValue)
#else
  public let openFilesResource = RLIMIT_NOFILE
  private let coreFileResource = RLIMIT_CORE
#endif

/// Lets the process write no core file if it crashes.
public func disableCoreFiles() {
  var limit = rlimit()
  setrlimit(coreFileResource, &limit)
}

/// The path of the running program.
public var programPath: String {
  #if canImport(Darwin)
    var size = UInt32(PATH_MAX)
    var bytes = [CChar](repeating: 0, count: Int(size))
    guard _NSGetExecutablePath(&bytes, &size) == 0 else { return CommandLine.arguments[0] }
    return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  #else
    guard let path = linkTarget(of: "/proc/self/exe") else { return CommandLine.arguments[0] }
    // An update has replaced the file.
    let suffix = " (deleted)"
    return path.hasSuffix(suffix) ? String(path.dropLast(suffix.count)) : path
  #endif
}
