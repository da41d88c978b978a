import Foundation
import Testing

/// Notifications of the real program.
struct NotificationTests {
  private static let hostile = "$(touch pwned)`touch pwned` \u{1B}]52;c;cHduZWQ=\u{7}\u{9B}2J;x"

  @Test func theTerminalReceivesNotifications() async throws {
    try await withPseudoTerminal(
      ["'\(Self.hostile)'=300ms", "bell=every 400ms x1 ring", "poll=every 1h run 'exit 3'"]
    ) { terminal, folder in
      let name = "$(touch pwned)`touch pwned` ]52,c,cHduZWQ= 2J,x"
      try await terminal.output("both") { output in
        output.contains("\(name)") && output.contains("bell")
          && output.matches(of: /\x1B\]9;[^\x00-\x1F]*\x07/).count >= 2
      }
      terminal.type("G")
      // The first key acknowledges.
      terminal.type("ff")
      try await terminal.output("a command that failed") {
        $0.contains("\u{1B}]9;poll: exit 3\u{7}")
      }
      terminal.type("q")
      #expect(try await terminal.ending() == .exited(0))
      #expect(!terminal.output().contains("\u{1B}]52"))
      #expect(!FileManager.default.fileExists(atPath: folder.path("pwned")))
    }
  }

  /// The desktop is notified by `notify-send`, which receives the message as arguments.
  @Test(arguments: [0, 1]) func theDesktopReceivesNotifications(status: Int) async throws {
    let script = """
      mkdir -p $HOME/bin; cat >$HOME/bin/notify-send <<'END'
      #!/bin/sh
      printf '%s\\n' "$@" >$HOME.new; mv $HOME.new $HOME.notified; exit \(status)
      END
      chmod +x $HOME/bin/notify-send; PATH=$HOME/bin:$PATH exec "$0" "$@"
      """
    try await withPseudoTerminal(
      command: ["sh", "-c", script, Program.path(), "'<b>--help\(Self.hostile)'=every 1s x1"],
      environment: ["DISPLAY": ":9"]
    ) { terminal, folder in
      #expect(try await eventually { (try? folder.text(of: "home.notified")) != nil })
      #expect(
        try folder.text(of: "home.notified") == """
          --app-name=carillon
          --
          <b>--help$(touch pwned)`touch pwned` ]52;c;cHduZWQ= 2J;x
          finished

          """)
      if status != 0 {
        // The desktop did not show it, so the terminal does.
        try await terminal.output("the terminal's notification") {
          $0.contains("\u{1B}]9;<b>--help")
        }
      }
      terminal.type("q")
      #expect(try await terminal.ending() == .exited(0))
      #expect(status != 0 || !terminal.output().contains("\u{1B}]9;"))
      #expect(!FileManager.default.fileExists(atPath: folder.path("pwned")))
    }
  }

  @Test(arguments: [("b ", ""), (" ", "[notify]\nterminal = 'off'\nbell = false")])
  func notificationsCanBeDisabled(keys: String, configuration: String) async throws {
    let script = """
      printf '%s' "$1" >$HOME.toml; exec "$0" --config $HOME.toml tea=300ms paused
      """
    try await withPseudoTerminal(command: ["sh", "-c", script, Program.path(), configuration]) {
      terminal, _ in
      try await terminal.output("the first frame") { $0.contains("tea") }
      terminal.type(keys)
      try await terminal.output("the finished timer") { $0.contains("♪ rang") }
      // A notification would be sent before the next frame.
      terminal.type("?")
      try await terminal.output("the help") { $0.contains("move up") }
      #expect(!terminal.output().contains("\u{1B}]9"))
      #expect(!terminal.output().contains("\u{7}"))
    }
  }

  @Test(arguments: [([], true), (["--no-mouse"], false)])
  func theMouseCanBeDisabled(options: [String], isEnabled: Bool) async throws {
    try await withPseudoTerminal(options + ["tea=3m"]) { terminal, _ in
      try await terminal.output("the modes") { $0.contains("\u{1B}[?1004h") }
      #expect(terminal.output().contains("\u{1B}[?1000h") == isEnabled)
    }
  }
}
