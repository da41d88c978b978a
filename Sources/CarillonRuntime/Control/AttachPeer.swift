import Dashboard
import Platform
import TimerBoard

/// A connection to the inspector of a process. A request waits for its reply, on any queue.
final class AttachPeer: Sendable {
  let process: AttachedProcess
  private let socket: Int32

  /// Returns the paths of the sockets, and removes those of processes that no longer exist.
  static func sockets(in folder: String) throws(FileError) -> [String] {
    guard FileSystem().exists(folder) else { return [] }
    try FileSystem().checkPrivateFolder(folder)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let ids = names.compactMap { $0.hasSuffix(".sock") ? pid_t($0.dropLast(5)) : nil }
    return ids.filter { $0 > 0 }.sorted().compactMap { id in
      let path = "\(folder)/\(id).sock"
      guard kill(id, 0) != 0, errno == ESRCH else { return path }
      unlink(path)
      return nil
    }
  }

  /// Connects to a socket in a folder that only the user can use.
  init(_ path: String) throws(FileError) {
    socket = connectToSocket(at: path)
    guard socket >= 0 else { throw FileError(path) }
    do throws(AttachError) {
      guard peerUser(of: socket) == geteuid() else { throw AttachError("belongs to another user") }
      guard case .hello(let process) = try Self.reply(to: "hello\n", socket, hasLimit: true) else {
        throw AttachError()
      }
      self.process = process
    } catch {
      Platform.close(socket)
      throw FileError(path, "the process \(error)")
    }
  }

  deinit { Platform.close(socket) }

  /// - Parameter hasLimit: False to wait without a limit, because a suspended process can continue.
  func reply(to request: String, hasLimit: Bool = true) throws(AttachError) -> AttachReply {
    try Self.reply(to: request, socket, hasLimit: hasLimit)
  }

  private static func reply(
    to request: String, _ socket: Int32, hasLimit: Bool
  ) throws(AttachError) -> AttachReply {
    setTimeout(SO_RCVTIMEO, of: socket, seconds: hasLimit ? 1 : 0)
    var line = Array(request.utf8)[...]
    guard sendWithoutSignal(&line, to: socket) == 0 else { throw AttachError("has ended") }
    var reply: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while !reply.suffix(2).elementsEqual("\n\n".utf8), reply != [0x0A] {
      let count = read(socket, &block, block.count)
      if count > 0 { reply += block[..<count] }
      if count < 0, errno == EINTR { continue }
      guard count != 0 else { throw AttachError("has ended") }
      guard count > 0 else { throw AttachError("does not reply; it may be suspended") }
      guard reply.count <= AttachReply.sizeLimit else {
        throw AttachError("sent a reply of more than \(AttachReply.sizeLimit) bytes")
      }
    }
    return try AttachReply(reply)
  }
}
