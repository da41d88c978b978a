import Dashboard
import Platform
import Synchronization
import TimerBoard
import TimerKit

/// A connection to the inspector of a process. A request waits for its reply, on any queue.
final class AttachPeer: Sendable {
  /// The time for a whole reply, unless a request waits without a limit.
  private static let timeLimit = Duration.seconds(1)

  let process: AttachedProcess
  private let path: String
  private let socket: Mutex<Int32>

  /// Returns the paths of the sockets, and removes those at which no process listens.
  static func sockets(in folder: String) throws(FileError) -> [String] {
    guard FileSystem().exists(folder) else { return [] }
    try FileSystem().checkPrivateFolder(folder)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let ids = names.compactMap { $0.hasSuffix(".sock") ? pid_t($0.dropLast(5)) : nil }
    return ids.filter { $0 > 0 }.sorted().compactMap { id in
      let path = "\(folder)/\(id).sock"
      return removeDeadSocket(at: path) ? nil : path
    }
  }

  /// Connects to a socket in a folder that only the user can use.
  init(_ path: String) throws(FileError) {
    self.path = path
    let connected = try Self.connect(to: path)
    process = connected.process
    socket = Mutex(connected.socket)
  }

  private static func connect(
    to path: String
  ) throws(FileError) -> (socket: Int32, process: AttachedProcess) {
    let socket = connectToSocket(at: path)
    guard socket >= 0 else { throw FileError(path) }
    do throws(AttachError) {
      guard peerUser(of: socket) == geteuid() else { throw AttachError("belongs to another user") }
      switch try reply(to: "hello\n", socket, hasLimit: true) {
      case .hello(let process): return (socket, process)
      case .refused(let reason): throw AttachError("refuses the connection: \(reason)")
      default: throw AttachError()
      }
    } catch {
      Platform.close(socket)
      throw FileError(path, "the process \(error)")
    }
  }

  deinit { Platform.close(socket.withLock(\.self)) }

  /// Sends a request and waits for the reply. If the process has closed the connection, which it does after a minute without
  /// a request, connects once again.
  /// - Parameter hasLimit: False to wait without a limit, because a suspended process can continue.
  func reply(to request: String, hasLimit: Bool = true) throws(AttachError) -> AttachReply {
    let current = socket.withLock(\.self)
    do throws(AttachError) {
      return try Self.reply(to: request, current, hasLimit: hasLimit)
    } catch {
      guard error == .ended, let next = try? Self.connect(to: path) else { throw error }
      guard next.process.id == process.id, next.process.name == process.name else {
        Platform.close(next.socket)
        throw error
      }
      Platform.close(current)
      socket.withLock { $0 = next.socket }
      return try Self.reply(to: request, next.socket, hasLimit: hasLimit)
    }
  }

  private static func reply(
    to request: String, _ socket: Int32, hasLimit: Bool
  ) throws(AttachError) -> AttachReply {
    let end = TimerClock.suspending.now.advanced(by: timeLimit)
    setTimeout(SO_RCVTIMEO, of: socket, milliseconds: 0)
    var line = Array(request.utf8)[...]
    // A process that has closed the connection may have said why before.
    let isSent = sendWithoutSignal(&line, to: socket) == 0
    var reply: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while !reply.suffix(2).elementsEqual("\n\n".utf8), reply != [0x0A] {
      if hasLimit || !isSent {
        let left = TimerClock.suspending.now.duration(to: end) / .milliseconds(1)
        guard left >= 1 else { throw AttachError("does not reply; it may be suspended") }
        setTimeout(SO_RCVTIMEO, of: socket, milliseconds: Int(left))
      }
      let count = read(socket, &block, block.count)
      if count > 0 { reply += block[..<count] }
      if count < 0, errno == EINTR { continue }
      guard count != 0 else { throw .ended }
      guard count > 0 else {
        throw errno == EAGAIN ? AttachError("does not reply; it may be suspended") : .ended
      }
      guard reply.count <= AttachReply.sizeLimit else {
        throw AttachError("sent a reply of more than \(AttachReply.sizeLimit) bytes")
      }
    }
    return try AttachReply(reply)
  }
}
