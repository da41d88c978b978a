import Foundation
import Testing

/// The recipes of the cookbook for status bars, prompts and sessions without a terminal.
struct SessionRecipeTests {
  private let cookbook: Cookbook

  init() throws {
    cookbook = try Cookbook()
  }

  /// Runs a test with a home whose session `carillon serve` owns.
  private func serving(
    _ timers: [String], prepare: (RecipeHome) throws -> Void = { _ in },
    _ test: (RecipeHome) async throws -> Void
  ) async throws {
    try await withRecipeHome { home in
      try prepare(home)
      let child = try ChildProcess(
        ["sh", "-c", "cd \"$HOME\"; exec carillon serve \"$@\"", "sh"] + timers,
        environment: try home.environment(), streams: .init(error: home.path("log")))
      defer { child.end() }
      let isServed = try await eventually {
        try await home.run("carillon ctl list").ending == .exited(0)
      }
      try #require(isServed, "\(home.text("log"))")
      try await test(home)
    }
  }

  private func configure(_ text: String, of home: RecipeHome) throws {
    let folder = home.folder.path("config/carillon")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try text.write(toFile: "\(folder)/config.toml", atomically: true, encoding: .utf8)
  }

  @Test func i3statusShowsTheTimer() async throws {
    try await serving(["tea=2h30m"]) { home in
      try await home.addStub("i3status", "echo '61 GiB free'")
      let line = try await home.run(cookbook.block("i3status"))
      #expect(line.output.wholeMatch(of: /tea 2:\d\d:\d\d \| 61 GiB free\n/) != nil, "\(line)")
    }
  }

  /// A stand-in for waybar: runs the commands of the module, and reads the output of the script as JSON.
  @Test func waybarShowsAndControlsTheTimer() async throws {
    let title = "waybar, with a click and the wheel"
    let json = try cookbook.block(title, "json")
    let modules = try JSONSerialization.jsonObject(with: Data("{\(json)}".utf8))
    let module = try #require((modules as? [String: [String: Any]])?["custom/carillon"])
    func command(_ name: String) throws -> String { try #require(module[name] as? String) }
    #expect(module["return-type"] as? String == "json" && module["escape"] as? Bool == true)

    try await serving(["'tea \"<&\"'=100s"]) { home in
      try FileManager.default.createDirectory(
        atPath: home.path(".config/waybar"), withIntermediateDirectories: true)
      try await home.addProgram(
        cookbook.block(title, "shell"), to: ".config/waybar/carillon")
      func shown() async throws -> [String: Any] {
        let result = try await home.run(try command("exec"))
        #expect(result.ending == .exited(0) && result.error == "", "\(result)")
        let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
        return try #require(object as? [String: Any], "\(result)")
      }
      var bar = try await shown()
      #expect((bar["text"] as? String)?.hasPrefix("tea \"<&\" 1:") == true, "\(bar)")
      #expect(bar["class"] as? String == "running")
      #expect((bar["tooltip"] as? String)?.hasSuffix("=1m40s") == true, "\(bar)")
      #expect((0...50).contains(bar["percentage"] as? Int ?? -1), "\(bar)")

      #expect(try await home.run(command("on-click")).ending == .exited(0))
      bar = try await shown()
      #expect(bar["class"] as? String == "paused", "\(bar)")
      #expect(try await home.run(command("on-scroll-up")).ending == .exited(0))
      bar = try await shown()
      #expect((bar["text"] as? String)?.contains(" 2:") == true, "\(bar)")
      #expect(try await home.run(command("on-click")).ending == .exited(0))
      #expect(try await home.run(command("on-scroll-down")).ending == .exited(0))
      bar = try await shown()
      #expect(bar["class"] as? String == "running", "\(bar)")
      #expect(try await home.run("carillon ctl delete --all").ending == .exited(0))
      #expect(try await home.run(command("exec")).output == "\n")
    }
  }

  @Test(.enabled(if: isInstalled("bash"), "bash is not installed"))
  func theShellPromptShowsTheTimer() async throws {
    let recipe = try cookbook.block("A shell prompt", "bash")
    try await serving(["tea=2h30m"]) { home in
      try home.write(recipe, to: ".bashrc")
      // An interactive shell prints its prompt to standard error.
      let shell = try await home.run("bash -i </dev/null")
      #expect(shell.error.contains(/tea 2:\d\d:\d\d ~ [$#]/), "\(shell)")
    }
  }

  @Test func timersOutliveTheTerminal() async throws {
    let title = "Timers that outlive the terminal"
    let recipe = try cookbook.block(title, changing: ["3m": "3s", "6m": "1h"])
    try await withRecipeHome { home in
      try configure(cookbook.block(title, "toml"), of: home)
      try await home.run(recipe) {
        home.text("output").contains(/\d\d:\d\d:\d\d tea finished\n/)
      }
      // Its process group has ended, and the session continues.
      #expect(home.text("output").hasPrefix("tea\neggs\n"), "\(home.text("output"))")
      #expect(try await home.run("carillon ctl pause eggs").ending == .exited(0))
      #expect(try await home.run("carillon ctl quit").ending == .exited(0))
    }
  }

  @Test func hooksWriteALogAndNotify() async throws {
    let title = "A log and a notification, by hooks"
    let toml = try cookbook.block(title, "toml")
    try await serving([]) { home in
      try await home.addStub("notify-send", "printf '%s|' \"$@\" >>notified")
      try await home.addStub("playerctl", "echo \"$1\" >>played")
      try configure(toml, of: home)
      let reload = try await home.run(cookbook.block(title))
      #expect(reload.ending == .exited(0), "\(reload)")
      let added = try await home.run(
        "carillon ctl add \"'\\$(touch pwned)'=200ms note 'two bags'\"")
      #expect(added.ending == .exited(0), "\(added)")
      #expect(try await eventually { home.text("notified") == "--|$(touch pwned)|two bags|" })
      #expect(
        try await eventually {
          home.text("timers.log").wholeMatch(of: /\d\d:\d\d:\d\d \$\(touch pwned\)\n/) != nil
        }, "\(home.text("timers.log"))")
      _ = try await home.run("carillon ctl add tea=3m; carillon ctl pause tea")
      #expect(try await eventually { home.text("played") == "pause\n" })
      #expect(!FileManager.default.fileExists(atPath: home.path("pwned")))
    }
  }

