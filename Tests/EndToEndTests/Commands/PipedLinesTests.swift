import Foundation
import Testing

/// Lines that are piped into the dashboard, which still reads its keys from the terminal.
struct PipedLinesTests {
  /// - Parameter pipe: the shell syntax before the program.
  private func withLines(
    _ pipe: String, _ timers: String, _ test: (TmuxTerminal) async throws -> Void
  ) async throws {
    // tmux 3.3 does not always notice the end of the shell, and then has no status.
    let script = "\(pipe) \"$0\" --fresh \(timers); echo $? >$HOME.status"
    try await withTerminal(
      columns: 120, command: ["sh", "-c", script, Program.path()], test)
  }

  @Test func linesTriggerTimersAndKeysWork() async throws {
    try await withLines(
      ": >$HOME.lines; tail -f $HOME.lines |", "save=debounce 1h log=throttle 1h tea=10m paused"
    ) { terminal in
      try await terminal.see("○ ready", inRow: "save")
      let lines = try #require(
        FileHandle(forWritingAtPath: terminal.folder.path("home.lines")))
      try lines.write(contentsOf: Data("one\ntwo\n$(touch pwned)\u{1B}]52;c;x\u{7}\n".utf8))
      try await terminal.see("pending", "3 triggered", inRow: "save")
      try await terminal.see("3 triggered, 1 fired", inRow: "log")
      try await terminal.press("a")
      try await terminal.type("egg=5m paused")
      try await terminal.press("Enter")
      try await terminal.see("‖ paused", "5:00", inRow: "egg")
      try lines.write(contentsOf: Data("no end yet".utf8))
      try lines.write(contentsOf: Data(", but now\n".utf8))
      try await terminal.see("4 triggered", inRow: "save")
      try await terminal.see("10:00", inRow: "tea")
      try lines.close()
    }
  }

  /// A flood of lines or bytes: every line is counted, none is shown, and keys work.
  @Test(arguments: [
    ("yes | head -n 2000000 |", "2000000 lines"),
    ("head -c 5000000 /dev/zero | tr '\\0' x |", "1 line"),
    (
      "{ head -c 200000 /dev/urandom | tr '\\n' x; printf '\\n\\033]52;c;x\\007\\n'; } |", "2 lines"
    ),
    ("printf 'a\\nb' |", "2 lines"),
  ])
  func anyInputIsCounted(pipe: String, lines: String) async throws {
    try await withLines(pipe, "all=throttle 1h tea=10m paused") { terminal in
      try await terminal.see("‖ paused", inRow: "tea")
      try await terminal.see("end of input after \(lines)")
      try await terminal.press("L")
      let screen = try await terminal.see("fired, 1st")
      #expect(screen.lines.count == 24)
      try await terminal.press("1")
      try await terminal.see("\(lines.prefix { $0 != " " }) triggered, 1 fired", inRow: "all")
      try await terminal.press("Down", "+")
      try await terminal.see("11:00", inRow: "tea")
      try await terminal.press("q")
      #expect(try await eventually { (try? terminal.folder.text(of: "home.status")) == "0\n" })
    }
  }

  @Test(arguments: [
    ("exec", "tea=10m paused </", "standard input: Is a directory"),
    ("yes |", "tea=10m paused", "no timer waits for the lines"),
  ])
  func unusualInputIsReported(pipe: String, timers: String, message: String) async throws {
    try await withLines(pipe, timers) { terminal in
      try await terminal.see(message)
      try await terminal.press("+")
      try await terminal.see("11:00", inRow: "tea")
    }
  }

  @Test(arguments: ["</dev/null", "<&-", ">&2 2>&-"])
  func aMissingInputIsIgnored(streams: String) async throws {
    try await withLines("exec", "tea=10m paused \(streams)") { terminal in
      try await terminal.see("‖ paused", inRow: "tea")
      try await terminal.press("+")
      try await terminal.see("11:00", inRow: "tea")
    }
  }

  /// A pipe is a job of several programs: all of them suspend and resume, and the terminal is
  /// restored.
  @Test func theJobSuspendsAndTheTerminalIsRestored() async throws {
    try await withShell { shell, _ in
      let settings = try await shell.settings()
      try await shell.enter("sleep 3 | \(Program.path()) 'tea=10m paused'")
      try await shell.terminal.see("‖ paused", inRow: "tea")
      try await shell.terminal.press("C-z")
      #expect(try await shell.status() > 128)
      #expect(try await shell.settings() == settings)
      try await shell.enter("fg")
      try await shell.terminal.see("‖ paused", inRow: "tea")
      try await shell.terminal.press("+")
      try await shell.terminal.see("11:00", inRow: "tea")
      try await shell.terminal.press("C-c")
      #expect(try await shell.status() == 130)
      #expect(try await shell.settings() == settings)
    }
  }
}
