import Foundation
import Testing

/// Commands that timers on the board run.
struct CommandTests {
  /// No process of a command is left after the board ends, or after its timer is deleted.
  @Test(arguments: ["q", "\u{3}", "SIGTERM", "d"])
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
