import Foundation
import Testing

#if os(Linux)
  /// However and whenever the program ends, none of its processes is left.
  struct GuardianTests {
    /// Returns the processes with a test's folder in their environment, which every child inherits.
    private func processes(of folder: TemporaryFolder) -> [pid_t] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
      let home = Data(folder.path("home").utf8)
      return names.compactMap { pid_t($0) }.filter { process in
        FileManager.default.contents(atPath: "/proc/\(process)/environ")?.range(of: home) != nil
          && isAlive(process)
      }
    }

    private func expectNoProcesses(_ folder: TemporaryFolder) async throws {
      let isGone = try await eventually(within: .seconds(10)) { processes(of: folder).isEmpty }
      #expect(isGone, "\(processes(of: folder)) are left")
      for process in processes(of: folder) { kill(process, SIGKILL) }
    }

    private static let signals = [
      SIGKILL, SIGQUIT, SIGABRT, SIGUSR1, SIGPIPE, SIGALRM, SIGSEGV, SIGXCPU, SIGIO,
    ]

    @Test(arguments: signals) func aKilledBoardLeavesNoProcesses(signal: Int32) async throws {
      let timers = (1...6).map { "t\($0)=50ms run 'echo >>$HOME.begun; sleep 600 & sleep 600'" }
      try await withPseudoTerminal(timers) { terminal, folder in
        #expect(try await eventually { Self.lines(of: "home.begun", in: folder) == 6 })
        terminal.child.send(signal)
        #expect(try await terminal.ending() == .killed(by: signal))
        try await expectNoProcesses(folder)
      }
    }

    @Test(arguments: [SIGKILL, SIGQUIT, SIGUSR2]) func aKilledRunLeavesNoProcesses(signal: Int32)
      async throws
    {
      let folder = try TemporaryFolder()
      defer { folder.remove() }
      let child = try ChildProcess(
        [
          Program.path(), "run", "every 20ms x6", "--", "sh", "-c",
          "trap '' TERM; echo >>$HOME.begun; sleep 600",
        ],
        environment: Program.environment(in: folder), streams: .init())
      defer { child.end() }
      #expect(try await eventually { Self.lines(of: "home.begun", in: folder) > 0 })
      child.send(signal)
      #expect(try await child.ending() == .killed(by: signal))
      try await expectNoProcesses(folder)
    }

    /// At different times while commands are being started.
    @Test(arguments: Array(stride(from: 0, through: 120, by: 8)))
    func quittingWhileCommandsStartLeavesNoProcesses(milliseconds: Int) async throws {
      let timers = (1...8).map { "t\($0)=every 30ms run 'sleep 600'" }
      try await withPseudoTerminal(timers) { terminal, folder in
        try await terminal.output("the first frame") { $0.contains("t8") }
        try await ContinuousClock().sleep(for: .milliseconds(milliseconds))
        terminal.type("q")
        #expect(try await terminal.ending() == .exited(0))
        try await expectNoProcesses(folder)
      }
    }

    /// The guardian is started with the first command, and replaced with the next command if it is
    /// killed.
    @Test func aKilledGuardianIsReplaced() async throws {
      let jobs = ["one", "two"].map { "\($0)=every 1h run 'echo >>$HOME.begun; sleep 600'" }
      try await withPseudoTerminal(["tea=10m"] + jobs) { terminal, folder in
        try await terminal.output("the first frame") { $0.contains("tea") }
        #expect(processes(of: folder).count == 1)
        terminal.type("jf")
        #expect(
          try await eventually { Self.lines(of: "home.begun", in: folder) == 1 },
          "\(terminal.output().suffix(800))")
        let first = try #require(guardian(in: folder))
        kill(first, SIGKILL)
        // A command that starts before the guardian has ended still relies on it.
        #expect(try await eventually { !isAlive(first) })
        terminal.type("jf")
        #expect(try await eventually { Self.lines(of: "home.begun", in: folder) == 2 })
        let second = try #require(guardian(in: folder))
        #expect(second != first)
        terminal.child.send(SIGKILL)
        try await expectNoProcesses(folder)
      }
    }

    private func guardian(in folder: TemporaryFolder) -> pid_t? {
      processes(of: folder).first { process in
        FileManager.default.contents(atPath: "/proc/\(process)/cmdline")?
          .range(of: Data("carillon-guardian".utf8)) != nil
      }
    }

    private static func lines(of name: String, in folder: TemporaryFolder) -> Int {
      ((try? folder.text(of: name)) ?? "").count { $0 == "\n" }
    }
  }
#endif
