import Foundation
import Testing

/// `carillon serve` under a service manager, and its configuration.
struct ServeTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func control(_ words: String...) async throws -> Finished {
    try await run(
      [Program.path(), "ctl"] + words, environment: Program.environment(in: folder), in: folder)
  }

  private func configure(_ text: String) throws {
    let path = folder.path("config/carillon")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try text.write(toFile: "\(path)/config.toml", atomically: true, encoding: .utf8)
  }

  /// Runs a test while `carillon serve` owns the session.
  private func serving(
    _ arguments: [String] = [], environment changes: [String: String?] = [:],
    _ test: (ChildProcess) async throws -> Void
  ) async throws {
    defer { folder.remove() }
    let child = try ChildProcess(
      [Program.path(), "serve"] + arguments,
      environment: Program.environment(in: folder, with: changes),
      streams: .init(error: folder.path("log")))
    defer { child.end() }
    try #require(try await eventually { try await control("list").ending == .exited(0) })
    try await test(child)
  }

  /// The unit has `Type=notify`: the service manager waits for `READY=1`, and ends it by SIGTERM.
  @Test func serviceManagersSeeTheStartAndTheEnd() async throws {
    let socket = try LocalSocket(.datagrams, at: folder.path("notify"))
    try await serving(["tea=3m"], environment: ["NOTIFY_SOCKET": folder.path("notify")]) { child in
      #expect(try await eventually { socket.receive() == Array("READY=1".utf8) })
      let log = try folder.text(of: "log")
      #expect(log.contains("tea  added"), "\(log)")
      child.send(SIGTERM)
      #expect(try await child.ending() == .exited(0))
      #expect(try await control("list").ending == .exited(3))
    }
  }

  @Test func reloadReadsTheConfiguration() async throws {
    try configure("[hooks]\npaused = 'echo one >>$HOME.hooks'")
    try await serving { child in
      #expect(try await control("add", "@gym").error.contains("unknown preset '@gym'"))
      #expect(try await control("add", "tea=3m", "every 7s").output == "tea\n#2\n")
      _ = try await control("pause", "tea")
      let hooks = { (try? folder.text(of: "home.hooks")) ?? "" }
      #expect(try await eventually { hooks() == "one\n" })

      try configure(
        "[hooks]\npaused = 'echo two >>$HOME.hooks'\n[presets]\ngym = 'sets=every 45s x8'")
      let reloaded = try await control("reload")
      #expect(reloaded.ending == .exited(0) && reloaded.output == "configuration read\n")
      _ = try await control("pause", "#2")
      #expect(try await eventually { hooks() == "one\ntwo\n" })
      #expect(try await control("add", "@gym", "egg=5m").output == "sets\negg\n")

      try configure("theme = 7\n[hooks]\npause = 'echo three'")
      let refused = try await control("reload")
      #expect(refused.ending == .exited(1))
      let lines = refused.error.split(separator: "\n")
      #expect(lines.allSatisfy { $0.hasPrefix("carillon: ctl: ") }, "\(lines)")
      #expect(lines.contains { $0.contains("config.toml: hooks.pause: ") }, "\(lines)")
      #expect(lines.last?.hasSuffix("the old configuration stays in use") == true)
      _ = try await control("pause", "egg")
      #expect(try await eventually { hooks() == "one\ntwo\ntwo\n" })
      #expect(child.endingIfAny() == nil)
    }
  }

  /// A background process reads the configuration of the board that it continues.
  @Test func theBackgroundKeepsTheConfigurationOfTheBoard() async throws {
    defer { folder.remove() }
    let file = folder.path("other.toml")
    try "[hooks]\npaused = 'echo $CARILLON_NAME >>$HOME.hooks'".write(
      toFile: file, atomically: true, encoding: .utf8)
    let terminal = try PseudoTerminal(
      [Program.path(), "--config", file, "tea=3m"],
      environment: Program.environment(in: folder))
    try await terminal.output("the first frame") { $0.contains("tea") }
    let reloaded = try await control("reload")
    #expect(reloaded.output.hasPrefix("configuration read; display and keys"))
    terminal.type("D")
    #expect(try await terminal.ending() == .exited(0))
    terminal.close()
    _ = try await control("pause", "tea")
    #expect(try await eventually { (try? folder.text(of: "home.hooks")) == "tea\n" })
    #expect(try await control("quit").ending == .exited(0))
  }

  /// A second toggle undoes the first, also beside another timer, so that one key can pause and resume.
  @Test func toggleNextPausesAndResumes() async throws {
    try await serving(["tea=3m", "egg=5m"]) { _ in
      for expected in ["paused running", "running running", "paused running"] {
        #expect(try await control("toggle", "--next").ending == .exited(0))
        let states = try await control("list", "--format", "{state}").output
        #expect(states.split(separator: "\n").joined(separator: " ") == expected)
      }
      #expect(try await control("resume", "--next").ending == .exited(0))
      #expect(try await control("resume", "--next").error.contains("no timer is paused"))
    }
  }

  /// Tab in bash, by the script that is installed. bash expands completions: no name is executed.
  @Test(.enabled(if: isInstalled("bash"), "bash is not installed"))
  func bashCompletesTheNamesOfTimers() async throws {
    let hostile = ["'$(touch pwned)'=1h", "\"don't\"=1h", "'`touch pwned`'=1h"]
    try await serving(["tea=3m", "egg=5m", "every 7s"] + hostile) { _ in
      let script = """
        PATH="$(dirname "$0"):$PATH"; source <(carillon --generate-completion-script bash)
        complete_words() {
          COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE} COMP_TYPE=9
          COMPREPLY=()
          $(complete -p carillon | sed 's/.*-F \\([^ ]*\\).*/\\1/') carillon "${@: -1}" "${@: -2:1}"
          printf '%s|' "${COMPREPLY[@]}"; echo
        }
        complete_words carillon ctl ''
        complete_words carillon ctl pa
        complete_words carillon ctl pause ''
        complete_words carillon ctl more t
        complete_words carillon ctl undo ''
        complete_words carillon ctl --session other pause ''
        complete_words carillon ctl --session=other pause ''
        complete_words carillon ctl --session = main pause ''
        """
      let result = try await run(
        ["bash", "-c", script, Program.path()], environment: Program.environment(in: folder),
        in: folder)
      let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.split(separator: "|").map(String.init) }
      try #require(lines.count == 9, "\(result)")
      #expect(Set(lines[0]).isSuperset(of: ["pause", "add", "watch", "reload"]), "\(result)")
      #expect(lines[1] == ["pause"])
      let offered = ["tea", "egg", "'$(touch pwned)'", "'don'\\''t'", "'`touch pwned`'"]
      #expect(lines[2] == offered, "\(result)")
      #expect(!FileManager.default.fileExists(atPath: "pwned"))
      #expect(lines[3] == ["tea"])
      #expect(
        lines[4].allSatisfy { $0.hasPrefix("-") } && lines[5].allSatisfy { $0.hasPrefix("-") })
      // bash splits a word at an equals sign; other shells do not.
      #expect(lines[6].allSatisfy { $0.hasPrefix("-") }, "\(result)")
      #expect(lines[7] == offered, "\(result)")
    }
  }
}
