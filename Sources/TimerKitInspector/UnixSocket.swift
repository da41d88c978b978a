// The only file that imports the C library: sockets, their folder, and the user at their other end. No call blocks.
#if canImport(Darwin)
  import Darwin
  private let (streamType, sendFlags) = (SOCK_STREAM, Int32(0))
#elseif canImport(Glibc)
  import Glibc
  private let (streamType, sendFlags) = (Int32(SOCK_STREAM.rawValue), Int32(MSG_NOSIGNAL))
#elseif canImport(Musl)
  import Musl
  private let (streamType, sendFlags) = (SOCK_STREAM, Int32(MSG_NOSIGNAL))
#endif

/// The folder of the sockets of all processes of the user.
var socketFolder: String {
  let runtime = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) } ?? ""
  let temporary = getenv("TMPDIR").map { String(cString: $0) } ?? ""
  return runtime.hasPrefix("/")
    ? "\(runtime)/timerkit" : "\(temporary.isEmpty ? "/tmp" : temporary)/timerkit-\(geteuid())"
}

var processNumber: Int32 { getpid() }

/// Listens at a path in a folder that only the user can access. The folder is created if it does not exist.
/// - Returns: the descriptor of the socket.
func listen(at path: String, in folder: String) throws(InspectorError) -> Int32 {
  var attributes = stat()
  guard mkdir(folder, 0o700) == 0 || errno == EEXIST, lstat(folder, &attributes) == 0 else {
    throw InspectorError("\(folder): \(String(cString: strerror(errno)))")
  }
  guard attributes.st_mode & (S_IFMT | 0o777) == S_IFDIR | 0o700, attributes.st_uid == geteuid()
  else { throw InspectorError("\(folder): not a folder of the user with mode 0700") }
  unlink(path)
  let descriptor = socket(AF_UNIX, streamType, 0)
  // Between `bind` and `chmod` the folder protects the socket.
  guard prepare(descriptor), bind(descriptor, to: path), chmod(path, 0o600) == 0,
    listen(descriptor, 16) == 0
  else {
    let reason = String(cString: strerror(errno))
    close(descriptor)
    throw InspectorError("\(path): \(reason)")
  }
  return descriptor
}

/// Accepts a client.
/// - Returns: the descriptor; `nil` if none waits, or if it is not a process of the user.
func acceptClient(_ listener: Int32) -> Int32? {
  let descriptor = accept(listener, nil, nil)
  if prepare(descriptor), isOfUser(descriptor) { return descriptor }
  // Without a free descriptor, the client keeps waiting, and the listener can be read all the time.
  if descriptor >= 0 { close(descriptor) } else { poll(nil, 0, 50) }
  return nil
}

func closeDescriptor(_ descriptor: Int32) { close(descriptor) }

func removeFile(_ path: String) { unlink(path) }

/// Reads what has come; `nil` at the end or after an error.
func receive(from descriptor: Int32) -> ArraySlice<UInt8>? {
  var bytes = [UInt8](repeating: 0, count: 4096)
  let count = recv(descriptor, &bytes, bytes.count, 0)
  return count > 0 ? bytes[..<count] : count < 0 && canRetry ? [] : nil
}

/// Writes the first bytes, without a signal if nobody can receive them.
/// - Returns: their number; `nil` after an error.
func write(_ bytes: [UInt8], to descriptor: Int32) -> Int? {
  let count = send(descriptor, bytes, bytes.count, sendFlags)
  return count >= 0 ? count : canRetry ? 0 : nil
}

private var canRetry: Bool { errno == EAGAIN || errno == EINTR }

private func prepare(_ descriptor: Int32) -> Bool {
  #if canImport(Darwin)
    var isOn: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, 4)
  #endif
  return fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
    && fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0
}

private func isOfUser(_ descriptor: Int32) -> Bool {
  #if canImport(Darwin)
    var (user, group) = (uid_t(), gid_t())
    return getpeereid(descriptor, &user, &group) == 0 && user == geteuid()
  #else
    // `struct ucred`, which Glibc declares for C with extensions only.
    var peer = (process: pid_t(), user: uid_t(), group: gid_t())
    var size = socklen_t(MemoryLayout.size(ofValue: peer))
    return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0
      && peer.user == geteuid()
  #endif
}

private func bind(_ descriptor: Int32, to path: String) -> Bool {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
    errno = ENAMETOOLONG
    return false
  }
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
  return withUnsafeBytes(of: &address) { bytes in
    bytes.withMemoryRebound(to: sockaddr.self) {
      bind(descriptor, $0.baseAddress, socklen_t(bytes.count)) == 0
    }
  }
}
