import Foundation
import Testing

/// The commands in the documentation work; they are run with a hundredth of their times.
struct DocumentedCommandTests {
  /// The commands that are not run, with the reason.
  private static let notRun = [
    "make run": "builds the program",
    "make demo": "builds the program",
    "git clone URL carillon && cd carillon": "needs the network",
    "make deb": "builds a package",
    "make tarball": "builds a package",
    "make source": "builds a package",
    "make docs": "builds the documentation",
    "make run ARGS=\"tea=3m sets=every 45s x8 every 30s\"": "builds the program",
    "make test": "runs these tests",
    "make install PREFIX=~/.local": "builds the program",
    "make uninstall": "removes the files of make install",
    "carillon run": "not a complete command",
    "carillon ctl": "not a complete command",
    "carillon attach": "needs a process to attach to: see AttachTests",
    "carillon attach server": "needs a process to attach to: see AttachTests",
    "carillon attach 4711": "needs a process to attach to: see AttachTests",
    "make inspected-server": "builds the server",
  ]

  /// Stubs for the programs that the documentation uses.
  private static let stubs = [
    "paplay": "test -f \"$1\"", "notify-send": "exit 0", "jq": "cat", "make": "echo built",
    "curl": "exit 0", "i3status": "echo '61 GiB free'", "systemctl": "exit 0",
    "inotifywait": "while echo 'src/ CLOSE_WRITE file'; do sleep 0.1; done",
  ]

  private static func setup() throws -> String {
    let programs = stubs.sorted { $0.key < $1.key }.map { name, script in
      "printf '%s\\n' '#!/bin/sh' '\(script.replacing("'", with: "'\\''"))' >bin/\(name)"
    }
    let presets = try Cookbook().block("Pomodoro in tmux's status line", "toml")
    let waybar = try Cookbook().block("waybar, with a click and the wheel", "shell")
    let saved = ["tea", "pomodoro"].map {
      #"{"timer":"\#($0)=9h group laundry","state":"running","left":9000}"#
    }
    return """
      mkdir -p $HOME/bin $HOME/src $HOME/.config/carillon $HOME/.local/state/carillon/sessions; cd $HOME
      \(programs.joined(separator: "\n"))
      printf '%s\\n' '#!/bin/sh' 'echo polled' >poll.sh; chmod +x bin/* poll.sh; touch bell.ogg
      printf '%s\\n' 1 2 'ERROR 3' | tee access.log >app.log
      printf '%s' '\(presets)' >.config/carillon/config.toml
      mkdir .config/waybar; printf '%s' '\(waybar.replacing("'", with: "'\\''"))' >.config/waybar/carillon
      chmod +x .config/waybar/carillon
      printf '{"version":3,"savedAt":%s,"timers":[%s]}' $(date +%s) '\(saved.joined(separator: ","))' \
        >.local/state/carillon/sessions/main.json
      export PATH="$HOME/bin:$(dirname "$0"):$PATH"
      export XDG_CONFIG_HOME=$HOME/.config XDG_STATE_HOME=$HOME/.local/state

      """
  }

  /// The start of a session, for the commands that control one.
  private static let session = """
    carillon serve 2>/dev/null &
    until carillon ctl list >/dev/null 2>&1; do sleep 0.05; done

    """

  private static func faster(_ command: String) -> String {
    command.replacing(/\b(\d+)(s|m|h)\b/) { match in
      let unit = ["s": 10, "m": 600, "h": 36_000][match.2] ?? 0
      return "\((Int(match.1) ?? 0) * unit)ms"
    }
  }

  private func documented() async throws -> Set<String> {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    return Set(
      try DocumentedCommands.pages.flatMap { try DocumentedCommands.commands(ofPage: $0) }
        + (await DocumentedCommands.commandsOfManPage(in: folder)))
  }

  @Test func everyDocumentedCommandSucceeds() async throws {
    let commands = try await documented()
    #expect(commands.count > 40)
    #expect(Set(Self.notRun.keys).isSubset(of: commands), "some are no longer documented")
    let setup = try Self.setup()
    try await withThrowingTaskGroup { group in
      for command in commands where Self.notRun[command] == nil {
        group.addTask { try await expectSuccess(of: command, after: setup) }
      }
      try await group.waitForAll()
    }
  }

  /// Expects the command to exit with 0, or to run until it is terminated, without printing an
  /// error.
  private func expectSuccess(of command: String, after setup: String) async throws {
    let session = command.contains("carillon ctl") ? Self.session : ""
    let script = setup + session + Self.faster(command)
    try await withPseudoTerminal(command: ["sh", "-c", script, Program.path()]) {
      terminal, folder in
      // A session in the background is ended below, and must have begun by then.
      var ending =
        command.contains("--detach")
        ? try await terminal.ending() : try await terminal.ending(within: .milliseconds(2500))
      let output = terminal.output()
      if ending == nil, output.contains("\u{1B}[?1049h") {
        terminal.type("q")
        ending = try await terminal.ending()
        #expect(ending != nil, "\(command)")
      }
      #expect(ending == nil || ending == .exited(0), "\(command): \(output)")
      for error in ["carillon: ", "not found", "rror:", "No such file"] {
        #expect(!output.contains(error), "\(command): \(output)")
      }
      // Ends a session in the background.
      _ = try await run(
        [Program.path(), "ctl", "quit"], environment: Program.environment(in: folder), in: folder)
    }
  }
}
