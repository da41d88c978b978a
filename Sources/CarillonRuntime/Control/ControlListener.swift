import Dispatch
import Platform

/// The socket of a session at a path, which accepts the clients of the user, on the main queue.
@MainActor
final class ControlListener {
  let path: String
  /// The file of the socket, which others can remove or replace.
  private let file: FileIdentity?
  private let source: any DispatchSourceRead
  private let onClient: @MainActor (_ socket: Int32) -> Void
  /// A Boolean value that indicates whether no client is accepted for a moment. The source is suspended then.
  private var isPaused = false
  private var isOpen = true

  /// Listens at a path. The socket of a dead owner is replaced.
  /// - Parameter onClient: Takes the socket of a client.
  init(at path: String, onClient: @escaping @MainActor (_ socket: Int32) -> Void) throws(FileError)
  {
    self.path = path
    self.onClient = onClient
    let socket = try Self.listen(at: path)
    file = FileIdentity(ofEntry: path)
    source = DispatchSource.makeReadSource(fileDescriptor: socket, queue: .main)
    source.setEventHandler { [weak self] in
      MainActor.assumeIsolated { self?.accept(from: socket) }
    }
    source.setCancelHandler { Platform.close(socket) }
    source.activate()
  }

  /// A Boolean value that indicates whether the path still leads to this socket.
  var isReachable: Bool { file != nil && FileIdentity(ofEntry: path) == file }

  /// Removes the socket, unless another has its path, and accepts no more clients.
  func close() {
    guard isOpen else { return }
    isOpen = false
    if isReachable { unlink(path) }
    // A suspended source must not be released.
    resume()
    source.cancel()
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
      onClient(socket)
    }
  }

  /// Stops accepting for a moment, because descriptors or memory have run out.
  private func pause() {
    guard !isPaused else { return }
    isPaused = true
    source.suspend()
    callOnMain(after: .milliseconds(50)) { [weak self] in self?.resume() }
  }

  private func resume() {
    if isPaused { source.resume() }
    isPaused = false
  }
}
