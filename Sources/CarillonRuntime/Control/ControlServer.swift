import Dispatch
import Platform
import TimerKit

/// The socket on which the owner of a session listens, on the main queue.
@MainActor
final class ControlServer {
  private let path: String
  private let listening: any DispatchSourceRead
  private var connections: [ObjectIdentifier: ControlConnection] = [:]
  private let onLine: @MainActor (ControlConnection, [UInt8]) -> Void
  private let onEnd: @MainActor (ControlConnection) -> Void
  private var retry: DeadlineTimer?
  private var isOpen = true

  /// Listens on the socket of a session, whose lock this process has. The socket of a dead owner is replaced.
  /// - Parameters:
  ///   - onLine: Called with each line of a client.
  ///   - onEnd: Called when a client has disconnected.
  init(
    at path: String,
    onLine: @escaping @MainActor (ControlConnection, [UInt8]) -> Void,
    onEnd: @escaping @MainActor (ControlConnection) -> Void
  ) throws(FileError) {
    self.path = path
    self.onLine = onLine
    self.onEnd = onEnd
    let socket = try Self.listen(at: path)
    listening = DispatchSource.makeReadSource(fileDescriptor: socket, queue: .main)
    listening.setEventHandler { [weak self] in
      MainActor.assumeIsolated { self?.accept(from: socket) }
    }
    listening.setCancelHandler { systemClose(socket) }
    listening.activate()
  }

  var isWatched: Bool { connections.values.contains { $0.isWatching } }

  /// Sends a line to all clients that watch.
  func publish(_ line: [UInt8]) {
    for connection in connections.values where connection.isWatching { connection.send(line) }
  }

  /// Removes the socket and accepts no more clients. Open connections stay.
  func stopListening() {
    guard isOpen else { return }
    isOpen = false
    // A suspended source must not be released.
    if retry != nil { listening.resume() }
    retry = nil
    listening.cancel()
    unlink(path)
  }

  private static func listen(at path: String) throws(FileError) -> Int32 {
    try makeFolder(of: path)
    let other = connectToSocket(at: path)
    if other >= 0 {
      systemClose(other)
      throw FileError(path, "in use by another process")
    }
    if errno == ECONNREFUSED, unlink(path) != 0 { throw FileError(path) }
    let socket = listenOnSocket(at: path)
    guard socket >= 0 else { throw FileError(path) }
    guard makeNonblocking(socket) else {
      systemClose(socket)
      throw FileError(path)
    }
    return socket
  }

  /// Creates the folder of the socket, which only the user can use.
  private static func makeFolder(of path: String) throws(FileError) {
    let folder = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
    if mkdir(folder, 0o700) != 0, errno != EEXIST { throw FileError(folder) }
    var attributes = stat()
    guard lstat(folder, &attributes) == 0 else { throw FileError(folder) }
    guard attributes.st_mode & S_IFMT == S_IFDIR, attributes.st_uid == geteuid() else {
      throw FileError(folder, "not a folder of this user")
    }
    guard attributes.st_mode & 0o077 == 0 else {
      throw FileError(folder, "accessible to others (expected: chmod 700 '\(folder)')")
    }
  }

  private func accept(from listener: Int32) {
    while isOpen {
      let socket = acceptConnection(listener)
      guard socket >= 0 else {
        let number = errno
        if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(number) { pause() }
        if number != ECONNABORTED && number != EINTR { return }
        continue
      }
      guard let user = peerUser(of: socket), user == geteuid() || user == 0 else {
        systemClose(socket)
        continue
      }
      let connection = ControlConnection(
        socket, onLine: onLine,
        onEnd: { [weak self] in self?.ended($0) })
      connections[ObjectIdentifier(connection)] = connection
    }
  }

  /// Stops accepting for a second, because descriptors or memory have run out.
  private func pause() {
    guard retry == nil else { return }
    listening.suspend()
    let timer = DeadlineTimer(isolation: MainActor.shared) { [weak self] _, _ in
      guard self?.retry != nil else { return }
      self?.retry = nil
      self?.listening.resume()
    }
    retry = timer
    timer.schedule(at: TimerClock.suspending.now.advanced(by: .seconds(1)))
  }

  private func ended(_ connection: ControlConnection) {
    connections[ObjectIdentifier(connection)] = nil
    onEnd(connection)
  }
}
