import Foundation
import Testing

/// Faults: unusable streams, full disks, misbehaving commands. Each is reported with the correct exit
/// status, and nothing is lost.
struct FaultTests {
  private func shell(_ script: String, _ arguments: [String] = []) async throws -> Finished {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    return try await run(
      ["sh", "-c", script, Program.path()] + arguments,
      environment: Program.environment(in: folder), in: folder)
  }

  @Test(arguments: [
    (["--nope"], "unknown option '--nope'"), (["run", "--nope", "3m"], "unknown option"),
    (["debounce", "--nope", "1s"], "unknown option"),
    (["debounce", "x"], "missing duration after 'debounce'"),
    (["throttle", "-q", "1s"], "unknown option"), (["throttle", "1s", "fist"], "fist"),
    (["status", "--jsn"], "did you mean '--json'?"), (["status", "--format"], "missing value"),
    (["status", "--json", "--format", "x"], "--json and --format exclude each other"),
    (["check", "a", "b"], "unexpected argument 'b'"),
    (["demo", "--nope"], "unknown option"),
    (["demo", "missd"], "unknown scene 'missd' (did you mean 'missed'?)"),
    (["run", "at 25:00"], "25:00"), (["run", "a=3m then b"], "unknown timer or group 'b'"),
    (["run", ""], "no timer given"),
    (["status", "--escape", "tmux"], "--escape needs --format"),
    (["ctl", "list", "--format", "{bogus}"], "ctl: --format: unknown field '{bogus}'"),
    (["ctl", "status", "--format", "{bogus}"], "ctl: --format: unknown field '{bogus}'"),
    (["ctl", "pause", "--all", "--next"], "ctl: names, --all and --next exclude each other"),
    (["ctl", "add", "--no-start", "--all", "3m"], "ctl: 'add' takes no --all"),
    (["ctl", "undo", "--next"], "ctl: 'undo' takes no --next"),
    (["ctl", "quit", "--all"], "ctl: 'quit' takes no --all"),
    (["ctl", "watch", "--next"], "ctl: 'watch' takes no --next"),
    (["status", "--format", "x", "--escape", "html"], "html"),
    (["run", "\u{1B}]52;c;x\u{7}"], "\u{FFFD}]52;c;x\u{FFFD}"),
    (["--\u{1B}]52;c;x\u{7}"], "\u{FFFD}]52;c;x\u{FFFD}"),
    (["3m"], "standard input is not a terminal; carillon run"),
    (["@nope"], "unknown preset '@nope'"), (["--config"], "missing value"),
    (["--config", "/dev", "3m"], "/dev: Is a directory"),
    (["--config", "/nowhere", "3m"], "/nowhere: no such file"),
  ])
  func usageErrorsExitWithTwo(arguments: [String], message: String) async throws {
    let result = try await shell("exec \"$0\" \"$@\"", arguments)
    #expect(result.ending == .exited(2) && result.output == "", "\(result)")
    #expect(!result.error.contains("\u{1B}"))
    #expect(
      result.error.hasPrefix("carillon: ") && result.error.contains(message), "\(result.error)")
  }

  @Test(arguments: ["/nowhere/x", "/dev", "/bin/sh"])
  func unreadableFilesAreReportedByCheck(path: String) async throws {
    let result = try await shell("exec \"$0\" check \"$1\"", [path])
    #expect(result.ending == .exited(1) && result.output == "")
    #expect(result.error.hasPrefix("carillon: \(path): "), "\(result.error)")
  }

  static let printing = [
    "run 10ms", "run --json 10ms", "status", "status --json", "check $HOME.toml", "demo --list",
    "demo --plain throttle", "demo --code throttle", "--help", "--version", "run --help",
    "--generate-completion-script bash",
  ]

  @Test(arguments: printing) func anUnwritableOutputIsReported(command: String) async throws {
    let prepare =
      "mkdir -p $XDG_STATE_HOME/carillon/sessions; : >$HOME.toml; printf '%s' '\(Self.session)' "
      + ">$XDG_STATE_HOME/carillon/sessions/main.json; exec \"$0\" \(command)"
    let closed = try await shell("\(prepare) >&-")
    #expect(closed.ending == .exited(1))
    #expect(closed.error == "carillon: standard output: Bad file descriptor\n")
    #if os(Linux)
      let full = try await shell("\(prepare) >/dev/full")
      #expect(full.ending == .exited(1))
      #expect(full.error == "carillon: standard output: No space left on device\n")
    #endif
    // The program works without a standard error; its input is the null device.
    let silent = try await shell("\(prepare) 2>&- <&-")
    #expect(silent.ending == .exited(0) && !silent.output.isEmpty)
  }

  private static let session =
    #"{"version":3,"savedAt":1,"timers":[{"timer":"tea=3m","state":"paused","left":60}]}"#

  /// A closed pipe ends the writer without an error.
  @Test(arguments: ["run every 1ms", "throttle 1ms </dev/zero", "demo --plain throttle"])
  func aClosedPipeEndsTheProgram(command: String) async throws {
    let input = command.hasPrefix("throttle") ? "yes | " : ""
    let words = command.split(separator: "<")[0]
    let result = try await shell("\(input)\"$0\" \(words) | true; echo done")
    #expect(result.ending == .exited(0) && result.output == "done\n" && result.error == "")
  }

  @Test(arguments: [
    ("mkdir -p $XDG_STATE_HOME/carillon/sessions/main.json;", "changes here are not saved"),
    ("mkdir -p $XDG_STATE_HOME/carillon/sessions/main.json.new;", "the session cannot be saved"),
    ("XDG_STATE_HOME=/proc;", "changes here are not saved"),
  ])
  func anUnusableStateFolderIsReported(prepare: String, message: String) async throws {
    try await withTerminal(
      columns: 120, rows: 36,
      command: [
        "sh", "-c", "\(prepare) export XDG_STATE_HOME; exec \"$0\" 'tea=10m paused'",
        Program.path(),
      ]
    ) { terminal in
      try await terminal.see(message)
      try await terminal.press("+")
      try await terminal.see("11:00", inRow: "tea")
      try await terminal.press("q")
      #expect(try await eventually { try await terminal.value(of: "pane_dead") == "1" })
    }
  }

  #if os(Linux)
    /// A full disk: the old session is complete, and the board continues.
    @Test(.enabled(if: canMount, "mounting is not allowed here"), arguments: ["size=16k", "ro"])
    func aFullDiskIsReported(options: String) async throws {
      let script = """
        mkdir -p $XDG_STATE_HOME; mount -t tmpfs -o size=16k none $XDG_STATE_HOME || exit
        mkdir -p $XDG_STATE_HOME/carillon/sessions
        printf '%s' '\(Self.session)' >$XDG_STATE_HOME/carillon/sessions/main.json
        cat /dev/zero >$XDG_STATE_HOME/filler 2>/dev/null
        mount -o remount,$1 $XDG_STATE_HOME
        "$0"; echo "status $?"; "$0" status
        """
      try await withTerminal(
        columns: 120, command: ["unshare", "-rm", "sh", "-c", script, Program.path(), options]
      ) { terminal in
        let isFull = options != "ro"
        try await terminal.see(
          isFull ? "the session cannot be saved" : "changes here are not saved")
        try await terminal.see("‖ paused", "1:00", inRow: "tea")
        try await terminal.press("+")
        try await terminal.see("1:10", inRow: "tea")
        try await terminal.press("q")
        let screen = try await terminal.see("tea  1:00  paused")
        #expect(screen.contains("status \(isFull ? 1 : 0)"))
        if isFull { #expect(screen.contains("No space left on device")) }
      }
    }

    private static let canMount =
      (try? Process.run(URL(fileURLWithPath: "/usr/bin/unshare"), arguments: ["-rm", "true"]))
      .map { process in
        process.waitUntilExit()
        return process.terminationStatus == 0
      } ?? false
  #endif

  /// A state folder that cannot be made again. The failure is also reported at the end, below the restored screen.
  @Test func aLostStateFolderIsReported() async throws {
    try await withShell { shell, _ in
      _ = try await shell.start("tea=10m paused")
      let folder = shell.terminal.folder.path("state")
      #expect(
        try await eventually {
          FileManager.default.fileExists(atPath: "\(folder)/carillon/sessions/main.json")
        })
      // A save that runs meanwhile may add a file to it.
      #expect(
        try await eventually {
          try? FileManager.default.removeItem(atPath: folder)
          return FileManager.default.createFile(atPath: folder, contents: nil)
        })
      try await shell.terminal.press("+")
      try await shell.terminal.see("the session cannot be saved")
      try await shell.terminal.press("q")
      #expect(try await shell.status() == 1)
      #expect(try await shell.terminal.screen().contains("the session cannot be saved"))
    }
  }

  /// Whatever a command does, its row shows the result, and keys work.
  @Test(arguments: [
    ("sleep 600", "took too long"), ("sleep 600 & sleep 600 & wait", "took too long"),
    ("trap '' TERM; sleep 600; sleep 600", "took too long"), ("no-such-program-here", "exit 127"),
    ("printf '\\033]52;c;x\\007\\033[2Jdone'", "exit 0 '␛]52;c;x␇␛[2Jdone'"),
    ("kill -9 $$", "signal 9"),
    ("head -c 100000000 /dev/zero | tr '\\0' x; echo; echo the end", "exit 0 'the end'"),
  ])
  func aMisbehavingCommandIsReported(command: String, ending: String) async throws {
    let script = """
      printf '[commands]\\ntime-limit = "1s"\\n' >$HOME.toml; echo $$ >$HOME.pid
      case "$1" in head*) : >$HOME.toml;; esac
      exec "$0" --config $HOME.toml 'it=every 1h run "'"$1"'"' tea=10m\\ paused
      """
    try await withTerminal(
      columns: 160, rows: 36, command: ["sh", "-c", script, Program.path(), command]
    ) { terminal in
      try await terminal.see("▶ runs", inRow: "it")
      try await terminal.press("f")
      try await terminal.see(ending)
      try await terminal.press("Down", "+")
      try await terminal.see("11:00", inRow: "tea")
      #if os(Linux)
        let process = try terminal.folder.line(of: "home.pid")
        let memory = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let peak = try #require(memory.firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap { Int($0.1) })
        #expect(peak < 100_000, "the output was kept: \(peak) kB")
      #endif
    }
  }

  /// Without a screen, the only limit is the requested one; children end with the program.
  @Test func aHangingCommandEndsWithTheRun() async throws {
    let result = try await shell(
      "exec \"$0\" run -q --max-time 1s 10ms -- sh -c 'sleep 600 & echo $!; wait'")
    #expect(result.ending == .exited(0) && result.error == "")
    let child = try #require(pid_t(result.output.trimmingCharacters(in: .newlines)))
    #expect(try await eventually { !isAlive(child) })
  }
}
