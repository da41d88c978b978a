import Foundation
import Platform
import Testing
import TimerBoard

@testable import CarillonRuntime

/// The clients of an owner.
@MainActor
@Suite(.timeLimit(.minutes(20)))
struct ControlServerTests {
  /// A client that has asked nothing for a while is disconnected, unless it watches.
  @Test func idleClientsAreDisconnected() async throws {
    // In /tmp, because the path of a socket must be short.
    let folder = "/tmp/carillon-\(UUID().uuidString)"
    try #require(mkdir(folder, 0o700) == 0)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let board = try TestBoard("tea=3m")
    defer { board.remove() }
    board.live.own(as: .background)
    let control = try #require(board.live.control)
    defer { control.close() }
    let server = ControlServer(for: control, idleLimit: .milliseconds(200))
    let path = "\(folder)/main.sock"
    #expect(try server.listen(at: [path]) == nil)
    defer { server.stopListening() }
    let sockets = (0..<3).map { _ in connectToSocket(at: path) }
    defer { for socket in sockets { close(socket) } }
    for socket in sockets { #expect(makeNonblocking(socket)) }
    let (silent, asking, watching) = (sockets[0], sockets[1], sockets[2])
    for (socket, command) in [(asking, "owner"), (watching, "watch")] {
      var request = ControlRequest(command).jsonLine[...]
      #expect(sendWithoutSignal(&request, to: socket) == 0)
    }
    var received: [Int32: Int] = [:]
    var ended: Set<Int32> = []
    try await until {
      for socket in sockets {
        var bytes = [UInt8](repeating: 0, count: 1 << 14)
        let count = read(socket, &bytes, bytes.count)
        if count > 0 { received[socket, default: 0] += count }
        if count == 0 { ended.insert(socket) }
      }
      return ended.count == 2
    }
    #expect(ended == [silent, asking])
    #expect(received[silent] == nil && received[asking] != nil && received[watching] != nil)
  }
}
