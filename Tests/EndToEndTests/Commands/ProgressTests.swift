import Foundation
import Testing

/// `carillon run --progress` in a terminal.
struct ProgressTests {
  private static let erase = "\r\u{1B}[K"

  /// Returns what a terminal shows of an output without moves of the cursor but to the start of its line.
  private func lines(_ output: String) -> [String] {
    let output = output.replacing("\r\n", with: "\n")
    return output.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let shown = line.replacing("\u{1B}[K", with: "").split(separator: "\r").last ?? ""
      return line.hasSuffix(Self.erase) ? "" : String(shown)
    }
  }

  @Test func theTimeLeftIsDrawnAgainAndRemoved() async throws {
    try await withPseudoTerminal(["run", "--progress", "tea=2s"]) { terminal, _ in
      try await terminal.output("two times") {
        $0.contains("tea  0:02") && $0.contains("tea  0:01")
      }
      let ending = try await terminal.ending()
      #expect(ending == .exited(0))
      let output = terminal.output()
      #expect(output.contains("ends ") && output.contains("━"))
      // The line of the fire stands alone.
      #expect(
        output.contains("\(Self.erase)") && lines(output).contains { $0.hasSuffix("tea  finished") }
      )
      #expect(lines(output).last == "")
      #expect(terminal.modes == terminal.modesBefore)
      // One drawing for each second, one for the fire, and one if the start is reported after the first.
      #expect(output.matches(of: /tea  0:0/).count <= 4)
    }
  }

  /// It is on standard error, so that a pipe gets the lines alone.
  @Test func aPipeGetsNoProgress() async throws {
    let script = """
      mkdir -p "$HOME"; cd "$HOME"
      "$0" run --progress --json 'sets=every 300ms x3' >out; "$0" run --progress -q 1s >>out; cat out
      """
    try await withPseudoTerminal(command: ["sh", "-c", script, try Program.path()]) { terminal, _ in
      let ending = try await terminal.ending()
      #expect(ending == .exited(0))
      let output = terminal.output()
      #expect(output.contains("sets  0:01") && output.contains(" of 3"))
      let objects = lines(output).filter { $0.hasPrefix("{") && $0.hasSuffix("}") }
      #expect(objects.count == 3, "\(output.debugDescription)")
    }
    // Without a terminal there is no line, and no error.
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let result = try await run(
      [Program.path(), "run", "--progress", "tea=1s"], environment: Program.environment(in: folder),
      in: folder)
    #expect(result.ending == .exited(0) && result.error == "")
    #expect(result.output.hasSuffix("  tea  finished\n"))
  }

  @Test(arguments: [(SIGINT, ChildProcess.Ending.exited(130)), (SIGTERM, .killed(by: SIGTERM))])
  func aSignalRemovesIt(signal: Int32, ending: ChildProcess.Ending) async throws {
    try await withPseudoTerminal(["run", "--progress", "tea=1h"]) { terminal, _ in
      try await terminal.output("the line") { $0.contains("ends ") }
      terminal.child.send(signal)
      let ended = try await terminal.ending()
      #expect(ended == ending)
      #expect(terminal.output().hasSuffix(Self.erase))
      #expect(terminal.modes == terminal.modesBefore)
    }
  }

  @Test func aSmallerTerminalHasAShorterLine() async throws {
    try await withPseudoTerminal(["run", "--progress", "tea=1h"]) { terminal, _ in
      let output = try await terminal.output("the line") {
        $0.contains("ends ") && $0.hasSuffix("\u{1B}[K")
      }
      let line = try #require(lines(output).last)
      terminal.resize(columns: 20, rows: 24)
      // The old line takes more rows there. After 23:00 it includes a date.
      let rows = (line.count - 1) / 20
      try #require(rows > 0)
      try await terminal.output("the shorter line") {
        guard let start = $0.firstRange(of: "\u{1B}[J") else { return false }
        return $0[..<start.lowerBound].hasSuffix("\r\u{1B}[\(rows)A")
          && $0[start.upperBound...].contains("tea")
          && !$0[start.upperBound...].contains("ends")
      }
    }
  }

  @Test func aCommandHasTheTerminalToItself() async throws {
    try await withPseudoTerminal(
      ["run", "--progress", "tea=1s", "--", "sh", "-c", "echo one; sleep 1.5; echo two"]
    ) { terminal, _ in
      let ending = try await terminal.ending()
      #expect(ending == .exited(0))
      #expect(lines(terminal.output()).suffix(3) == ["one", "two", ""])
    }
  }

  @Test func aTerminalThatCannotRedrawHasNone() async throws {
    try await withPseudoTerminal(
      ["run", "--progress", "tea=1s"], environment: ["TERM": "dumb"]
    ) { terminal, _ in
      let ending = try await terminal.ending()
      #expect(ending == .exited(0))
      #expect(!terminal.output().contains("ends"))
    }
  }
}
