import Dispatch
import Platform

/// The socket on which the owner of a session listens, on the main queue.
@MainActor
final class ControlServer {
  private let path: String
  private let listening: any DispatchSourceRead
  private var connections: [ObjectIdentifier: ControlConnection] = [:]
  private(set) weak var control: SessionControl?
  /// A Boolean value that indicates whether no client is accepted for a moment. The source is suspended then.
  private var isPaused = false
  /// Called when all connections have ended, after ``closeConnections(then:)``.
  private var onLastEnd: (@MainActor () -> Void)?
  private var isOpen = true

  /// Listens on the socket of a session, whose lock this process has. The socket of a dead owner is replaced.
  init(at path: String, for control: SessionControl) throws(FileError) {
    self.path = path
    self.control = control
    let socket = try Self.listen(at: path)
    listening = DispatchSource.makeReadSource(fileDescriptor: socket, queue: .main)
    listening.setEventHandler { [weak self] in
      MainActor.assumeIsolated { self?.accept(from: socket) }
    }
    listening.setCancelHandler { Platform.close(socket) }
    listening.activate()
  }

  /// Sends lines to all clients that watch.
  func publish(_ lines: [[UInt8]]) {
    for connection in connections.values where connection.isWatching {
      for line in lines { connection.send(line) }
    }
  }

  /// Closes each connection when its client has received all that was sent.
  func closeConnections(then: @escaping @MainActor () -> Void) {
    onLastEnd = then
    for connection in connections.values { connection.closeWhenSent() }
    notifyIfLastEnded()
  }

  private func notifyIfLastEnded() {
    guard connections.isEmpty, let then = onLastEnd else { return }
    onLastEnd = nil
    then()
  }

  /// Removes the socket and accepts no more clients. Open connections stay.
  func stopListening() {
    guard isOpen else { return }
    isOpen = false
    // A suspended source must not be released.
    resume()
    listening.cancel()
    unlink(path)
  }

  private static func listen(at path: String) throws(FileError) -> Int32 {
    let folder = FileSystem.folder(of: path)
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw FileError(folder) }
    try FileSystem().checkPrivateFolder(folder)
    let other = connectToSocket(at: path)
    if other >= 0 {
      Platform.close(other)
      throw FileError(path, "in use by another process")
    }
    try removeUnused(path)
    let socket = listenOnSocket(at: path)
    guard socket >= 0 else { throw FileError(path) }
    guard makeNonblocking(socket) else {
      Platform.close(socket)
      throw FileError(path)
    }
    return socket
  }

  /// Removes the socket of a dead owner, and a symbolic link or a socket of another type that has its name.
  private static func removeUnused(_ path: String) throws(FileError) {
    let isBusy = errno == EAGAIN || errno == EINPROGRESS
    var attributes = stat()
    guard lstat(path, &attributes) == 0 else { return }
    guard [S_IFSOCK, S_IFLNK].contains(attributes.st_mode & S_IFMT), !isBusy else {
      throw FileError(
        path, isBusy ? "in use by another process" : "not a socket (expected: rm -r '\(path)')")
    }
    guard unlink(path) == 0 else { throw FileError(path) }
  }

  private func accept(from listener: Int32) {
    while isOpen {
      // Waiting clients are accepted when others have ended.
      guard canOpenDescriptors(StandardStreams.neededDescriptors) else { return pause() }
      let socket = acceptConnection(listener)
      guard socket >= 0 else {
        let number = errno
        if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(number) { pause() }
        if number != ECONNABORTED && number != EINTR { return }
        continue
      }
      guard let user = peerUser(of: socket), user == geteuid() || user == 0 else {
        Platform.close(socket)
        continue
      }
      let connection = ControlConnection(socket, of: self)
      connections[ObjectIdentifier(connection)] = connection
    }
  }

  /// Stops accepting for a moment, because descriptors or memory have run out.
  private func pause() {
    guard !isPaused else { return }
    isPaused = true
    listening.suspend()
    callOnMain(after: .milliseconds(50)) { [weak self] in self?.resume() }
  }

  private func resume() {
    if isPaused { listening.resume() }
    isPaused = false
  }

  func ended(_ connection: ControlConnection) {
    connections[ObjectIdentifier(connection)] = nil
    control?.ended(connection)
    notifyIfLastEnded()
  }
}
