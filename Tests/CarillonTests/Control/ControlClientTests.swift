import Foundation
import Platform
import Testing

@testable import CarillonRuntime

struct ControlClientTests {
  /// The system accepts connections for a suspended owner, and takes requests until its buffers are full.
  @Test(.timeLimit(.minutes(20))) func aSuspendedOwnerIsNotAwaitedNorAnOpenFolderTrusted() throws {
    // In /tmp, because the path of a socket must be short.
    let folder = URL(fileURLWithPath: "/tmp/carillon-\(UUID().uuidString)")
    let environment = ["XDG_RUNTIME_DIR": folder.path, "XDG_STATE_HOME": folder.path]
    let socketFolder = folder.appendingPathComponent("carillon")
    try FileManager.default.createDirectory(
      at: socketFolder, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try #require(SessionStore(environment: environment))
    guard case .acquired(let ownership) = try store.acquireLock() else { return }
    defer { ownership.release() }
    let path = store.socketPaths[0]
    ownership.record(socket: path)
    let listener = listenOnSocket(at: path)
    try #require(listener >= 0)
    defer { Platform.close(listener) }
    // Others could listen in an open folder.
    chmod(socketFolder.path, 0o755)
    let refusal = #expect(throws: ProgramFailure.self) {
      try ControlClient.connect(to: store)
    }
    #expect(refusal?.description.contains("accessible to others") == true)
    chmod(socketFolder.path, 0o700)
    let connected = try ControlClient.connect(to: store, timeout: 1)
    let client = try #require(connected)
    var request = ControlRequest("note")
    request.value = String(repeating: "x", count: 64_000)
    for _ in 0..<5 {
      let fault = #expect(throws: ProgramFailure.self) { try client.response(to: request) }
      let text = fault?.description ?? ""
      #expect(text.contains("did not respond within 1 s"), "\(text)")
    }
  }
}