  private static let unit = repository.appendingPathComponent("packaging/carillon.service")

  /// A stand-in for systemd: starts and reloads the session with the commands of the unit.
  @Test func theUnitRunsASession() async throws {
    let unit = try String(contentsOf: Self.unit, encoding: .utf8)
    func command(_ key: String) throws -> String {
      let line = try #require(unit.split(separator: "\n").first { $0.hasPrefix("\(key)=") })
      return String(line.dropFirst(key.count + 1)).replacing("/usr/bin/carillon", with: "carillon")
    }
    #expect(unit.contains("\nType=notify\n") && unit.contains("\nRestart=on-failure\n"))
    let (start, reload) = (try command("ExecStart"), try command("ExecReload"))
    try await withRecipeHome { home in
      try await home.addStub(
        "systemctl",
        """
        echo "$*" >>asked; \(start) 2>log &
        until carillon ctl list >/dev/null 2>&1; do sleep 0.05; done
        """)
      let result = try await home.run(cookbook.block("A session without a terminal, by systemd"))
      #expect(result.ending == .exited(0) && result.output == "standup\n", "\(result)")
      #expect(home.lines("asked") == ["--user enable --now carillon"])
      #expect(try await home.run(reload).output == "configuration read\n")
      #expect(try await home.run("carillon ctl quit").ending == .exited(0))
    }
  }

  @Test(.enabled(if: isInstalled("systemd-analyze"), "systemd is not installed"))
  func systemdAcceptsTheUnit() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    var unit = try String(contentsOf: Self.unit, encoding: .utf8)
    unit.replace("/usr/bin/carillon", with: try Program.path())
    // The man pages are not installed.
    unit.replace(/Documentation=.*\n/, with: "")
    try unit.write(toFile: folder.path("carillon.service"), atomically: true, encoding: .utf8)
    // A key that systemd does not know is a warning, with exit status 0.
    let result = try await run(
      ["systemd-analyze", "verify", "--user", folder.path("carillon.service")],
      environment: Program.environment(in: folder), in: folder)
    #expect(result.ending == .exited(0) && result.error == "", "\(result)")
  }
}
