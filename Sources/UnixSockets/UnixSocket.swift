// Unix domain sockets. Where a function returns a descriptor, -1 is an error with the reason in `errno`.

/// The maximum length of a socket's path in bytes.
public let socketPathLimit = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

/// Creates a socket that listens at a path, which must not exist. Only the user can connect to it.
public func listenOnSocket(at path: String) -> Int32 {
  let socket = makeSocket()
  guard socket >= 0 else { return -1 }
  // Between `bind` and `chmod` the folder protects the socket.
  guard withSocketAddress(path, { bind(socket, $0, $1) }) == 0, chmod(path, 0o600) == 0,
    listen(socket, 128) == 0
  else { return closing(socket) }
  return socket
}

/// Connects to the socket at a path. Reads block; the connection and writes wait for at most a second, because
/// a suspended process accepts no connection.
public func connectToSocket(at path: String) -> Int32 {
  let socket = makeSocket()
  guard socket >= 0 else { return -1 }
  setTimeout(SO_SNDTIMEO, of: socket, milliseconds: 1000)
  guard withSocketAddress(path, { connect(socket, $0, $1) }) == 0 else { return closing(socket) }
  return socket
}

/// Removes a socket at a path if nobody listens there: the system refuses a connection. This also holds for a process in
/// another container, whose identifier says nothing here.
/// - Returns: true if it was removed.
@discardableResult
public func removeDeadSocket(at path: String) -> Bool {
  var found = stat()
  // Other files refuse connections, too.
  guard lstat(path, &found) == 0, found.st_mode & S_IFMT == S_IFSOCK else { return false }
  // Between `bind` and `listen` of its process, a socket refuses connections for some microseconds.
  for attempt in 0..<2 {
    if attempt > 0 { poll(nil, 0, 20) }
    let socket = connectToSocket(at: path)
    guard socket < 0, errno == ECONNREFUSED else {
      if socket >= 0 { close(socket) }
      return false
    }
  }
  return unlink(path) == 0
}

/// Accepts a connection, whose reads and writes do not block.
public func acceptConnection(_ listener: Int32) -> Int32 {
  let socket = accept(listener, nil, nil)
  guard socket >= 0 else { return -1 }
  guard prepare(socket), makeNonblocking(socket) else { return closing(socket) }
  return socket
}

/// Makes reads and writes of a descriptor return instead of waiting.
/// - Returns: True on success.
public func makeNonblocking(_ descriptor: Int32) -> Bool {
  fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0
}

/// Returns the user of the process at the other end of a socket; `nil` if it is not known.
public func peerUser(of socket: Int32) -> uid_t? {
  #if canImport(Darwin)
    var (user, group) = (uid_t(), gid_t())
    return getpeereid(socket, &user, &group) == 0 ? user : nil
  #else
    return peerCredentials(of: socket)?.user
  #endif
}

#if !canImport(Darwin)
  /// `struct ucred`, which Glibc declares for C with extensions only.
  private typealias Credentials = (process: pid_t, user: uid_t, group: gid_t)

  private func peerCredentials(of socket: Int32) -> Credentials? {
    var credentials: Credentials = (0, 0, 0)
    var size = socklen_t(MemoryLayout<Credentials>.size)
    let result = getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size)
    return result == 0 ? credentials : nil
  }
#endif

/// Returns the process that has connected to a socket; `nil` if it is not known.
public func peerProcess(of socket: Int32) -> pid_t? {
  #if canImport(Darwin)
    var process = pid_t()
    var size = socklen_t(MemoryLayout<pid_t>.size)
    let result = getsockopt(socket, SOL_LOCAL, LOCAL_PEERPID, &process, &size)
    return result == 0 && process > 0 ? process : nil
  #else
    return peerCredentials(of: socket).flatMap { $0.process > 0 ? $0.process : nil }
  #endif
}

/// Limits the time that a read of a socket waits (`SO_RCVTIMEO`), or a write to it (`SO_SNDTIMEO`).
/// - Parameter milliseconds: the limit; 0 for none.
public func setTimeout(_ option: Int32, of socket: Int32, milliseconds: Int) {
  var timeout = timeval()
  timeout.tv_sec = .init(milliseconds / 1000)
  timeout.tv_usec = .init(milliseconds % 1000 * 1000)
  setsockopt(socket, SOL_SOCKET, option, &timeout, socklen_t(MemoryLayout<timeval>.size))
}

