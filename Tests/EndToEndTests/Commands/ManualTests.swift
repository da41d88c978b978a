import Foundation
import Testing

/// The man page and the completions, which the program generates.
struct ManualTests {
  @Test func theManPageIsComplete() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let result = try await run(
      [Program.path(), "--generate-man-page"],
      environment: Program.environment(in: folder), in: folder)
    #expect(result.ending == .exited(0) && result.error == "")
    let lines = result.output.split(separator: "\n")
    let headings = lines.filter { $0.hasPrefix(".SH ") }.map { $0.dropFirst(4) }
    #expect(
      headings.prefix(6) == ["NAME", "SYNOPSIS", "DESCRIPTION", "EXAMPLES", "OPTIONS", "TIMERS"])
    #expect(
      headings.suffix(6) == ["JSON", "FILES", "ENVIRONMENT", "EXIT STATUS", "SEE ALSO", "KEYS"])
    for part in [
      ".TH CARILLON 1", ".B \\-\\-fresh",
      ".SH CARILLON RUN", ".B \\-q, \\-\\-quiet", ".B \\-\\-max\\-time <duration>",
      ".SH CARILLON STATUS", ".SH CARILLON SERVE", ".SH CARILLON CTL", ".B \\-\\-take\\-over",
      "  reload       Read", ".SS Prompt",
      ".B sets=every 45s x8",
      ".B Space p", ".B \\- _",
    ] {
      #expect(lines.contains { $0.hasPrefix(part) }, "\(part)")
    }
    // Any other line that begins with a period or a quote would be treated as a macro and dropped.
    let macros = ["TH", "SH", "SS", "TP", "PP", "B", "I", "BR", "IR", "nf", "fi"]
    for line in lines where line.first == "." || line.first == "'" {
      #expect(macros.contains { line.dropFirst().prefix { $0 != " " } == $0 }, "\(line)")
    }
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func completionsAreGenerated(shell: String) async throws
  {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let result = try await run(
      [Program.path(), "--generate-completion-script", shell],
      environment: Program.environment(in: folder), in: folder)
    #expect(result.ending == .exited(0) && result.error == "")
    for word in ["debounce", "status", "--format", "--max-time", "max-time", "fail-fast"]
    where shell != "fish" || !word.hasPrefix("--") {
      #expect(result.output.contains(word), "\(word)")
    }
  }

  private static let protocolPage =
    repository.appendingPathComponent("packaging/carillon-protocol.7").path

  @Test(arguments: [
    ["man", "--warnings", "-E", "UTF-8", "-l"], ["mandoc", "-T", "lint"],
  ])
  func thePageOfTheProtocolHasNoWarning(command: [String]) async throws {
    guard isInstalled(command[0]) else { return }
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    // man prints the page, and its warnings as errors; mandoc prints the warnings.
    let script = command[0] == "man" ? "\"$@\" 2>&1 >/dev/null" : "\"$@\" 2>&1"
    let result = try await run(
      ["sh", "-c", script, "sh"] + command + [Self.protocolPage],
      environment: Program.environment(in: folder), in: folder)
    // The man of macOS has no such option.
    guard !result.output.contains("option") else { return }
    #expect(result.output == "", "\(result)")
  }

  /// The examples of the protocol's page: a request by socat, and a client in Python.
  @Test func theExamplesOfTheProtocolWork() async throws {
    let page = try String(contentsOfFile: Self.protocolPage, encoding: .utf8)
      .replacing("\\-", with: "-").replacing("\\e", with: "\\")
    let blocks = page.matches(of: /\.nf\n\.RS\n((?s:.*?))\.RE\n\.fi/).map { String($0.1) }
    try #require(blocks.count == 3)
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let environment = Program.environment(in: folder)
    let child = try ChildProcess(
      [Program.path(), "serve", "tea=3m"], environment: environment, streams: .init())
    defer { child.end() }
    func carillon(_ words: String...) async throws -> Finished {
      try await run([Program.path()] + words, environment: environment, in: folder)
    }
    #expect(try await eventually { try await carillon("ctl", "list").ending == .exited(0) })
    if isInstalled("socat") {
      let request = blocks[0].dropFirst(2).prefix { $0 != "\n" }
      let rest = blocks[0].split(separator: "\n")[1]
      let result = try await run(
        ["sh", "-c", "\(request)\n\(rest)"], environment: environment, in: folder)
      #expect(result.output.hasPrefix(#"{"ok":true,"text":"tea: paused, "#), "\(result)")
    }
    guard isInstalled("python3") else { return }
    let client = try ChildProcess(
      ["python3", "-c", blocks[2]], environment: environment,
      streams: .init(output: folder.path("names"), error: folder.path("errors")))
    defer { client.end() }
    // The client may not be connected yet, so another timer is added each time.
    let isPrinted = try await eventually {
      _ = try await carillon("ctl", "add", "egg=10ms")
      return try folder.text(of: "names").hasPrefix("egg")
    }
    let errors = try folder.text(of: "errors")
    #expect(isPrinted, "\(errors)")
  }
}
