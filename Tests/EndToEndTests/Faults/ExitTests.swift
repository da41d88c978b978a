import Foundation
import Testing

/// However the program ends, the terminal is restored and the exit status is correct.
struct ExitTests {
  enum End: Sendable, CustomTestStringConvertible {
    case key(String, status: Int32)
    case signal(Int32, String)

    static let all: [End] = [
      .key("q", status: 0), .key("F10", status: 0), .key("C-c", status: 130),
      .signal(SIGINT, "INT"), .signal(SIGTERM, "TERM"), .signal(SIGHUP, "HUP"),
      .signal(SIGQUIT, "QUIT"), .signal(SIGSEGV, "SEGV"), .signal(SIGILL, "ILL"),
      .signal(SIGTRAP, "TRAP"), .signal(SIGABRT, "ABRT"), .signal(SIGBUS, "BUS"),
      .signal(SIGFPE, "FPE"),
    ]
    static let signals: [Int32] = all.compactMap { end in
      if case .signal(let number, _) = end { number } else { nil }
    }

    var testDescription: String {
      switch self {
      case .key(let key, _): key
      case .signal(_, let name): "SIG\(name)"
      }
    }
  }

  @Test(arguments: End.all) func theTerminalIsRestoredForTheShell(end: End) async throws {
    try await withShell { shell, before in
      let settings = try await shell.settings()
      let process = try await shell.start("tea=10m sets=every 1s")
      let expected: Int32
      switch end {
      case .key(let key, let status):
        expected = status
        try await shell.terminal.press(key)
      case .signal(let number, _):
        expected = 128 + number
        kill(process, number)
      }
      #expect(try await shell.status() == expected)
      let restored = try await shell.settings()
      #expect(restored == settings, "now:\n\(restored)\nbefore:\n\(settings)")
      let after = try await shell.terminal.screen()
      // The line on which the prompt waited now has a command.
      let printed = before.lines.prefix { !$0.isEmpty }.dropLast()
      #expect(after.lines.starts(with: printed), "the previous screen is not restored:\n\(after)")
      #expect(!after.contains("NAME"), "the dashboard is still visible:\n\(after)")
    }
  }

  @Test(arguments: End.signals) func aSignalEndsTheProcess(signal: Int32) async throws {
    try await withPseudoTerminal(["tea=10m"]) { terminal, _ in
      try await terminal.output("the first frame") { $0.contains("tea") }
      #expect(terminal.modes != terminal.modesBefore)
      terminal.child.send(signal)
      #expect(try await terminal.ending() == .killed(by: signal))
      #expect(terminal.modes == terminal.modesBefore)
      #expect(terminal.output().contains("\u{1B}[?1049l"))
    }
  }

  @Test(arguments: [("q", 0), ("\u{3}", 130)])
  func theTerminalIsRestoredLast(key: String, status: Int32) async throws {
    try await withPseudoTerminal(["tea=10m"]) { terminal, _ in
      try await terminal.output("the first frame") { $0.contains("tea") }
      terminal.type(key)
      #expect(try await terminal.ending() == .exited(status))
      #expect(terminal.modes == terminal.modesBefore)
      // After the alternate screen, only the line about the timers is sent.
      let output = terminal.output()
      let end = try #require(output.range(of: "\u{1B}[?1049l", options: .backwards))
      let rest = output[end.upperBound...].replacing(/\x1B\[[?0-9;]*[a-z]/, with: "")
      #expect(
        rest.filter { $0 != "\r" && $0 != "\r\n" }
          == "carillon: 1 timer saved; nothing fires until you return; D keeps them running",
        "\(rest.debugDescription)")
    }
  }

  @Test func aClosedTerminalEndsTheProgram() async throws {
    try await withPseudoTerminal(["tea=10m", "sets=every 1s"]) { terminal, _ in
      try await terminal.output("the first frame") { $0.contains("tea") }
      terminal.close()
      #expect(try await terminal.child.ending(within: .seconds(5)) == .killed(by: SIGHUP))
    }
  }

  /// As under nohup: no signal arrives, and the terminal only stops responding.
  @Test func aClosedTerminalEndsTheProgramWithoutASignal() async throws {
    let script = "trap '' HUP; exec \"$0\" tea=10m 'sets=every 1s'"
    try await withPseudoTerminal(command: ["sh", "-c", script, Program.path()]) { terminal, _ in
      try await terminal.output("the first frame") { $0.contains("tea") }
      terminal.close()
      #expect(try await terminal.child.ending(within: .seconds(5)) != nil)
    }
  }

  @Test func theProgramEndsUnderLoad() async throws {
    let timers = (1...50).map { "t\($0)=every 20ms" }
    try await withPseudoTerminal(timers) { terminal, _ in
      try await terminal.output("the first frame") { $0.contains("t10") }
      for step in 1...50 {
        terminal.type("j++J?\u{1B}[Ba3")
        terminal.resize(columns: 20 + step * 7 % 100, rows: 5 + step * 5 % 40)
      }
      terminal.child.send(SIGTERM)
      #expect(try await terminal.ending() == .killed(by: SIGTERM))
      #expect(terminal.modes == terminal.modesBefore)
    }
  }

  /// As after Ctrl-S or on a broken connection: the program can only drop its output.
  @Test func aStalledTerminalDoesNotBlockTheProgram() async throws {
    let timers = (1...50).map { "t\($0)=every 20ms" }
    try await withPseudoTerminal(timers) { terminal, _ in
      try await terminal.output("the first frame") { $0.contains("t10") }
      // Nothing reads the output from here on.
      terminal.fill()
      terminal.type("q")
      #expect(try await terminal.child.ending() == .exited(0))
      #expect(terminal.modes == terminal.modesBefore)
    }
  }
}
