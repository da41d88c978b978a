import Foundation
import Platform
import Testing

@testable import CarillonRuntime

struct ControlClientTests {
  /// The system accepts connections for a suspended owner, and takes requests until its buffers are full.
  @Test(.timeLimit(.minutes(20))) func aSuspendedOwnerIsNotAwaited() throws {
    // In /tmp, because the path of a socket must be short.
    let folder = URL(fileURLWithPath: "/tmp/carillon-\(UUID().uuidString)")
    let environment = ["XDG_RUNTIME_DIR": folder.path]
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("carillon"), withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = try #require(SessionName.main.socketPath(environment: environment))
    let listener = listenOnSocket(at: path)
    try #require(listener >= 0)
    defer { systemClose(listener) }
    let connected = ControlClient(.main, timeout: 1, environment: environment)
    let client = try #require(connected)
    var request = ControlRequest("note")
    request.value = String(repeating: "x", count: 64_000)
    for _ in 0..<5 {
      let fault = #expect(throws: ControlClient.Fault.self) { try client.response(to: request) }
      let text = fault?.description ?? ""
      #expect(text.contains("did not respond within 1 s"), "\(text)")
    }
  }
}
