import Foundation
import Testing

/// Suspending and resuming.
struct SuspendTests {
  @Test(arguments: ["C-z", "SIGTSTP"]) func suspendingRestoresTheTerminal(by method: String)
    async throws
  {
    try await withShell { shell, _ in
      let terminal = shell.terminal
      let settings = try await shell.settings()
      let process = try await shell.start("tea=10m sets=every 1s egg=5m paused")
      let shown = try #require(try await terminal.see("▶ runs", inRow: "tea").secondsLeft("tea"))
      #expect(
        try await eventually {
          try await terminal.value(of: "pane_title").hasPrefix("tea rings at ")
        })
      if method == "C-z" { try await terminal.press("C-z") } else { kill(process, SIGTSTP) }
      #expect(try await shell.status() > 128)
      #expect(try await shell.settings() == settings)

      try await shell.enter("fg")
      try await terminal.screen("the board, with time elapsed") { screen in
        screen.isComplete && screen.row("tea", has: "▶ runs") && screen.row("egg", has: "5:00")
          && screen.secondsLeft("tea").map { $0 <= shown } ?? false
      }
      // The program receives keys again.
      try await terminal.press("Space")
      try await terminal.see("‖ paused", inRow: "tea")
      try await terminal.press("q")
      #expect(try await shell.status() == 0)
      #expect(try await shell.settings() == settings)
    }
  }

  @Test func resumingUsesTheNewSize() async throws {
    try await withShell { shell, _ in
      _ = try await shell.start("tea=10m paused")
      try await shell.terminal.press("C-z")
      _ = try await shell.status()
      try await shell.terminal.resize(columns: 50, rows: 9)
      try await shell.enter("fg")
      try await shell.terminal.screen("a board of that size") { screen in
        screen.lines.count == 9 && screen.row("tea", has: "‖ paused")
          && screen.lines.last?.contains("help") ?? false
      }
    }
  }

  @Test func drawsNothingInTheBackground() async throws {
    try await withShell { shell, _ in
      _ = try await shell.start("sets=every 1s x900")
      try await shell.terminal.press("C-z")
      _ = try await shell.status()
      try await shell.enter("bg")
      try await shell.enter("sleep 2; echo slept 'well'")
      let quiet = try await shell.terminal.see("slept well")
      #expect(!quiet.contains("NAME"), "it drew over the shell:\n\(quiet)")
      try await shell.enter("fg")
      try await shell.terminal.screen("the board again, some fires later") { screen in
        let left = screen.row("sets")?.firstMatch(of: /(\d+)\/900/).flatMap { Int($0.1) }
        return left.map { $0 < 900 } ?? false
      }
    }
  }

  @Test func anUnexpectedStopLeavesACorrectScreen() async throws {
    // Not the terminal's own process, which tmux would resume immediately.
    let start = "sh -c \"echo \\$\\$ >$HOME.pid; exec $0 'tea=10m paused'\"; exit"
    try await withTerminal(command: ["sh", "-c", start, Program.path()]) { terminal in
      let clean = try await terminal.screen("a complete board", \.isComplete).withoutClock
      let process = try #require(pid_t(try terminal.folder.line(of: "home.pid")))
      kill(process, SIGSTOP)
      try await terminal.writeOverScreen("\u{1B}[H\u{1B}[2Jnonsense from elsewhere")
      try await terminal.see("nonsense from elsewhere")
      kill(process, SIGCONT)
      try await terminal.screen("the previous screen") { $0.withoutClock == clean }
      try await terminal.press("+")
      try await terminal.see("11:00", inRow: "tea")
    }
  }

  /// A program that a terminal was opened with has no shell that could resume it: it must not
  /// suspend.
  @Test func doesNotSuspendWithoutAShell() async throws {
    try await withCarillon("tea=10m paused") { terminal in
      try await terminal.see("‖ paused", inRow: "tea")
      try await terminal.press("C-z", "+")
      try await terminal.see("11:00", inRow: "tea")
    }
    // The same in a session without a parent process to notice.
    try await withPseudoTerminal(["tea=10m paused"]) { terminal, _ in
      try await terminal.output("the first frame") { $0.contains("tea") }
      terminal.type("\u{1A}+")
      try await terminal.output("more time") { $0.contains("11:00 left") }
      terminal.child.send(SIGTSTP)
      terminal.type("R")
      try await terminal.output("a reset") { $0.contains("○ new") }
    }
  }

  /// A program that was stopped by SIGSTOP and continued in the background stops again, so that `fg` shows it.
  @Test func aStopThatCannotBeHandledIsResumedLater() async throws {
    try await withShell { shell, _ in
      let process = try await shell.start("tea=10m paused")
      try await shell.terminal.see("‖ paused", inRow: "tea")
      kill(process, SIGSTOP)
      try await shell.terminal.see("Stopped")
      // The terminal is still in the program's mode, in which Enter is no line end for this shell.
      func enter(_ command: String) async throws {
        try await shell.terminal.type(command)
        try await shell.terminal.press("C-j")
      }
      try await enter("bg")
      try await enter("sleep 1; echo slept 'well'")
      try await shell.terminal.see("slept well")
      try await enter("fg")
      try await shell.terminal.screen("the board again") { screen in
        screen.isComplete && screen.row("tea", has: "‖ paused")
      }
      try await shell.terminal.press("+")
      try await shell.terminal.see("11:00", inRow: "tea")
    }
  }
}
