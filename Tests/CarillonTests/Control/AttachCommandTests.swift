import Foundation
import Platform
import Testing

@testable import CarillonRuntime
@testable import Dashboard

/// The processes that `carillon attach` finds; threads play their inspectors.
struct AttachCommandTests {
  private let folder = "/tmp/carillon-\(UUID().uuidString)"

  private func withFolder(_ body: () throws -> Void) throws {
    try #require(mkdir(folder, 0o700) == 0)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body()
  }

  /// Listens as a process, and answers each request of each connection with the same text.
  private func listen(as id: pid_t, _ replies: [String: String]) throws {
    let listener = listenOnSocket(at: "\(folder)/\(id).sock")
    try #require(listener >= 0)
    Thread.detachNewThread {
      while case let socket = accept(listener, nil, nil), socket >= 0 {
        Thread.detachNewThread { Self.answer(socket, replies) }
      }
    }
  }

  private static func answer(_ socket: Int32, _ replies: [String: String]) {
    var block = [UInt8](repeating: 0, count: 1024)
    while case let count = read(socket, &block, block.count), count > 0 {
      let request = String(decoding: block[..<count], as: UTF8.self)
      let word = request.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
      _ = writeAll(Array((replies[word] ?? "error\tunknown\n\n").utf8), to: socket)
    }
    Platform.close(socket)
  }

  private func hello(_ id: pid_t, _ name: String, controls: Int = 0) -> [String: String] {
    [
      "hello": "timerkit\t1\t\(id)\t\(name)\t\(controls)\n\n",
      "page": "totals\t12\t12\t3\t4\t\t5\n\n",
    ]
  }

  private func failure(_ wanted: String?) -> (text: String, status: Int32) {
    do {
      _ = try AttachCommand.peers(wanted, in: folder)
      return ("", 0)
    } catch let error as any ProgramError {
      return (error.description, error.exitStatus)
    } catch {
      return ("\(error)", -1)
    }
  }

  @Test func listsAndFindsProcesses() throws {
    try withFolder {
      try listen(as: getpid(), hello(getpid(), "server"))
      try listen(as: getppid(), hello(getppid(), "worker", controls: 1))
      // Of a process that does not exist, and files that are no sockets of processes.
      let stale = listenOnSocket(at: "\(folder)/99999999.sock")
      for name in ["note", "0.sock", "-1.sock", "x.sock"] {
        _ = FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: nil)
      }
      let peers = try AttachCommand.peers(nil, in: folder)
      Platform.close(stale)
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/99999999.sock"))
      let lines = AttachCommand.list(peers).split(separator: "\n")
      #expect(lines.count == 2)
      #expect(lines.contains { $0.hasSuffix("\(getpid())  server  12 timers  no controls") })
      #expect(lines.contains { $0.hasSuffix("\(getppid())  worker  12 timers  controls") })
      #expect(try AttachCommand.peers("server", in: folder).map(\.process.id) == [Int64(getpid())])
      #expect(
        try AttachCommand.peers("\(getppid())", in: folder).map(\.process.name) == ["worker"])
      #expect(try AttachCommand.peers("Serv", in: folder).map(\.process.name) == ["server"])
      let error = failure("servr")
      #expect(error.status == ExitStatus.usageError)
      #expect(error.text.hasPrefix("attach: no process 'servr' (expected "))
      #expect(error.text.contains("\(getpid()) (server)"))
    }
  }

  @Test func anAmbiguousNameListsTheCandidates() throws {
    try withFolder {
      try listen(as: getpid(), hello(getpid(), "app"))
      try listen(as: getppid(), hello(getppid(), "app"))
      let error = failure("app")
      #expect(error.status == ExitStatus.usageError)
      #expect(error.text.hasPrefix("attach: several processes 'app' (expected "))
      #expect(error.text.contains("\(getppid()) (app)"))
    }
  }

  @Test func withoutAProcessTheStatusIsThatWithoutAnOwner() throws {
    #expect(failure(nil).status == ExitStatus.noOwner)
    try withFolder {
      #expect(failure(nil).status == ExitStatus.noOwner)
      #expect(failure("server").text.hasPrefix("attach: no process publishes its timers"))
    }
  }

  @Test func whatOthersCanUseIsRefused() throws {
    try withFolder {
      try listen(as: getpid(), hello(getpid(), "server"))
      #expect(failure("\(getpid())").text.isEmpty)
      chmod(folder, 0o755)
      #expect(failure(nil).text.contains("accessible to others"))
      let link = folder + "-link"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder)
      defer { unlink(link) }
      #expect(throws: FileError.self) { try AttachPeer.sockets(in: link) }
    }
  }

  @Test(arguments: [
    ("timerkit\t2\t1\tx\t0\n\n", "the process speaks version '2' of the protocol (expected 1)"),
    ("nonsense\n\n", "the process sent an invalid reply"),
    ("\n", "the process sent an invalid reply"),
    ("totals\t1\t1\t1\t1\t\t1\n\n", "the process sent an invalid reply"),
    (String(repeating: "x", count: 270_000), "the process sent a reply of more than 262144 bytes"),
    ("timerkit\t1", "the process does not reply; it may be suspended"),
  ])
  func anotherReplyIsRefusedInOneLine(reply: String, text: String) throws {
    try withFolder {
      try listen(as: getpid(), ["hello": reply])
      #expect(failure("\(getpid())").text == "attach: \(folder)/\(getpid()).sock: \(text)")
    }
  }

  @Test func theFolderIsThatOfTheEnvironment() {
    let user = geteuid()
    for (environment, folder) in [
      (["XDG_RUNTIME_DIR": "/run/user/7"], "/run/user/7/timerkit"),
      (["XDG_RUNTIME_DIR": "x", "TMPDIR": "/var/t"], "/var/t/timerkit-\(user)"),
      ([:], "/tmp/timerkit-\(user)"),
    ] {
      #expect(InspectorFolder.path { environment[$0] } == folder)
    }
  }
}
