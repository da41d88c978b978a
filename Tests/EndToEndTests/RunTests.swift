import Foundation
import Testing

/// `carillon run` and the filters of lines, as scripts use them.
struct RunTests {
  private func carillon(
    _ arguments: [String], input: String? = nil, output: String? = nil
  ) async throws -> Finished {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let command = arguments.map { "'\($0)'" }.joined(separator: " ")
    var script = "exec \"$0\" \(command)"
    if let input { script = "printf '\(input)' | \"$0\" \(command)" }
    if let output { script += output }
    return try await run(
      ["sh", "-c", script, Program.path()], environment: Program.environment(in: folder),
      in: folder)
  }

  @Test func aLineForEachFire() async throws {
    let result = try await carillon(["run", "a=every 50ms x2", "b=120ms"])
    #expect(result.ending == .exited(0) && result.error == "")
    let lines = result.output.split(separator: "\n").map { $0.dropFirst(10) }
    #expect(lines == ["a  fired, 1 of 2", "a  finished", "b  finished"])
  }

  @Test func anObjectForEachFire() async throws {
    let result = try await carillon([
      "run", "--json", "t=cycle 40ms/30ms x2", "--", "sh", "-c", "echo $CARILLON_PHASE",
    ])
    #expect(result.ending == .exited(0))
    let objects = try result.output.split(separator: "\n").map { line in
      try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    let fires = objects.filter { $0["event"] as? String != "command" }
    #expect(fires.map { $0["event"] as? String } == ["phase", "phase", "finished"])
    #expect(fires.map { $0["phase"] as? String } == ["rest", "work", nil])
    #expect(objects.count { $0["status"] as? Int == 0 } == 3)
    // What commands print does not get into the objects.
    #expect(Set(result.error.split(separator: "\n")) == ["rest", "work"])
  }

  @Test func aCommandThatFails() async throws {
    let fast = try await carillon(["run", "--fail-fast", "every 30ms", "--", "sh", "-c", "exit 7"])
    #expect(fast.ending == .exited(1))
    #expect(fast.error == "carillon: every 30ms: sh: exit status 7\n")
    let patient = try await carillon(["run", "-q", "every 30ms x2", "--", "no-such-program"])
    #expect(patient.ending == .exited(0) && patient.output == "")
    #expect(patient.error.contains("no-such-program: cannot be started: there is no such program"))
  }

  /// One timer starts the next, and each can have a command of its own.
  @Test func oneAfterTheOther() async throws {
    let result = try await carillon([
      "run", "-q", "a=20ms then b", "b=20ms paused run \"echo own $CARILLON_NAME\"", "--", "sh",
      "-c", "echo given $CARILLON_NAME",
    ])
    #expect(result.ending == .exited(0) && result.error == "")
    #expect(result.output.split(separator: "\n").sorted() == ["given a", "own b"])
  }

  @Test func anEnd() async throws {
    let first = try await carillon(["run", "--until-first", "a=every 30ms", "b=1h"])
    #expect(first.ending == .exited(0) && first.output.split(separator: "\n").count == 1)
    let limited = try await carillon(["run", "--max-time", "100ms", "1h"])
    #expect(limited.ending == .exited(0) && limited.output == "")
    let closed = try await carillon(["run", "every 20ms"], output: " | head -1")
    #expect(closed.output.contains("fired, 1"))
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func aSignalEndsWhatItHasStarted(signal: Int32) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let child = try ChildProcess(
      [
        Program.path(), "run", "10ms", "--", "sh", "-c",
        "sleep 600 & echo $! >\(folder.path("new")); mv \(folder.path("new")) \(folder.path("pid")); wait",
      ],
      environment: Program.environment(in: folder), streams: .init())
    defer { child.end() }
    #expect(try await eventually { (try? folder.line(of: "pid")) != nil })
    let grandchild = try #require(pid_t(try folder.line(of: "pid")))
    child.send(signal)
    #expect(try await child.ending() == (signal == SIGINT ? .exited(130) : .killed(by: signal)))
    #expect(try await eventually { !isAlive(grandchild) })
  }

  @Test(arguments: [
    (["run"], "Missing expected argument"), (["run", "3x"], "“x” is no unit"),
    (["run", "--max-time", "3", "3m"], "--max-time 3: a unit belongs after 3"),
    (["run", "--jsn", "3m"], "Did you mean '--json'?"), (["debounce"], "Missing expected argument"),
    (["throttle", "0s"], "zero is no time at all"), (["debounce", "1s", "2s"], "“2s” is more"),
    (["runn", "3m"], "Did you mean “run”?"),
  ])
  func wrongUse(arguments: [String], message: String) async throws {
    let result = try await carillon(arguments)
    #expect(result.ending == .exited(2) && result.output == "")
    #expect(result.error.hasPrefix("carillon: ") && result.error.contains(message))
  }

  @Test(arguments: [
    (["throttle", "1h"], "a\nc\n"), (["throttle", "1h", "first"], "a\nb\n"),
    (["debounce", "1h"], "c\n"), (["debounce", "1h", "leading"], "a\n"),
    (["debounce", "1h", "both"], "a\nc\n"),
  ])
  func theLastLineIsNeverLost(arguments: [String], expected: String) async throws {
    let result = try await carillon(arguments, input: "a\\nb\\nc")
    #expect(result.ending == .exited(0) && result.error == "" && result.output == expected)
  }

  @Test func aStreamThatCannotBeUsed() async throws {
    let input = try await carillon(["throttle", "1s"], output: " <&-")
    #expect(input.ending == .exited(1))
    #expect(input.error == "carillon: standard input: Bad file descriptor\n")
    let output = try await carillon(["throttle", "1s"], input: "a", output: " >&-")
    #expect(output.error == "carillon: standard output: Bad file descriptor\n")
    #if os(Linux)
      let full = try await carillon(["throttle", "1s"], input: "a", output: " >/dev/full")
      #expect(full.error == "carillon: standard output: No space left on device\n")
    #endif
  }
}
