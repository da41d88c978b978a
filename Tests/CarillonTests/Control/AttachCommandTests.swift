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
  /// - Parameter dripping: True to send a byte every tenth of a second.
  private func listen(
    as id: pid_t, _ replies: [String: String], dripping: Bool = false
  ) throws {
    let listener = listenOnSocket(at: "\(folder)/\(id).sock")
    try #require(listener >= 0)
    Thread.detachNewThread {
      while case let socket = accept(listener, nil, nil), socket >= 0 {
        Thread.detachNewThread { Self.answer(socket, replies, dripping: dripping) }
      }
    }
  }

  /// - Parameter limit: The number of requests after which the connection ends.
  private static func answer(
    _ socket: Int32, _ replies: [String: String], dripping: Bool = false, limit: Int = .max
  ) {
    var block = [UInt8](repeating: 0, count: 1024)
    var left = limit
    while left > 0, case let count = read(socket, &block, block.count), count > 0 {
      let request = String(decoding: block[..<count], as: UTF8.self)
      let word = request.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
      left -= 1
      var reply = Array((replies[word] ?? "error\tunknown\n\n").utf8)[...]
      let isWhole = !dripping
      while !reply.isEmpty {
        var part = isWhole ? reply : reply.prefix(1)
        reply = reply.dropFirst(part.count)
        guard sendWithoutSignal(&part, to: socket) == 0 else { break }
        if dripping { usleep(100_000) }
      }
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
      // Of a process that lives in another container: its number says nothing here.
      try listen(as: 99_999_998, hello(99_999_998, "inside"))
      // Of a process that has ended, whose number another one has now, and files that are no sockets of processes.
      let number = getppid() == 1 ? 2 : 1
      Platform.close(listenOnSocket(at: "\(folder)/\(number).sock"))
      for name in ["note", "0.sock", "-1.sock", "x.sock"] {
        _ = FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: nil)
      }
      let peers = try AttachCommand.peers(nil, in: folder)
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/\(number).sock"))
      #expect(FileManager.default.fileExists(atPath: "\(folder)/99999998.sock"))
      let lines = try AttachCommand.list(peers).split(separator: "\n")
      #expect(lines.count == 3)
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

  /// A program of the user that sends its reply in drops delays the list by a second, and not for ever; one whose page is
  /// invalid is not listed, and not the only one.
  @Test(.timeLimit(.minutes(20))) func aSlowOrInvalidReplyIsReported() throws {
    try withFolder {
      var invalid = hello(getpid(), "invalid")
      invalid["page"] = "totals\t12\n\n"
      try listen(as: getpid(), invalid)
      let peer = try AttachPeer("\(folder)/\(getpid()).sock")
      #expect(throws: ProgramFailure.self) { try AttachCommand.list([peer]) }
      try listen(as: getppid(), hello(getppid(), "server"))
      let peers = try AttachCommand.peers(nil, in: folder)
      #expect(peers.count == 2)
      #expect(try AttachCommand.list(peers).split(separator: "\n").count == 1)
      try listen(as: 99_999_997, ["hello": String(repeating: "x", count: 100_000)], dripping: true)
      #expect(
        failure("99999997").text
          == "attach: \(folder)/99999997.sock: the process does not reply; it may be suspended")
    }
  }

  /// A board that was stopped for a while is connected again, because the process ends a connection without requests.
  @Test(.timeLimit(.minutes(20))) func anEndedConnectionIsMadeAgain() throws {
    try withFolder {
      let path = "\(folder)/\(getpid()).sock"
      let listener = listenOnSocket(at: path)
      try #require(listener >= 0)
      let replies = hello(getpid(), "server")
      Thread.detachNewThread {
        // Each connection is closed after two requests.
        while case let socket = accept(listener, nil, nil), socket >= 0 {
          Self.answer(socket, replies, limit: 2)
        }
      }
      let peer = try AttachPeer(path)
      for _ in 0..<5 {
        guard case .page = try peer.reply(to: "page\t0\t0\tname\t0\t\n") else {
          Issue.record("no page")
          return
        }
      }
      unlink(path)
      _ = try? peer.reply(to: "page\t0\t0\tname\t0\t\n")
      #expect(throws: AttachError.ended) { try peer.reply(to: "page\t0\t0\tname\t0\t\n") }
      Platform.close(listener)
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
    (
      "error\ttoo many clients (at most 16)\n\n",
      "the process refuses the connection: too many clients (at most 16)"
    ),
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
