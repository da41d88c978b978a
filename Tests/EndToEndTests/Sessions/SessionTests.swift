import Foundation
import Testing

/// A dashboard restores the session of the previous one.
struct SessionTests {
  private func status(_ folder: TemporaryFolder, _ arguments: String...) async throws -> Finished {
    try await run(
      [Program.path(), "status"] + arguments, environment: Program.environment(in: folder),
      in: folder)
  }

  private func path(_ name: String, in folder: TemporaryFolder) -> String {
    folder.path("state") + "/carillon/sessions/" + name
  }

  /// The text of the saved session; empty if there is none yet.
  private func savedText(in folder: TemporaryFolder) -> String {
    (try? String(contentsOfFile: path("main.json", in: folder), encoding: .utf8)) ?? ""
  }

  private func write(_ text: String, in folder: TemporaryFolder) throws {
    try FileManager.default.createDirectory(
      atPath: path("", in: folder), withIntermediateDirectories: true)
    try text.write(
      toFile: path("main.json", in: folder), atomically: false, encoding: .utf8)
  }

  private static let canOffsetClocks: Bool = {
    let unshare = Process()
    unshare.executableURL = URL(filePath: "/usr/bin/env")
    unshare.arguments = ["unshare", "-T", "--boottime", "3600", "true"]
    (unshare.standardOutput, unshare.standardError) = (nil, nil)
    guard (try? unshare.run()) != nil else { return false }
    unshare.waitUntilExit()
    return unshare.terminationStatus == 0
  }()

