import Foundation
import Testing

@testable import TimerKitInspector

/// A client of the inspector's socket. A read waits for at most two minutes.
final class InspectorClient {
  private let descriptor: Int32
  private var received: [UInt8] = []

  init(_ path: String) throws {
    #if canImport(Glibc)
      descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
    #endif
    var timeout = timeval(tv_sec: 120, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    try #require(result == 0, "\(path): \(String(cString: strerror(errno)))")
  }

  deinit { close(descriptor) }

  /// - Returns: false if the other end has closed the connection.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress, $0.count, flags)
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private func receive() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    if count > 0 { received += bytes[..<count] }
    return count > 0
  }

  /// The lines of the next reply; `nil` if the other end has closed the connection.
  func reply() -> [String]? {
    while true {
      let lines = received.split(separator: 10, omittingEmptySubsequences: false)
      if let end = lines.dropLast().firstIndex(where: \.isEmpty) {
        received = Array(received[lines[end].endIndex...].dropFirst())
        return lines[..<end].map { String(decoding: $0, as: UTF8.self) }
      }
      guard receive() else { return nil }
    }
  }

  func ask(_ request: String) -> [String]? {
    send(Array("\(request)\n".utf8)) ? reply() : nil
  }

  /// Reads to the end of the connection.
  /// - Returns: false if it does not end.
  func isClosed() -> Bool {
    while receive() {}
    return errno != EAGAIN
  }

  /// Requests a page.
  func page(
    _ filter: String = "", offset: Int = 0, count: Int = 200, order: String = "name",
    isReversed: Bool = false
  ) throws -> InspectorPage {
    let reply = ask("page\t\(offset)\t\(count)\t\(order)\t\(isReversed ? 1 : 0)\t\(filter)")
    return InspectorPage(try #require(reply))
  }
}

/// The reply to a request for a page.
struct InspectorPage {
  let totals: [Int?]
  let timers: [[String]]

  init(_ lines: [String]) {
    let fields = lines.map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
    totals = fields[0].dropFirst().map { Int($0) }
    timers = fields.dropFirst().map { $0.map(String.init) }
    #expect(fields[0][0] == "totals" && fields[0].count == 7)
    #expect(timers.allSatisfy { $0[0] == "timer" && $0.count == 15 })
  }

  var labels: [String] { timers.map { $0[3] } }
  var numbers: [String] { timers.map { $0[1] } }
}

/// Runs a test with a folder that exists only meanwhile.
func withFolder(_ body: (String) async throws -> Void) async throws {
  let folder = "/tmp/inspector-\(getpid())"
  defer { try? FileManager.default.removeItem(atPath: folder) }
  try await body(folder)
}

/// Runs a test while the inspector is started. Call it in a process of its own, because an inspector shows all timers, and
/// keeps them for a moment.
func inspecting(
  allowsControl: Bool = false, idleLimit: Duration = .seconds(60),
  _ body: (_ path: String) async throws -> Void
) async throws {
  try await withFolder { folder in
    try TimerInspector.start(
      name: "test\n", allowsControl: allowsControl, in: folder, idleLimit: idleLimit)
    try await body("\(folder)/\(getpid()).sock")
    TimerInspector.stop()
  }
}
