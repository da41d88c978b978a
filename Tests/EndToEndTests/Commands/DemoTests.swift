import Testing

/// `carillon demo` and its arguments.
struct DemoTests {
  private func output(_ arguments: String...) async throws -> Finished {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    return try await run(
      [Program.path()] + arguments, environment: Program.environment(in: folder), in: folder)
  }

  @Test func everyListedSceneCanBeNamed() async throws {
    let list = try await output("demo", "--list").output
    let names = list.split(separator: "\n").compactMap { $0.split(separator: " ").first }
    #expect(names.count >= 13)
    for name in names {
      let result = try await output("demo", "--code", String(name))
      #expect(result.ending == .exited(0), "\(name): \(result.error)")
      #expect(!result.output.isEmpty)
    }
  }

  @Test(arguments: [
    (["missd", "--plain"], "(did you mean 'missed'?)"), (["raec"], "'race'"),
    (["xyzzy"], "--list"), (["--plain"], "missing argument '<scene>'"),
    (["modes", "--plain", "--code"], "exclude each other"),
  ])
  func invalidArgumentsAreReportedInOneLine(words: [String], hint: String) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let result = try await run(
      [Program.path(), "demo"] + words, environment: Program.environment(in: folder), in: folder)
    #expect(result.ending == .exited(2))
    #expect(result.error.isOneLine && result.error.contains(hint), "\(result.error)")
  }

  /// A child process releases a suspended source, and is killed.
  @Test func theReleasesOfPausedTimersAreReal() async throws {
    let result = try await output("demo", "suspend", "--plain")
    #expect(result.ending == .exited(0))
    #expect(result.output.contains("1 of 2 killed"))
    #expect(result.output.matches(of: /0 of 2 killed/).count == 2, "\(result.output)")
  }
}