  /// On a boot clock that is an hour ahead, as after an hour of sleep, `status` agrees with what a board would show.
  @Test(.enabled(if: canOffsetClocks, "clocks cannot be offset"))
  func aSavedSessionContinuesThroughSleep() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let environment = Program.environment(in: folder)
    let start = ContinuousClock.now
    let child = try ChildProcess(
      [Program.path(), "serve", "tea=3h", "nap=3h awake", "egg=5m"], environment: environment,
      streams: .init(error: folder.path("log")))
    defer { child.end() }
    let command = try [Program.path(), "status", "--format", "{name} {left} {state}"]
    try #require(
      try await eventually {
        try await run(command, environment: environment, in: folder).output.contains("egg 4:")
      })
    child.send(SIGTERM)
    #expect(try await child.ending() == .exited(0))
    let text = try await run(
      ["/usr/bin/env", "unshare", "-T", "--boottime", "3600"] + command, environment: environment,
      in: folder
    ).output
    let screen = Screen(text)
    let elapsed = Int((ContinuousClock.now - start).components.seconds) + 1
    let tea = try #require(screen.secondsLeft("tea"))
    #expect(tea <= 7200 && tea >= 7200 - elapsed, "\(text)")
    let nap = try #require(screen.secondsLeft("nap"))
    #expect(nap <= 10_800 && nap >= 10_800 - elapsed, "\(text)")
    let over = try #require(screen.secondsLeft("egg"))
    #expect(over >= 3300 && over <= 3300 + elapsed && text.contains("egg +"), "\(text)")
  }

  @Test func timersContinueAfterARestart() async throws {
    try await withShell { shell, _ in
      _ = try await shell.start("tea=10m nap=5m paused")
      try await shell.terminal.see("paused", inRow: "nap")
      try await shell.terminal.press("q")
      #expect(try await shell.status() == 0)
      _ = try await shell.start("egg=1h")
      let screen = try await shell.terminal.see("runs", inRow: "egg")
      #expect(screen.row("nap", has: "paused", "5:00"))
      let left = try #require(screen.secondsLeft("tea"))
      #expect(left <= 600 && left > 500)
      try await shell.terminal.press("q")
    }
  }

  /// A change is saved soon after it is shown, so nothing that ends the program reverts it.
  @Test(arguments: [SIGKILL, SIGTERM])
  func visibleStateIsSaved(signal: Int32) async throws {
    try await withPseudoTerminal(["tea=10m"]) { terminal, folder in
      try await terminal.output("the first frame") { $0.contains("tea") }
      terminal.type("aegg=9m\r")
      try await terminal.output("egg") { $0.contains("added") || $0.contains("egg") }
      terminal.type("p")
      // A key that the program has not read yet is no visible state.
      try await terminal.output("the pause") { $0.contains("paused") }
      let isSaved = try await eventually {
        let text = savedText(in: folder)
        return text.contains("egg") && (signal != SIGKILL || text.contains("paused"))
      }
      #expect(isSaved)
      terminal.child.send(signal)
      #expect(try await terminal.ending() == .killed(by: signal))
      let text = try await status(folder).output
      #expect(text.contains("egg") && text.contains("paused"))
    }
  }

  /// The status of a suspended board comes from its file, and a second board does not write over that.
  @Test func aSuspendedBoardKeepsItsSession() async throws {
    try await withPseudoTerminal(["tea=10m"]) { first, folder in
      try await first.output("the first frame") { $0.contains("tea") }
      #expect(try await eventually { try await status(folder).output.contains("tea") })
      #expect(
        try await eventually {
          savedText(in: folder).contains("tea")
        })
      first.child.send(SIGSTOP)
      let environment = Program.environment(in: folder)
      let second = try PseudoTerminal(
        [Program.path(), "egg=5m"], environment: environment, input: nil, error: nil)
      defer {
        second.child.end()
        second.close()
      }
      try await second.output("the reason") { $0.contains("it may be suspended") }
      #expect(try await second.ending() == .exited(1))
      let text = try await status(folder).output
      #expect(text.contains("tea") && !text.contains("egg"))
    }
  }

  @Test(arguments: [
    (#"{"version":3,"savedAt":1,"timers":[{"timer":"te"#, "unreadable"),
    (#"{"version":99}"#, "old"), ("", "unreadable"), ("no JSON", "unreadable"),
  ])
  func anUnreadableFileIsKept(text: String, word: String) async throws {
    try await withPseudoTerminal(
      command: [
        "sh", "-c",
        "mkdir -p \"$XDG_STATE_HOME/carillon/sessions\"; printf '%s' \"$1\" >\"$XDG_STATE_HOME/carillon/sessions/main.json\"; exec \"$0\" tea=10m",
        Program.path(), text,
      ]
    ) { terminal, folder in
      try await terminal.output("the error") { $0.contains("could not be read") }
      terminal.type("q")
      #expect(try await terminal.ending() == .exited(0))
      let kept = try String(
        contentsOfFile: path("main.json.\(word)", in: folder), encoding: .utf8)
      #expect(kept == text)
      #expect(try await status(folder).output.contains("tea"))
    }
  }

  /// The board continues and reports the failure.
  @Test func anInvalidStateFolderIsReported() async throws {
    try await withPseudoTerminal(["tea=10m"], environment: ["XDG_STATE_HOME": "/dev/null"]) {
      terminal, _ in
      try await terminal.output("a message") { $0.contains("changes here are not saved") }
      terminal.type("q")
      #expect(try await terminal.ending() == .exited(0))
    }
  }

  @Test func freshIgnoresTheSession() async throws {
    try await withPseudoTerminal(["--fresh", "tea=10m"]) { terminal, folder in
      try await terminal.output("the first frame") { $0.contains("tea") }
      terminal.type("q")
      #expect(try await terminal.ending() == .exited(0))
      #expect(!FileManager.default.fileExists(atPath: folder.path("state")))
    }
  }

  /// The first start offers examples. Hints follow, one a step, also after a restart.
  @Test func theFirstMinute() async throws {
    try await withPseudoTerminal([]) { terminal, folder in
      try await terminal.output("the examples") { $0.contains("What shall I time?") }
      terminal.type("\r")
      try await terminal.output("the first hint") { $0.contains("hint 1 of 5: Space") }
      terminal.type(" ")
      // The board has handled the key before it responds.
      let state = try await status(folder, "--format", "{name} {state}").output
      #expect(state == "tea paused\n")
      terminal.type("q")
      #expect(try await terminal.ending() == .exited(0))

      let environment = Program.environment(in: folder)
      let next = try PseudoTerminal([Program.path()], environment: environment)
      defer {
        next.child.end()
        next.close()
      }
      try await next.output("the second hint") { $0.contains("hint 2 of 5: +") }
      next.type("q")
      #expect(try await next.ending() == .exited(0))
    }
  }

  /// `resume` in the configuration applies equally to the board and to `carillon status`; while a board is
  /// open, its timers run.
  @Test func statusMatchesTheBoard() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let anHourAgo = Date().timeIntervalSince1970 - 3600
    let timers =
      #"[{"timer":"tea=3h","state":"running","left":7200},{"timer":"a=1h then tea","state":"running","left":1800}]"#
    try write(#"{"version":3,"savedAt":\#(anHourAgo),"timers":\#(timers)}"#, in: folder)
    let configuration = folder.path("config/carillon")
    try FileManager.default.createDirectory(
      atPath: configuration, withIntermediateDirectories: true)
    let file = "\(configuration)/config.toml"
    let text = { try await status(folder, "--format", "{name} {state} {left}").output }
    try #"resume = "frozen""#.write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try await text() == "tea running 2:00:00\na running 30:00\n")
    try #"resume = "clock""#.write(toFile: file, atomically: true, encoding: .utf8)
    let catchUp = try await text()
    #expect(
      catchUp.hasPrefix("tea running 2:") && catchUp.contains("a finished"), "\(catchUp)")
    try #"resume = "frozn""#.write(toFile: file, atomically: true, encoding: .utf8)
    let broken = try await status(folder)
    #expect(broken.ending == .exited(2) && broken.error.contains("(expected clock or frozen)"))
  }

  @Test func statusCanBeFormattedForBars() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    #expect(try await status(folder).output == "")
    let now = Date().timeIntervalSince1970
    let timers =
      #"[{"timer":"tea=3m","state":"running","left":100},{"timer":"nap=9m","state":"paused","left":70}]"#
    try write(#"{"version":3,"savedAt":\#(now),"timers":\#(timers)}"#, in: folder)
    #expect(try await status(folder, "nap", "--format", "{name} {left}").output == "nap 1:10\n")
    #expect(try await status(folder, "--next", "--format", "{name}").output == "tea\n")
    let json = try await status(folder, "--json").output.split(separator: "\n")
    let last = Data((json.last ?? "").utf8)
    let object = try #require(try JSONSerialization.jsonObject(with: last) as? [String: Any])
    #expect(object["state"] as? String == "paused" && object["left"] as? Double == 70)
    let unknown = try await status(folder, "te")
    #expect(unknown.ending == .exited(1))
    #expect(
      unknown.error == "carillon: status: unknown timer or group 'te' (did you mean 'tea'?)\n")
    try write("{", in: folder)
    let broken = try await status(folder)
    #expect(
      broken.ending == .exited(1)
        && broken.error.contains("main.json: not a complete session file"))
  }
}
