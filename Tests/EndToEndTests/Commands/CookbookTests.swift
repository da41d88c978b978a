import Foundation
import Testing

/// Every recipe of the cookbook, run with shorter times.
struct CookbookTests {
  private let cookbook: Cookbook

  init() throws {
    cookbook = try Cookbook()
  }

  @Test func everyRecipeHasATest() {
    #expect(
      cookbook.titles == [
        "A firehose, at most a line a second", "A log and a notification, by hooks",
        "A session without a terminal, by systemd", "A shell prompt",
        "First the washing, then the drying", "Intervals in a gym", "Poll an API politely",
        "Pomodoro in tmux's status line", "Rebuild when a file changes",
        "Ring when a build falls silent", "Stand-up at 9:55 on workdays", "Tabata", "Tea",
        "The last error of a burst", "Timers that outlive the terminal", "Watch a command",
        "i3status", "waybar, with a click and the wheel",
      ])
  }

  @Test func teaRings() async throws {
    let recipe = try cookbook.block("Tea", changing: ["3m": "300ms"])
    try await withRecipeHome { home in
      let result = try await home.run(recipe)
      #expect(result.ending == .exited(0))
      #expect(result.output.hasSuffix("  tea  finished\n\u{7}"))
    }
    let ringing = try cookbook.block("Tea", number: 2, changing: ["3m": "1s"])
    try await onTheBoard(ringing) { terminal in
      try await terminal.see("♪ rang", inRow: "tea")
      try await terminal.press("Escape")
      try await terminal.see("✓ done", inRow: "tea")
    }
  }

  @Test func pomodoroShowsTheTimeLeftInTheStatusLine() async throws {
    let title = "Pomodoro in tmux's status line"
    let script = """
      mkdir -p $XDG_CONFIG_HOME/carillon
      printf '%s' "$1" >$XDG_CONFIG_HOME/carillon/config.toml
      printf '%s' "$2" >$HOME.conf
      exec env -u TMUX tmux -S $HOME.inner -f $HOME.conf new-session "$3"
      """
    let home = try RecipeHome()
    defer { home.folder.remove() }
    let command = [
      "sh", "-c", script, "sh", try cookbook.block(title, "toml"),
      try cookbook.block(title, "tmux"), try cookbook.block(title),
    ]
    let path = try home.environment()["PATH"]
    try await withTerminal(
      columns: 120, rows: 36, command: command, environment: ["PATH": path]
    ) { terminal in
      let inner = ["tmux", "-S", terminal.folder.path("home.inner"), "kill-server"]
      do {
        try await terminal.screen("the time left in the status line") { screen in
          screen.lines.last?.firstMatch(of: /pomodoro work 2[45]:\d\d ∞|pomodoro work 2[45]:\d\d 4/)
            != nil
        }
        try await terminal.press("Space")
        try await terminal.screen("that it is paused") { screen in
          screen.lines.last?.contains("pomodoro paused") == true
        }
        try await terminal.press("C-b", "T")
        try await terminal.screen("that it has resumed") { screen in
          screen.lines.last?.contains("pomodoro work") == true
        }
      } catch {
        _ = try await run(inner, environment: try home.environment(), in: home.folder)
        throw error
      }
      _ = try await run(inner, environment: try home.environment(), in: home.folder)
    }
  }

  @Test func tabataPrintsEveryPhase() async throws {
    let recipe = try cookbook.block(
      "Tabata", changing: ["20s": "600ms", "10s": "400ms", "x8": "x2"])
    try await withRecipeHome { home in
      let result = try await home.run(recipe)
      #expect(result.ending == .exited(0) && result.error == "")
      let phases = result.output.split(separator: "\n").filter { $0.hasPrefix("\u{7}") }
      #expect(phases == ["\u{7}rest", "\u{7}work", "\u{7}done"])
    }
  }

  @Test func standUpNotifiesAtItsTime() async throws {
    let title = "Stand-up at 9:55 on workdays"
    try await withRecipeHome { home in
      try await home.addStub("notify-send", "printf '%s\\n' \"$@\" >notified")
      let asItStands = try await home.run(
        cookbook.block(title, changing: ["run": "run --max-time 50ms"]))
      #expect(asItStands.ending == .exited(0) && asItStands.error == "")
      let soon = (Int(Date().timeIntervalSince1970) + 5) % 86_400
      let time = [soon / 3600, soon / 60 % 60, soon % 60]
        .map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
      let result = try await home.run(
        cookbook.block(title, changing: ["weekdays 09:55": "at \(time)"]))
      #expect(result.ending == .exited(0) && result.output.contains("\(time)  standup  finished"))
      #expect(home.lines("notified") == ["Stand-up in five minutes"])
    }
  }

  @Test(.enabled(if: isInstalled("inotifywait"), "inotifywait is not installed"))
  func aRebuildFollowsChangesOfFiles() async throws {
    let recipe = try cookbook.block("Rebuild when a file changes")
    try await withRecipeHome { home in
      try FileManager.default.createDirectory(
        atPath: home.path("src"), withIntermediateDirectories: false)
      try home.write("all:\n\t@echo built >>built\n", to: "Makefile")
      var changes = 0
      var last = Date.distantPast
      try await home.run(recipe) {
        if Date().timeIntervalSince(last) > 1.5 {
          // The watch may not be active yet, so another burst is sent each time.
          for number in 1...20 { try home.write("x", to: "src/file\(number)") }
          changes += 20
          last = Date()
        }
        return !home.lines("built").isEmpty
      }
      #expect(home.lines("built").count < changes)
    }
  }

  @Test func pollingBacksOffAfterFailures() async throws {
    let recipe = try cookbook.block(
      "Poll an API politely", changing: ["every 30s backoff 10m": "every 100ms backoff 10s"])
    try await withRecipeHome { home in
      // The first two requests fail with curl's exit status.
      try await home.addStub(
        "curl", "echo \"$*\" >>asked; test $(wc -l <asked) -gt 2 || exit 22")
      try await home.run(recipe) { home.lines("asked").count >= 5 }
      #expect(
        Set(home.lines("asked")) == ["-sf -m 20 -o status.json https://example.org/status"])
      let failures = home.lines("error").filter { $0.contains("poll: curl: exit status 22") }
      #expect(failures.count == 2, "\(home.text("error"))")
    }
  }

  @Test func theLastErrorOfABurstIsNotified() async throws {
    let recipe = try cookbook.block("The last error of a burst", changing: ["10s": "300ms"])
    try await withRecipeHome { home in
      try await home.addStub("notify-send", "printf '%s\\n' \"$*\" >>notified")
      try home.write("ERROR before\n", to: "app.log")
      var last = Date.distantPast
      try await home.run(recipe) {
        if Date().timeIntervalSince(last) > 1.5 {
          for line in ["ERROR one", "fine", "ERROR $(touch pwned)"] {
            try home.append(line, to: "app.log")
          }
          last = Date()
        }
        return !home.lines("notified").isEmpty
      }
      #expect(home.lines("notified").last == "app.log ERROR $(touch pwned)")
      #expect(!FileManager.default.fileExists(atPath: home.path("pwned")))
    }
  }

  @Test func aFirehoseIsThrottled() async throws {
    let recipe = try cookbook.block("A firehose, at most a line a second")
    try await withRecipeHome { home in
      try home.write((1...1000).map { "\($0)\n" }.joined(), to: "access.log")
      try await home.run(recipe) { home.lines("output").last == "1000" }
      #expect(home.lines("output").first == "1" && home.lines("output").count < 10)
    }
  }

  @Test func aCommandIsWatched() async throws {
    let recipe = try cookbook.block(
      "Watch a command", changing: ["--max-time 1h": "--max-time 2s", "10s": "200ms"])
    try await withRecipeHome { home in
      let result = try await home.run(recipe)
      #expect(result.ending == .exited(0) && result.error == "")
      let lines = result.output.split(separator: "\n")
      #expect(lines.count >= 2 && lines.count <= 20 && lines.contains { $0.contains("%") })
    }
  }

  @Test func aSilentBuildRings() async throws {
    let recipe = try cookbook.block("Ring when a build falls silent", changing: ["30s": "2s"])
    let makefile = "printf 'all:\\n\\t@echo one; echo two\\n' >Makefile"
    try await onTheBoard("\(makefile)\n\(recipe)") { terminal in
      try await terminal.see("♪ rang", "2 triggered", inRow: "quiet")
      #expect(try terminal.folder.text(of: "home/build.log") == "one\ntwo\n")
    }
  }

  @Test func dryingFollowsWashing() async throws {
    let recipe = try cookbook.block(
      "First the washing, then the drying", changing: ["45m": "1s", "1h": "1m"])
    try await onTheBoard(recipe) { terminal in
      try await terminal.see("✓ done", inRow: "wash")
      try await terminal.see("▶ runs", inRow: "dry")
    }
    let loads = try cookbook.block(
      "First the washing, then the drying", number: 2, changing: ["45m": "1s", "1h": "1s"])
    try await onTheBoard(loads) { terminal in
      try await terminal.see("▷ ready", inRow: "dry")
      try await terminal.see("→ dry ×2", inRow: "wash")
      try await terminal.press("Down", "Space")
      try await terminal.see("▷ ready", inRow: "wash")
    }
    let group = try cookbook.block("First the washing, then the drying", number: 3)
    try await withRecipeHome { home in
      let result = try await home.run("\(group)\ncarillon ctl list laundry; carillon ctl quit")
      #expect(result.ending == .exited(0))
      #expect(result.output.contains("wash    45:00  paused"), "\(result)")
    }
  }

  @Test func intervalsInAGym() async throws {
    let recipe = try cookbook.block(
      "Intervals in a gym", changing: ["40s": "200ms", "20s": "100ms"])
    try await withRecipeHome { home in
      let result = try await home.run(recipe)
      #expect(result.ending == .exited(0) && result.error == "")
      #expect(result.output.matches(of: /work  finished/).count == 8, "\(result)")
      #expect(result.output.matches(of: /rest  finished/).count == 8, "\(result)")
    }
  }

  /// Runs a recipe that opens the board.
  private func onTheBoard(_ recipe: String, _ test: (TmuxTerminal) async throws -> Void)
    async throws
  {
    let program = URL(fileURLWithPath: try Program.path()).deletingLastPathComponent().path
    try await withTerminal(
      columns: 120, rows: 36,
      command: ["sh", "-c", "mkdir -p $HOME; cd $HOME; PATH=$0:$PATH; \(recipe)", program], test)
  }
}
