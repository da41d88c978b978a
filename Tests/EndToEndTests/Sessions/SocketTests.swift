import Foundation
import Testing

/// The socket of a session: who can use it, and what it does with any client. `carillon-protocol(7)` describes it.
struct SocketTests {
  /// Runs a test with the path of the socket while `carillon serve` owns the session.
  private func serving(
    _ timers: [String] = ["tea=3m"], _ test: (TemporaryFolder, String) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let child = try ChildProcess(
      [Program.path(), "serve"] + timers, environment: Program.environment(in: folder),
      streams: .init(error: folder.path("log")))
    defer { child.end() }
    let path = folder.path("carillon/main.sock")
    try #require(try await eventually { try await control(folder, "list").ending == .exited(0) })
    try await test(folder, path)
    // No client has ended it.
    #expect(try await control(folder, "list").output.contains("running"))
  }

  private func control(_ folder: TemporaryFolder, _ words: String...) async throws -> Finished {
    try await run(
      [Program.path(), "ctl"] + words, environment: Program.environment(in: folder), in: folder)
  }

  private func mode(_ path: String) throws -> Int? {
    (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?
      .intValue
  }

  @Test func onlyItsUserCanReachTheSocket() async throws {
    try await serving { folder, path in
      let modes = try [path, folder.path("carillon")].map(mode)
      #expect(modes == [0o600, 0o700])
    }
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try FileManager.default.createDirectory(
      atPath: folder.path("carillon"), withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o755])
    let child = try ChildProcess(
      [Program.path(), "serve", "tea=3m"], environment: Program.environment(in: folder),
      streams: .init(error: folder.path("log")))
    defer { child.end() }
    #expect(
      try await eventually {
        let log = try folder.text(of: "log")
        return log.contains("carillon: accessible to others") && log.contains("; the socket is ")
      })
    // Clients find another one.
    #expect(!FileManager.default.fileExists(atPath: folder.path("carillon/main.sock")))
    #expect(try await control(folder, "list").ending == .exited(0))
  }

  /// A link or another socket at the path is replaced; anything else is named in the message.
  @Test(arguments: ["ln -s nowhere", "ln -s main.sock", "datagrams", "mkdir", "touch"])
  func anythingAtThePathIsReplacedOrReported(kind: String) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = folder.path("carillon/main.sock")
    try FileManager.default.createDirectory(
      atPath: folder.path("carillon"), withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    if kind == "datagrams" {
      _ = try LocalSocket(.datagrams, at: path)
    } else {
      _ = try await run(["sh", "-c", "\(kind) \(path)"], environment: [:], in: folder)
    }
    let child = try ChildProcess(
      [Program.path(), "serve", "tea=3m"], environment: Program.environment(in: folder),
      streams: .init(error: folder.path("log")))
    defer { child.end() }
    if ["mkdir", "touch"].contains(kind) {
      #expect(
        try await eventually {
          try folder.text(of: "log").contains("not a socket (expected: rm -r '\(path)')")
        })
    } else {
      #expect(try await eventually { try await control(folder, "list").ending == .exited(0) })
    }
  }

  /// Even if the files' permissions let another user connect, the owner does not respond.
  @Test(.enabled(if: geteuid() == 0 && isInstalled("setpriv") && isInstalled("perl")))
  func anotherUserIsRefused() async throws {
    try await serving { folder, path in
      let client = """
        use Socket; socket(my $s, AF_UNIX, SOCK_STREAM, 0) or die;
        connect($s, pack_sockaddr_un($ARGV[0])) or die "no connection: $!";
        syswrite $s, qq({"version":1,"command":"owner"}\\n); print sysread($s, my $line, 9999), "\\n";
        """
      let asUser = ["perl", "-e", client, path]
      let asOther = ["setpriv", "--reuid", "65534", "--clear-groups"] + asUser
      let environment = Program.environment(in: folder)
      let own = try await run(asUser, environment: environment, in: folder)
      #expect(Int(own.output.dropLast()) ?? 0 > 0, "\(own)")
      let unreachable = try await run(asOther, environment: environment, in: folder)
      #expect(unreachable.error.contains("no connection"), "\(unreachable)")
      chmod(folder.path("carillon"), 0o755)
      chmod(path, 0o666)
      let other = try await run(asOther, environment: environment, in: folder)
      #expect(["0", ""].contains(other.output.dropLast()) && other.error == "", "\(other)")
      // A client trusts no folder that others can write to or read.
      chmod(folder.path("carillon"), 0o700)
      chmod(path, 0o600)
    }
  }

  @Test func anyRequestIsAnsweredOrRefused() async throws {
    try await serving { _, path in
      let client = try LocalSocket(.client, at: path)
      for (request, expected) in [
        ("nonsense", "invalid request"), ("{}", "invalid request"), ("", "invalid request"),
        (#"{"version":2,"command":"list"}"#, "unsupported version 2 of the protocol (expected 1)"),
        (#"{"version":1,"command":"fly"}"#, "unknown command 'fly'"),
        (#"{"version":1,"command":"pause"}"#, "no timer given (expected names, --all or --next)"),
        (#"{"version":1,"command":"more","timers":["tea"],"value":"-"}"#, "'-'"),
        (#"{"version":1,"command":"confirm"}"#, "the session is not being handed over"),
        (#"{"version":1,"command":"owner","future":true}"#, #""kind":"background""#),
        (#"{"version":1,"command":"pause","timers":["tea"]}"#, #""text":"tea: paused, "#),
        (#"{"version":1,"command":"resume","selection":"all"}"#, #""ok":true"#),
      ] {
        #expect(try await client.send(request + "\n"))
        let response = try await client.line()
        #expect(response.contains(expected), "\(request): \(response)")
      }
    }
  }

  /// The list does not wait for the save, but for the pause before it. A client that sends no more gets all responses.
  @Test(.enabled(if: isInstalled("perl")))
  func pipelinedResponsesKeepTheirOrder() async throws {
    try await serving(["tea=3m", "egg=5m"]) { folder, path in
      let client = """
        use Socket; socket(my $s, AF_UNIX, SOCK_STREAM, 0) or die;
        connect($s, pack_sockaddr_un($ARGV[0])) or die "no connection: $!";
        syswrite $s, qq({"version":1,"command":"pause","timers":["tea"]}\\n)
          . qq({"version":1,"command":"pause","timers":["egg"],"wait":false}\\n)
          . qq({"version":1,"command":"owner"}\\n);
        shutdown($s, 1); print while <$s>;
        """
      let responses = try await run(
        ["perl", "-e", client, path], environment: Program.environment(in: folder), in: folder)
      let lines = responses.output.split(separator: "\n")
      try #require(lines.count == 3, "\(responses)")
      #expect(lines[0].contains("tea: paused") && lines[1].contains("egg: paused"))
      #expect(lines[2].contains(#""kind":"background""#))
      _ = try await control(folder, "resume", "--all")
    }
  }

  @Test func aLongRequestIsRefused() async throws {
    try await serving { _, path in
      let client = try LocalSocket(.client, at: path)
      _ = try await client.send(String(repeating: "x", count: 1 << 20))
      #expect(try await client.isClosed())
    }
  }

  /// A client that sends half a line or reads nothing is dropped; one that is idle stays.
  @Test func anIncompleteRequestIsDropped() async throws {
    try await serving { _, path in
      let idle = try LocalSocket(.client, at: path)
      let half = try LocalSocket(.client, at: path)
      let start = ContinuousClock.now
      #expect(try await half.send(#"{"version":1,"#))
      #expect(try await half.isClosed())
      #expect(ContinuousClock.now - start > .seconds(4))
      #expect(try await idle.send(#"{"version":1,"command":"owner"}"# + "\n"))
      #expect(try await idle.line().contains(#""ok":true"#))
    }
  }

  /// A process that takes a session over must confirm within five seconds; otherwise the timers continue, with their
  /// counts.
  @Test func aHandOverWithoutConfirmationEnds() async throws {
    try await serving(["a=every 50ms", "tea=3m"]) { folder, path in
      let successor = try LocalSocket(.client, at: path)
      // In one write, because five seconds can pass before another process has started.
      let requests = [
        #"{"version":1,"command":"hand-over"}"#,
        #"{"version":1,"command":"pause","timers":["a"]}"#,
      ]
      #expect(try await successor.send(requests.map { $0 + "\n" }.joined()))
      #expect(try await successor.line().contains(#""ok":true"#))
      #expect(try await successor.line().contains("the session is being handed over"))
      #expect(try await successor.isClosed())
      #expect(
        try await eventually { try await control(folder, "pause", "a").ending == .exited(0) })
      let lineCount = { (try? folder.text(of: "log").split(separator: "\n").count) ?? 0 }
      let before = lineCount()
      #expect(try await control(folder, "resume", "a").ending == .exited(0))
      #expect(try await eventually { lineCount() > before + 2 })
    }
  }

  @Test func aClientThatDoesNotReadIsDropped() async throws {
    try await serving { folder, path in
      let client = try LocalSocket(.client, at: path)
      let request = #"{"version":1,"command":"list"}"# + "\n"
      // The buffers become full. The owner then waits at most five seconds, or for 16 MiB, and a send fails.
      let requests = String(repeating: request, count: 1000)
      #expect(try await eventually { try await !client.send(requests) })
      #expect(try await control(folder, "pause", "tea").ending == .exited(0))
      #expect(try await control(folder, "resume", "tea").ending == .exited(0))
    }
  }

  @Test func manyWatchersDelayNoTimer() async throws {
    try await serving(["beat=every 50ms", "tea=3m"]) { folder, path in
      var watchers: [LocalSocket] = []
      for _ in 0..<100 {
        let watcher = try LocalSocket(.client, at: path)
        #expect(try await watcher.send(#"{"version":1,"command":"watch"}"# + "\n"))
        watchers.append(watcher)
      }
      for watcher in watchers {
        #expect(try await watcher.line().contains(#""session""#))
        #expect(try await watcher.line().contains(#""event":"fired""#))
      }
    }
  }

  /// The responses of a connection have the order of its requests, also while a hand-over waits for another one.
  @Test func aDelayedHandOverKeepsTheOrder() async throws {
    try await serving { folder, path in
      let handOver = #"{"version":1,"command":"hand-over"}"# + "\n"
      let first = try LocalSocket(.client, at: path)
      #expect(try await first.send(handOver))
      #expect(try await first.line().contains(#""ok":true"#))
      let second = try LocalSocket(.client, at: path)
      #expect(try await second.send(handOver + #"{"version":1,"command":"owner"}"# + "\n"))
      // After five seconds the first one has lapsed.
      let line = try await second.line()
      #expect(line.contains(#""ok":true"#) && !line.contains("owner"), "\(line)")
      #expect(try await second.line().contains("owner"))
    }
  }
}
