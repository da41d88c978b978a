import Foundation
import Testing

/// An invalid request is reported in one message, and nothing is started.
struct BadInputTests {
  @Test(
    arguments: [
      ("tea=3m brew=every 30 x4", "brew", 14, "30s, 30m or 30h"),
      ("tea=3y", "tea", 6, "ms, s, m, h, d or w"),
      ("nap=0s", "nap", 5, "zero"),
      ("nap=1000000d", "nap", 5, "100 years"),
      ("sets=every 30s x0", "sets", 17, "at least 1"),
      ("tea=3m foo", "tea", 8, "foo"),
    ])
  func anInvalidTimerIsReported(timers: String, name: String, column: Int, expected: String)
    async throws
  {
    let words = timers.split(separator: " ").map(String.init)
    try await withPseudoTerminal(words, separatesError: true) { terminal, folder in
      #expect(try await terminal.ending() == .exited(2))
      let message = try folder.text(of: "error")
      #expect(message.isOneLine)
      for part in ["carillon: ", name, "column \(column)", expected] {
        #expect(message.contains(part), "\(message)")
      }
      #expect(terminal.output() == "", "it started to draw")
      #expect(terminal.modes == terminal.modesBefore)
    }
  }

  @Test(arguments: [nil, "", "dumb", "no-such-terminal"])
  func anUnusableTerminalTypeIsReported(type: String?) async throws {
    let environment = ["TERM": type]
    try await withPseudoTerminal(["tea=3m"], environment: environment, separatesError: true) {
      terminal, folder in
      #expect(try await terminal.ending() == .exited(1))
      let message = try folder.text(of: "error")
      #expect(message.isOneLine && message.contains("TERM"), "\(message)")
      if let type, !type.isEmpty { #expect(message.contains(type)) }
      #expect(terminal.output() == "", "something was written to the terminal")
      #expect(terminal.modes == terminal.modesBefore)
    }
  }

  @Test func aDumbTerminalIsNotReportedAsUnknown() async throws {
    let environment = ["TERM": "dumb"]
    try await withPseudoTerminal(["tea=3m"], environment: environment, separatesError: true) {
      terminal, folder in
      #expect(try await terminal.ending() == .exited(1))
      let message = try folder.text(of: "error")
      #expect(!message.contains("unknown"))
    }
  }

  @Test func aMissingTerminalIsReported() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    for arguments in [["tea=3m"], ["demo", "throttle"]] {
      let result = try await run(
        [Program.path()] + arguments, environment: Program.environment(in: folder), in: folder)
      #expect(result.ending == .exited(2) && result.output == "")
      #expect(result.error.isOneLine && result.error.contains("standard input"))
      #expect(result.error.contains("carillon run"))
    }
  }

  @Test func anOutputThatIsNoTerminalIsReported() async throws {
    try await withPseudoTerminal(
      command: ["sh", "-c", "exec \"$0\" tea=3m >\"$HOME.output\"", Program.path()],
      separatesError: true
    ) { terminal, folder in
      #expect(try await terminal.ending() == .exited(2))
      let message = try folder.text(of: "error")
      #expect(message.isOneLine && message.contains("standard output"))
      #expect(message.contains("carillon run"))
      #expect(try folder.text(of: "home.output") == "")
      #expect(terminal.modes == terminal.modesBefore)
    }
  }
}

extension String {
  /// A Boolean value that indicates whether the only newline is at the end.
  var isOneLine: Bool { count > 1 && firstIndex(of: "\n") == index(before: endIndex) }
}
