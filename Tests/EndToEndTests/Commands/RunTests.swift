import Foundation
import Testing

/// `carillon run` and the line filters, as used in scripts.
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

  @Test func everyFirePrintsALine() async throws {
    // A machine that stalls for a whole interval merges two fires.
    let result = try await carillon(["run", "a=every 400ms x2", "b=1s"])
    #expect(result.ending == .exited(0) && result.error == "")
    let lines = result.output.split(separator: "\n").map { $0.dropFirst(10) }
    #expect(lines == ["a  fired, 1 of 2", "a  finished", "b  finished"])
  }

  /// Separate arguments are one duration, or several timers, which are reported.
  @Test func argumentsAreOneDurationOrSeveralTimers() async throws {
    let one = try await carillon(["run", "--json", "--until-first", "1s", "5ms"])
    #expect(one.output.contains("\"1s5ms\"") && one.error == "", "\(one)")
    let two = try await carillon(["run", "--max-time", "10ms", "5m", "10m"])
    #expect(two.error == "carillon: 2 timers: once 5m, once 10m\n")
    let quiet = try await carillon(["run", "--quiet", "--max-time", "10ms", "5m", "10m"])
    #expect(quiet.error == "" && quiet.output == "")
  }

  /// Each fire is in one run or counted as missed by one, and no two runs are at the same time.
  @Test func runsOfATimerDoNotOverlap() async throws {
    let command = "mkdir lock && sleep 0.2 && rmdir lock && echo ran $CARILLON_MISSED"
    let result = try await carillon(["run", "every 50ms x5", "--", "sh", "-c", command])
    #expect(result.ending == .exited(0) && result.error == "", "\(result)")
    let counts = result.output.matches(of: /ran (\d+)/).compactMap { Int($0.1) }
    // A machine that stalls merges fires.
    let merged = result.output.matches(of: /(\d+) missed/).compactMap { Int($0.1) }
    let fires = merged.reduce(5, +)
    #expect(counts.count < 5 && counts.reduce(0) { $0 + 1 + $1 } == fires, "\(result.output)")
  }

  @Test func aSoundIsPlayedToItsEnd() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let script = """
      mkdir -p $HOME/bin; cat >$HOME/bin/pw-play <<'END'
      #!/bin/sh
      head -c 4 "$1"; sleep 0.3; echo played >>$HOME.sounds
      END
      chmod +x $HOME/bin/pw-play; export PATH=$HOME/bin:$PATH
      "$0" run tea=10ms sound glass && cat $HOME.sounds && "$0" run 3m sound gong
      """
    let result = try await run(
      ["sh", "-c", script, Program.path()], environment: Program.environment(in: folder),
      in: folder)
    #expect(result.ending == .exited(2) && result.output.hasSuffix("tea  finished\nplayed\n"))
    #expect(
      result.error.isOneLine
        && result.error.contains("3m sound gong: column 10: unknown sound 'gong' (expected bowl, "))
  }

  @Test func hooksOfATimer() async throws {
    let hook = "echo $CARILLON_EVENT $CARILLON_NAME; sleep 0.1; exit 3"
    let result = try await carillon(["run", "tea=10ms", "on", "finished", "run", hook])
    #expect(result.error == "carillon: tea: finished: hook: exit status 3 'finished tea'\n")
  }

  @Test func presetsAreListedReplacedAndRun() async throws {
    let list = try await carillon(["presets"])
    #expect(list.output.contains("tabata    tabata=cycle 20s/10s x8\n") && list.error == "")
    let script = """
       >/dev/null; mkdir -p "$XDG_CONFIG_HOME/carillon"
      printf '%s' '[presets]
      tabata = "t=every 10ms x2"
      box = []' >"$XDG_CONFIG_HOME/carillon/config.toml"
      "$0" presets; "$0" run tabata; "$0" run fast=tabata x1; "$0" run @box
      """
    let own = try await carillon(["presets"], input: "", output: script)
    #expect(own.output.contains("tabata    t=every 10ms x2\n") && !own.output.contains("box"))
    #expect(own.output.contains("t  finished") && own.output.contains("fast  finished"), "\(own)")
    #expect(own.error.contains("unknown preset '@box'"))
  }

  @Test func everyFirePrintsAnObject() async throws {
    let result = try await carillon([
      "run", "--json", "t=cycle 500ms/400ms x2", "--", "sh", "-c", "echo $CARILLON_PHASE",
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
    // The output of commands is not mixed with the objects.
    #expect(Set(result.error.split(separator: "\n")) == ["rest", "work"])
  }

  @Test func aFailingCommandIsReported() async throws {
    let fast = try await carillon(["run", "--fail-fast", "every 30ms", "--", "sh", "-c", "exit 7"])
    #expect(fast.ending == .exited(1))
    #expect(fast.error == "carillon: every 30ms: sh: exit status 7\n")
    let patient = try await carillon(["run", "-q", "every 30ms x2", "--", "no-such-program"])
    // A command that cannot be started is a failure even where other failures are ignored.
    #expect(patient.ending == .exited(1) && patient.output == "")
    #expect(patient.error.contains("no-such-program: cannot be started: no such program"))
  }

  /// A program by its path, with and without an interpreter line.
  @Test(arguments: ["/bin/echo", "./poll.sh", "./bare.sh"])
  func aProgramCanBeNamedByItsPath(program: String) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let script = """
      mkdir -p "$HOME"; cd "$HOME"
      printf '#!/bin/sh\\necho "$@"\\n' >poll.sh; echo 'echo "$@"' >bare.sh; chmod +x *.sh
      exec "$0" run -q 'every 20ms x2' -- \(program) polled
      """
    let result = try await run(
      ["sh", "-c", script, Program.path()], environment: Program.environment(in: folder),
      in: folder)
    #expect(result.ending == .exited(0) && result.error == "")
    #expect(result.output == "polled\npolled\n")
  }

  @Test(arguments: ["/no/such/program", "./", "no-such-program"])
  func aCommandThatCannotStartIsReported(program: String) async throws {
    let result = try await carillon(["run", "-q", "every 30ms x1", "--", program])
    #expect(result.ending == .exited(1))
    #expect(result.error.contains("\(program): cannot be started: "))
  }

  /// One timer starts the next, and each can have its own command.
  @Test func timersCanBeChained() async throws {
    let result = try await carillon([
      "run", "-q", "a=20ms then b", "b=20ms paused run \"echo own $CARILLON_NAME\"", "--", "sh",
      "-c", "echo given $CARILLON_NAME",
    ])
    #expect(result.ending == .exited(0) && result.error == "")
    #expect(result.output.split(separator: "\n").sorted() == ["given a", "own b"])
  }

  @Test func aRunEndsAtItsLimit() async throws {
    let first = try await carillon(["run", "--until-first", "a=every 30ms", "b=1h"])
    #expect(first.ending == .exited(0) && first.output.split(separator: "\n").count == 1)
    let limited = try await carillon(["run", "--max-time", "100ms", "1h"])
    #expect(limited.ending == .exited(0) && limited.output == "")
    let closed = try await carillon(["run", "every 20ms"], output: " | head -1")
    #expect(closed.output.contains("fired, 1"))
  }

  /// The run ends after the last fire, not between its state and its event.
  @Test func noFireIsLostAtTheEnd() async throws {
    for _ in 0..<60 {
      let result = try await carillon(["run", "10ms", "--", "echo", "done"])
      #expect(result.output.contains("finished") && result.output.contains("done"))
    }
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func aSignalEndsTheCommands(signal: Int32) async throws {
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

  /// Sent while the program is still reading its arguments.
  @Test func noSignalIsLostAtTheStart() async throws {
    for attempt in 0..<100 {
      let folder = try TemporaryFolder()
      defer { folder.remove() }
      let child = try ChildProcess(
        [Program.path(), "run", "1h"], environment: Program.environment(in: folder),
        streams: .init())
      defer { child.end() }
      try await ContinuousClock().sleep(for: .microseconds(attempt * 400))
      child.send(SIGTERM)
      #expect(try await child.ending(within: .seconds(10)) == .killed(by: SIGTERM))
    }
  }

  #if os(Linux)
    /// Unread output does not prevent a signal from ending the program.
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP], [false, true])
    func unreadOutputDoesNotBlockASignal(signal: Int32, isError: Bool) async throws {
      let folder = try TemporaryFolder()
      defer { folder.remove() }
      let pipe = try FullPipe(in: folder)
      let command =
        isError ? ["-q", "every 1ms", "--", "/no/such/program"] : ["--json", "every 1ms"]
      let child = try ChildProcess(
        [Program.path(), "run"] + command, environment: Program.environment(in: folder),
        streams: isError ? .init(error: pipe.path) : .init(output: pipe.path))
      defer { child.end() }
      #expect(try await eventually { pipe.isFull })
      child.send(signal)
      #expect(try await child.ending() == (signal == SIGINT ? .exited(130) : .killed(by: signal)))
    }

    @Test func unreadOutputDoesNotOutlastMaxTime() async throws {
      let folder = try TemporaryFolder()
      defer { folder.remove() }
      let pipe = try FullPipe(in: folder)
      let child = try ChildProcess(
        [Program.path(), "run", "--json", "--max-time", "1s", "every 1ms"],
        environment: Program.environment(in: folder), streams: .init(output: pipe.path))
      defer { child.end() }
      #expect(try await child.ending() == .exited(0))
      #expect(pipe.isFull)
    }
  #endif

  /// A run ends when nothing runs, and a paused timer does not run.
  @Test(arguments: ["tea=3m paused", "a=10ms b=1h paused"])
  func pausedTimersKeepNothingRunning(timers: String) async throws {
    let result = try await carillon(["run"] + timers.split(separator: " ").map(String.init))
    #expect(result.ending == .exited(0), "\(result.error)")
  }

  @Test(arguments: [["run", "--now", "every 1h"], ["run", "every 1h now"]])
  func aTimerCanFireAtItsStart(arguments: [String]) async throws {
    let result = try await carillon(arguments + ["--until-first", "--max-time", "30s"])
    #expect(result.ending == .exited(0) && result.output.contains("every 1h"), "\(result)")
  }

  @Test(arguments: [
    (["run"], "missing argument '<timer>'"), (["run", "3y"], "unknown unit 'y'"),
    (["run", "--max-time", "3", "3m"], "run: --max-time: '3': missing unit after '3'"),
    (["run", "--now", "3m"], "run: --now needs a timer with every"),
    (["run", "--jsn", "3m"], "did you mean '--json'?"),
    (["run", "--foo"], "unknown option '--foo'"),
    (["debounce"], "missing argument '<duration>'"), (["debounce", "--foo"], "option '--foo'"),
    (["throttle"], "missing argument '<duration>'"), (["throttle", "--foo"], "option '--foo'"),
    (["check", "--foo"], "option '--foo'"),
    (["status", "--format", "{name} {bogus}"], "unknown field '{bogus}' (expected {name}, {left}"),
    (["throttle", "0s"], "duration must be greater than zero"),
    (["debounce", "1s", "2s"], "unexpected '2s'"),
    (["runn", "3m"], "unknown command 'runn' (did you mean 'run'?; with a name: runn=3m)"),
  ])
  func usageErrorsAreReported(arguments: [String], message: String) async throws {
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

  /// The waiting line is written, and the program is ended by the signal.
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP], ["debounce", "throttle"])
  func aWaitingLineIsNotLostToASignal(signal: Int32, filter: String) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let input = folder.path("input")
    #expect(mkfifo(input, 0o600) == 0)
    // Opened for reading and writing, so that opening does not block and there is no end of file.
    let end = open(input, O_RDWR)
    defer { close(end) }
    let child = try ChildProcess(
      [Program.path(), filter, "1h"], environment: Program.environment(in: folder),
      streams: .init(input: input, output: folder.path("output")))
    defer { child.end() }
    #expect(write(end, "a\nb\n", 4) == 4)
    #expect(
      try await eventually {
        var count: Int32 = 0
        return ioctl(end, UInt(FIONREAD), &count) == 0 && count == 0
      })
    // The program has read the lines and is about to wait.
    if filter == "throttle" {
      #expect(try await eventually { try folder.text(of: "output") == "a\n" })
    }
    try await ContinuousClock().sleep(for: .milliseconds(200))
    child.send(signal)
    #expect(try await child.ending() == .killed(by: signal))
    #expect(try folder.text(of: "output") == (filter == "debounce" ? "b\n" : "a\nb\n"))
  }

  @Test(arguments: ["debounce", "throttle"])
  func anEndlessLineIsReported(filter: String) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let script = "{ echo first; head -c 100000000 /dev/zero; } | \"$0\" \(filter) 1h"
    let result = try await run(
      ["sh", "-c", script, Program.path()], environment: Program.environment(in: folder),
      in: folder)
    #expect(result.ending == .exited(1) && result.output == "first\n")
    #expect(
      result.error == "carillon: standard input: line is too long (expected at most 16 MiB)\n")
  }

  @Test func unusableStreamsAreReported() async throws {
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

#if os(Linux)
  /// A pipe that is never read.
  private struct FullPipe {
    let path: String
    private let end: Int32

    init(in folder: TemporaryFolder) throws {
      path = folder.path("pipe")
      try #require(mkfifo(path, 0o600) == 0)
      end = open(path, O_RDWR | O_NONBLOCK)
      // F_SETPIPE_SZ, which Glibc declares for GNU sources only.
      try #require(fcntl(end, 1031, 4096) >= 4096)
    }

    var isFull: Bool {
      var writable = pollfd(fd: end, events: Int16(POLLOUT), revents: 0)
      return poll(&writable, 1, 0) == 0
    }
  }
#endif
