import Foundation
import Testing

/// Commands that timers on the board run.
struct CommandTests {
  /// No process of a command is left after the board ends.
  @Test(arguments: ["q", "\u{3}", "SIGTERM", "dq"])
  func noProcessIsLeft(end: String) async throws {
    try await withPseudoTerminal(["a=every 1h run 'sleep 600 & echo $! >$HOME.pid; wait'"]) {
      terminal, folder in
      try await terminal.output("the first frame") { $0.contains("1h") }
      terminal.type("f")
      var child: pid_t?
      let isMet = try await eventually {
        child = (try? folder.line(of: "home.pid")).flatMap { pid_t($0) }
        return child != nil
      }
      #expect(isMet)
      if end == "SIGTERM" { terminal.child.send(SIGTERM) } else { terminal.type(end) }
      let pid = try #require(child)
      #expect(try await eventually { !isAlive(pid) })
    }
  }

  /// A command that deletes its own timer goes on, and the history has its result.
  @Test func aCommandOutlivesItsTimer() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let environment = Program.environment(in: folder)
    let command = "\(try Program.path()) ctl delete poll && sleep 0.3 && touch $HOME.done; exit 7"
    let child = try ChildProcess(
      [Program.path(), "serve", "poll=every 1500ms", "run '\(command)'", "tea=1h"],
      environment: environment, streams: .init(error: folder.path("log")))
    defer { child.end() }
    #expect(
      try await eventually { FileManager.default.fileExists(atPath: folder.path("home.done")) })
    let history = { () async throws -> String in
      try await run([Program.path(), "history", "--json"], environment: environment, in: folder)
        .output
    }
    #expect(try await eventually { try await history().contains("exit 7") })
    let list = try await run(
      [Program.path(), "ctl", "list", "--format", "{name}"], environment: environment, in: folder)
    #expect(list.output == "tea\n")
  }

  /// A program for notifications that hangs ends with carillon, also if it ignores SIGTERM.
  @Test func aHangingNotifierIsEnded() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let bin = folder.path("bin")
    // Written by another process: a file that a child of a parallel test holds open cannot be executed.
    let script =
      """
      mkdir \(bin); cat >\(bin)/notify-send <<'END'
      #!/bin/sh
      trap '' TERM HUP
      echo $$ >$HOME.pid
      while :; do sleep 0.1; done
      END
      chmod 755 \(bin)/notify-send
      """
    let written = try await run(
      ["sh", "-c", script], environment: Program.environment(in: folder), in: folder)
    #expect(written.ending == .exited(0))
    let path = "\(bin):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
    let environment = Program.environment(in: folder, with: ["PATH": path, "DISPLAY": ":9"])
    let child = try ChildProcess(
      [Program.path(), "serve", "tea=1s", "egg=1h"], environment: environment,
      streams: .init(error: folder.path("log")))
    defer { child.end() }
    var notifier: pid_t?
    #expect(
      try await eventually {
        notifier = (try? folder.line(of: "home.pid")).flatMap { pid_t($0) }
        return notifier != nil
      })
    child.send(SIGTERM)
    #expect(try await child.ending() == .exited(0))
    let pid = try #require(notifier)
    #expect(try await eventually { !isAlive(pid) })
  }

  @Test func aHostileNameIsNotExecuted() async throws {
    let name = "$(touch pwned)`touch pwned`;touch pwned\u{1B}]52;c;cHduZWQ=\u{7}"
    try await withPseudoTerminal([
      "'\(name)'=every 1h run 'printf %s \"$CARILLON_NAME\" >$HOME.name'"
    ]) {
      terminal, folder in
      try await terminal.output("the first frame") { $0.contains("1h") }
      terminal.type("f")
      #expect(try await eventually { (try? folder.text(of: "home.name")) == name })
      terminal.type("q")
      #expect(try await terminal.ending() == .exited(0))
      #expect(!terminal.output().contains("\u{1B}]52"))
      #expect(!FileManager.default.fileExists(atPath: folder.path("pwned")))
    }
  }
}
