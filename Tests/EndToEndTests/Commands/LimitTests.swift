import Foundation
import Testing

#if os(Linux)
  /// Limited resources; `make faults` tests more of them.
  struct LimitTests {
    private func withLimit(
      _ limit: String, _ timers: [String],
      _ test: (PseudoTerminal, TemporaryFolder) async throws -> Void
    ) async throws {
      try await withPseudoTerminal(
        command: ["sh", "-c", "ulimit \(limit); exec \"$0\" \"$@\"", Program.path()] + timers
      ) { terminal, folder in
        try await test(terminal, folder)
      }
    }

    @Test func fewOpenFilesAreEnough() async throws {
      let timers = (1...100).map { "t\($0)=every 100ms run 'sleep 1'" }
      try await withLimit("-n 56", timers) { terminal, _ in
        try await terminal.output("the first frame") { $0.contains("t10") }
        terminal.type("aegg=5m\r")
        try await terminal.output("egg") { $0.contains("egg") }
        terminal.type("q")
        #expect(try await terminal.ending() == .exited(0))
      }
    }

    @Test(arguments: [4, 8, 10, 12, 16, 20]) func tooFewOpenFilesAreReported(count: Int)
      async throws
    {
      try await withLimit("-n \(count)", ["tea=10m"]) { terminal, _ in
        let ending = try await terminal.ending()
        #expect(ending == .exited(1))
        #expect(terminal.output().contains("carillon: "))
        #expect(terminal.modes == terminal.modesBefore)
      }
    }

    @Test(arguments: [["run", "--max-time", "60ms", "every 20ms"], ["serve"], ["ctl", "list"]])
    func everyCommandReportsTooFewOpenFiles(_ words: [String]) async throws {
      let folder = try TemporaryFolder()
      defer { folder.remove() }
      for count in [4, 8, 11, 20] {
        let finished = try await run(
          ["sh", "-c", "ulimit -n \(count); exec \"$0\" \"$@\"", Program.path()] + words,
          environment: Program.environment(in: folder), in: folder)
        #expect(finished.ending == .exited(1), "\(count)")
        #expect(finished.error.contains("too few open files allowed"), "\(finished)")
      }
    }

    /// A process that could accept no client does not become the owner, and says how many files it needs.
    @Test func anOwnerThatCouldServeNobodyIsNotStarted() async throws {
      let folder = try TemporaryFolder()
      defer { folder.remove() }
      let environment = Program.environment(in: folder)
      let limited = { (count: Int) in
        ["sh", "-c", "ulimit -n \(count); exec \"$0\" serve tea=1h", try Program.path()]
      }
      let expected = /too few open files allowed: (\d+) \(expected at least (\d+), see ulimit -n\)/
      for count in 24...34 {
        let refused = try await run(limited(count), environment: environment, in: folder)
        #expect(refused.ending == .exited(1))
        let match = try #require(refused.error.firstMatch(of: expected), "\(refused)")
        #expect(Int(match.1) == count)
      }
      // The number that it names is enough, once the files that it inherits from the test are below the limit.
      var count = 34
      while true {
        let log = folder.path("log-\(count)")
        let child = try ChildProcess(
          limited(count), environment: environment, streams: .init(error: log))
        defer { child.end() }
        var isServed = false
        _ = try await eventually {
          isServed =
            try await run([Program.path(), "ctl", "list"], environment: environment, in: folder)
            .ending == .exited(0)
          return isServed || child.endingIfAny() != nil
        }
        if isServed { break }
        let text = try folder.text(of: "log-\(count)")
        let number = text.firstMatch(of: expected).flatMap { Int($0.2) }
        let needed = try #require(number, "\(count): \(text)")
        try #require(needed > count, "\(text)")
        count = needed
      }
    }

    /// The owner keeps enough descriptors for itself, and accepts the waiting clients as soon as others have ended.
    @Test func clientsCannotUseUpTheOpenFiles() async throws {
      let folder = try TemporaryFolder()
      defer { folder.remove() }
      let child = try ChildProcess(
        ["sh", "-c", "ulimit -n 64; exec \"$0\" serve", Program.path()],
        environment: Program.environment(in: folder), streams: .init())
      defer { child.end() }
      let path = folder.path("carillon/main.sock")
      let list = #"{"version":1,"command":"list"}"# + "\n"
      // The socket is there a moment before the owner listens.
      try #require(
        try await eventually {
          try await run(
            [Program.path(), "ctl", "list"], environment: Program.environment(in: folder),
            in: folder
          ).ending == .exited(0)
        })
      let first = try LocalSocket(.client, at: path)
      #expect(try await first.send(list))
      _ = try await first.line()
      var others = try (0..<100).map { _ in try LocalSocket(.client, at: path) }
      let last = try LocalSocket(.client, at: path)
      #expect(try await last.send(list))
      let timers = #"["every 10ms run true","w=daily 23:50","x=1s awake"]"#
      #expect(
        try await first.send(#"{"version":1,"command":"add","timers":\#(timers)}"# + "\n"))
      #expect(try await first.line().contains(#""ok":true"#))
      let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(child.pid)/fd")
      // Clients leave 24 to the program. Commands start while 12 are left, and use some of these.
      #expect((40...58).contains(open.count), "\(open.count)")
      others.removeAll()
      #expect(try await last.line().contains(#""timer":"every 10ms run true""#))
      #expect(child.endingIfAny() == nil)
    }

    /// As on a full disk: the previous session is kept. In units of 512 bytes.
    @Test func aFileSizeLimitKeepsTheSession() async throws {
      let old = #"{"version":3,"savedAt":1,"timers":[]}"#
      let script = """
        ulimit -f 32; mkdir -p "$XDG_STATE_HOME/carillon/sessions"
        printf %s '\(old)' >"$XDG_STATE_HOME/carillon/sessions/main.json"; exec "$0" "$@"
        """
      let timers = (1...60).map { "t\($0)=1h note '\(String(repeating: "x", count: 300))'" }
      try await withPseudoTerminal(command: ["sh", "-c", script, Program.path()] + timers) {
        terminal, folder in
        try await terminal.output("the failure") { $0.contains("cannot be saved") }
        terminal.type("q")
        let ending = try await terminal.ending()
        #expect(ending == .exited(1))
        #expect(try folder.text(of: "state/carillon/sessions/main.json") == old)
      }
    }

    @Test func aTerminalCanCloseAtAnyTime() async throws {
      for milliseconds in stride(from: 0, through: 90, by: 15) {
        try await withPseudoTerminal(["tea=10m", "every 20ms", "every 30ms run 'sleep 60'"]) {
          terminal, folder in
          try await ContinuousClock().sleep(for: .milliseconds(milliseconds))
          terminal.type("aegg=3m\r")
          terminal.close()
          #expect(try await terminal.child.ending() != nil)
          let path = folder.path("state/carillon/sessions/main.json")
          guard let bytes = FileManager.default.contents(atPath: path) else { return }
          let object = try JSONSerialization.jsonObject(with: bytes)
          #expect(object is [String: Any])
        }
      }
    }
  }
#endif
