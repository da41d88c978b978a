import Dispatch

// The calls that differ between systems, and those that need more than one line.

/// Writes all bytes, and waits while the file accepts none.
/// - Returns: 0, or the error number.
public func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
  var rest = bytes[...]
  while true {
    let number = writeAvailable(&rest, to: descriptor)
    guard number == EAGAIN else { return number }
    _ = acceptsOutput(descriptor, milliseconds: -1)
  }
}

/// Calls a closure on the main queue after a time.
public func callOnMain(after time: Duration, _ body: @escaping @MainActor () -> Void) {
  let (seconds, attoseconds) = time.components
  let deadline = DispatchTime.now() + .seconds(Int(seconds))
  DispatchQueue.main.asyncAfter(
    deadline: deadline + .nanoseconds(Int(attoseconds / 1_000_000_000))
  ) { MainActor.assumeIsolated(body) }
}

/// Returns true if a file accepts output now. A terminal that is stopped by Ctrl-S does not.
/// - Parameter milliseconds: The time to wait until it does; -1 for ever.
public func acceptsOutput(_ descriptor: Int32, milliseconds: Int32 = 0) -> Bool {
  var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
  return poll(&ready, 1, milliseconds) > 0 && Int32(ready.revents) & Int32(POLLOUT) != 0
}

extension stat {
  /// The time of the last change of the contents, in whole seconds since 1970 UTC.
  public var modificationSeconds: Int64 {
    #if canImport(Darwin)
      Int64(st_mtimespec.tv_sec)
    #else
      Int64(st_mtim.tv_sec)
    #endif
  }
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

/// Returns the bytes of a small file, at most 32 KiB; `nil` if it cannot be read.
public func contents(ofSmallFile path: String) -> [UInt8]? {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var bytes = [UInt8](repeating: 0, count: 32_768)
  let count = read(descriptor, &bytes, bytes.count)
  return count > 0 ? Array(bytes.prefix(count)) : nil
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

/// Returns true if the process can open that many more descriptors.
public func canOpenDescriptors(_ count: Int) -> Bool { freeDescriptors(atMost: count) == count }

/// Returns how many more descriptors the process can open, at most a number.
public func freeDescriptors(atMost count: Int) -> Int {
  guard var descriptor = descriptorLimit else { return count }
  var free = 0
  // The new descriptors are always the lowest, so that the highest are tried first.
  while free < count, descriptor > 0 {
    descriptor -= 1
    if fcntl(Int32(descriptor), F_GETFD) == -1 { free += 1 }
  }
  return free
}

/// The number below which all descriptors of the process are; `nil` if it is unknown.
public var descriptorLimit: Int? {
  var limit = rlimit()
  guard getrlimit(openFilesResource, &limit) == 0 else { return nil }
  // On Darwin there can be no limit.
  return Int(min(limit.rlim_cur, 1 << 20))
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

/// The current boot of the machine.
public enum SystemBoot {
  /// The unique identifier of this boot; `nil` if the system has none.
  public static let id: String? = {
    #if canImport(Darwin)
      var bytes = [UInt8](repeating: 0, count: 64)
      var count = bytes.count
      guard sysctlbyname("kern.bootsessionuuid", &bytes, &count, nil, 0) == 0 else { return nil }
    #else
      let bytes = contents(ofSmallFile: "/proc/sys/kernel/random/boot_id") ?? []
    #endif
    let text = String(decoding: bytes.prefix { $0 > 32 }, as: UTF8.self)
    return text.isEmpty ? nil : text
  }()
}
