/// The clients of the owner of a session, and the socket on which it listens for them, on the main queue.
@MainActor
final class ControlServer {
  /// `nil` while no socket can be made.
  private var listener: ControlListener?
  private var connections: [ObjectIdentifier: ControlConnection] = [:]
  private(set) weak var control: SessionControl?
  private let idleLimit: Duration
  /// Called when all connections have ended, after ``closeConnections(then:)``.
  private var onLastEnd: (@MainActor () -> Void)?

  /// - Parameter idleLimit: The time after which a client is disconnected that neither watches nor waits for a response.
  init(for control: SessionControl, idleLimit: Duration = .seconds(600)) {
    self.control = control
    self.idleLimit = idleLimit
  }

  /// The path of the socket; `nil` if there is none.
  var path: String? { listener?.path }

  /// Listens at the first of the paths at which that is possible, unless it does so already. Open connections stay.
  /// - Returns: The error of an earlier path, unless the folder is missing in which its folder would be.
  /// - Throws: The error of the first path. An earlier socket is closed then, too.
  func listen(at paths: [String]) throws(FileError) -> FileError? {
    var firstError: FileError?
    for path in paths {
      if let listener, listener.path == path, listener.isReachable { return firstError }
      let place = FileSystem.folder(of: FileSystem.folder(of: path))
      if path != paths.last, FileIdentity(at: place) == nil { continue }
      do throws(FileError) {
        let listener = try ControlListener(at: path) { [weak self] in self?.accept($0) }
        stopListening()
        self.listener = listener
        return firstError
      } catch {
        firstError = firstError ?? error
      }
    }
    stopListening()
    if let firstError { throw firstError }
    return nil
  }

  private func accept(_ socket: Int32) {
    let connection = ControlConnection(socket, of: self, idleLimit: idleLimit)
    connections[ObjectIdentifier(connection)] = connection
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
    listener?.close()
    listener = nil
  }

  func ended(_ connection: ControlConnection) {
    connections[ObjectIdentifier(connection)] = nil
    control?.ended(connection)
    notifyIfLastEnded()
  }
}
