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
    for part in [
      ".TH CARILLON 1", ".SH NAME", ".SH SYNOPSIS", ".SH OPTIONS", ".B \\-\\-fresh",
      ".SH CARILLON RUN", ".B \\-q, \\-\\-quiet", ".B \\-\\-max\\-time <duration>",
      ".SH CARILLON STATUS", ".SH TIMERS", ".SH KEYS", ".SS Text entry", ".B sets=every 45s x8",
      ".B Space p", ".B \\- _", ".SH FILES", ".SH ENVIRONMENT", ".SH EXIT STATUS",
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
}
