import Foundation
import Synchronization
import Testing

/// A Unix domain socket of a test. Its calls do not wait.
final class LocalSocket {
  enum Kind {
    /// Receives datagrams at the path.
    case datagrams
    /// Connects to the path.
    case client
  }

  private let descriptor: Int32
  private var received: [UInt8] = []

  init(_ kind: Kind, at path: String) throws {
    #if canImport(Glibc)
      let type = Int32((kind == .client ? SOCK_STREAM : SOCK_DGRAM).rawValue)
    #else
      let type = kind == .client ? SOCK_STREAM : SOCK_DGRAM
    #endif
    descriptor = ChildProcess.inheritance.withLock { _ in
      let descriptor = socket(AF_UNIX, type, 0)
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      return descriptor
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        kind == .client ? connect(descriptor, $0, size) : bind(descriptor, $0, size)
      }
    }
    try #require(result == 0, "\(path): \(String(cString: strerror(errno)))")
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  deinit { close(descriptor) }

  /// Returns the next datagram, or the next bytes of a stream; `nil` if there are none.
  func receive() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    return count >= 0 ? Array(bytes[..<count]) : nil
  }

  /// Sends bytes, and waits while the other end does not take them.
  /// - Returns: True if all were sent.
  func send(_ text: String) async throws -> Bool {
    var rest = Array(text.utf8)[...]
    return try await eventually {
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes {
          Foundation.send(descriptor, $0.baseAddress, $0.count, Self.noSignal)
        }
        guard count > 0 else { return errno != EAGAIN }
        rest = rest.dropFirst(count)
      }
      return true
    } && rest.isEmpty
  }

  /// Waits for the next line of a stream.
  func line(sourceLocation: SourceLocation = #_sourceLocation) async throws -> String {
    var line: [UInt8]?
    let isMet = try await eventually {
      if let bytes = receive() { received += bytes }
      guard let end = received.firstIndex(of: UInt8(ascii: "\n")) else { return false }
      line = Array(received[..<end])
      received.removeSubrange(...end)
      return true
    }
    try #require(
      isMet, "no complete line: \(received.count) bytes", sourceLocation: sourceLocation)
    return String(decoding: line ?? [], as: UTF8.self)
  }

  /// Waits until the other end closes the connection.
  func isClosed() async throws -> Bool {
    try await eventually {
      guard let bytes = receive() else { return errno == ECONNRESET }
      return bytes.isEmpty
    }
  }

  #if canImport(Darwin)
    private static let noSignal: Int32 = 0
  #else
    private static let noSignal = Int32(MSG_NOSIGNAL)
  #endif
}