/// Creates a connected pair of stream sockets that no other program inherits. A write to one after the other was closed
/// fails with `EPIPE` and raises no signal, if it is made by ``sendWithoutSignal(_:to:)``.
/// - Returns: the pair; `nil` if the system has no descriptors left.
public func makeSocketPair() -> (Int32, Int32)? {
  var ends: [Int32] = [-1, -1]
  guard socketpair(AF_UNIX, stream, 0, &ends) == 0 else { return nil }
  for end in ends { _ = prepare(end) }
  return (ends[0], ends[1])
}

/// Sends bytes until the socket accepts no more, and removes those that were sent. It raises no `SIGPIPE`.
/// - Returns: 0 if all were sent, or the error number.
@discardableResult
public func sendWithoutSignal(_ bytes: inout ArraySlice<UInt8>, to socket: Int32) -> Int32 {
  #if canImport(Darwin)
    let flags: Int32 = 0
  #else
    let flags = Int32(MSG_NOSIGNAL)
  #endif
  return writeAvailable(&bytes) { bytes in
    bytes.baseAddress.map { send(socket, $0, bytes.count, flags) } ?? 0
  }
}

/// Writes bytes until the file accepts no more, and removes those that were written.
/// - Returns: 0 if all were written, or the error number.
public func writeAvailable(_ bytes: inout ArraySlice<UInt8>, to descriptor: Int32) -> Int32 {
  writeAvailable(&bytes) { write(descriptor, $0.baseAddress, $0.count) }
}

func writeAvailable(
  _ bytes: inout ArraySlice<UInt8>, by write: (UnsafeRawBufferPointer) -> Int
) -> Int32 {
  while !bytes.isEmpty {
    let count = bytes.withUnsafeBytes(write)
    if count >= 0 {
      bytes = bytes.dropFirst(count)
    } else if errno != EINTR {
      return errno
    }
  }
  return 0
}

/// Sends a datagram to the socket at a path; `@` begins the name of an abstract socket. Errors are ignored.
public func sendDatagram(_ text: String, to path: String) {
  let socket = makeSocket(datagram)
  guard socket >= 0 else { return }
  defer { close(socket) }
  let bytes = Array(text.utf8)
  _ = withSocketAddress(path) { Int32(sendto(socket, bytes, bytes.count, 0, $0, $1)) }
}

#if canImport(Glibc)
  private let stream = Int32(SOCK_STREAM.rawValue)
  private let datagram = Int32(SOCK_DGRAM.rawValue)
#else
  private let stream = SOCK_STREAM
  private let datagram = SOCK_DGRAM
#endif

private func makeSocket(_ type: Int32 = stream) -> Int32 {
  let descriptor = socket(AF_UNIX, type, 0)
  guard descriptor >= 0 else { return -1 }
  return prepare(descriptor) ? descriptor : closing(descriptor)
}

/// Makes exec close a descriptor, and prevents `SIGPIPE` where that is a property of the socket.
private func prepare(_ descriptor: Int32) -> Bool {
  #if canImport(Darwin)
    var isOn: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
  #endif
  return fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
}

/// Closes a descriptor and keeps `errno`.
private func closing(_ descriptor: Int32) -> Int32 {
  let number = errno
  close(descriptor)
  errno = number
  return -1
}

private func withSocketAddress(
  _ path: String, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32
) -> Int32 {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  let bytes = Array(path.utf8)
  guard bytes.count <= socketPathLimit else {
    errno = ENAMETOOLONG
    return -1
  }
  // The name of an abstract socket begins with a null character and ends with the address.
  let isAbstract = bytes.first == UInt8(ascii: "@")
  withUnsafeMutableBytes(of: &address.sun_path) {
    $0.copyBytes(from: isAbstract ? [0] + bytes.dropFirst() : bytes)
  }
  let size =
    isAbstract
    ? MemoryLayout<sockaddr_un>.size - socketPathLimit - 1 + bytes.count
    : MemoryLayout<sockaddr_un>.size
  return withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, socklen_t(size)) }
  }
}
