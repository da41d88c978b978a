import Dashboard
import Platform
import Testing
import TimerKit

@testable import CarillonRuntime
@testable import TimerBoard

/// Real commands and their results.
@MainActor
@Suite(.timeLimit(.minutes(20)))
struct CommandRunnerTests {
  private struct End: Hashable {
    var timer: TimerID
    var ending: CommandEnding
    var line: String
  }

  private final class Ends {
    var all: [End] = []
  }

  private let ends = Ends()

  private func runner(atOnce limit: Int = 8, timeLimit: Duration? = nil) -> CommandRunner<TimerID> {
    CommandRunner(atOnce: limit, timeLimit: timeLimit, output: .kept) {
      [ends] timer, ending, line in
      ends.all.append(End(timer: timer, ending: ending, line: line))
    }
  }

  private func event(named name: String, missed: Int = 0) -> EventText {
    let spec = TimerSpec(name: name, kind: .once(.seconds(1)))
    return EventText(
      Transition(
        event: .fired, id: tea, spec: spec, machine: Board([spec], at: .now()).timers[0].machine,
        fire: Fire(lateness: nil, missed: missed)), at: .now())
  }

  private let tea = TimerID(1)

  @Test func theLastLineAndTheStatusAreReported() async throws {
    let runner = runner()
    runner.run(.shell("echo one; printf 'two\\n\\n'; exit 3"), for: tea, event(named: "tea"))
    #expect(!runner.isIdle)
    try await until { runner.isIdle }
    #expect(ends.all == [End(timer: tea, ending: .exited(3), line: "two")])
  }

  #if os(Linux)
    /// The program closes every descriptor of the command's output.
    @Test func outputDescriptorsAreClosed() async throws {
      let runner = runner()
      for _ in 0..<3 {
        ends.all = []
        runner.run(.shell("exec readlink /proc/self/fd/1"), for: tea, event(named: "tea"))
        try await until { runner.isIdle }
        let pipe = try #require(ends.all.first?.line)
        #expect(pipe.hasPrefix("pipe:["))
        var target = [UInt8](repeating: 0, count: 64)
        for descriptor in 0..<1024 {
          let length = readlink("/proc/self/fd/\(descriptor)", &target, target.count)
          guard length > 0 else { continue }
          #expect(String(decoding: target[..<length], as: UTF8.self) != pipe)
        }
      }
    }
  #endif

  @Test func aNameIsNotExecuted() async throws {
    let runner = runner()
    let name = "$(echo pwned) `echo pwned`; echo pwned \u{1B}]52;c;x\u{7}"
    runner.run(.shell("printf %s \"$CARILLON_NAME\""), for: tea, event(named: name))
    try await until { runner.isIdle }
    #expect(ends.all.map(\.line) == [name])
  }

  @Test func aMissingProgramIsReported() async throws {
    let runner = runner()
    runner.run(.arguments(["no-such-program"]), for: tea, event(named: "tea"))
    try await until { runner.isIdle }
    #expect(ends.all.map(\.ending) == [.notStarted(reason: "no such program")])
  }

  @Test func onlyTheLastLineOfALongOutputIsKept() async throws {
    let runner = runner()
    runner.run(
      .shell("head -c 3000000 /dev/zero | tr '\\0' x; echo; echo end"), for: tea,
      event(named: "tea"))
    try await until { runner.isIdle }
    #expect(ends.all == [End(timer: tea, ending: .exited(0), line: "end")])
  }

  /// Otherwise the end of the command would never be detected.
  @Test func aChildThatHoldsTheOutputOpenIsNotAwaited() async throws {
    let runner = runner()
    runner.run(.shell("echo done; sleep 600 & echo $!"), for: tea, event(named: "tea"))
    try await until { runner.isIdle }
    let child = try #require(pid_t(ends.all[0].line))
    #expect(kill(child, SIGKILL) == 0)
  }

  @Test func aCommandThatTimesOutIsEndedWithItsChildren() async throws {
    let runner = runner(timeLimit: .milliseconds(300))
    runner.run(
      .shell("trap '' TERM; sleep 600 & echo $!; wait; wait"), for: tea, event(named: "tea"))
    try await until { runner.isIdle }
    #expect(ends.all.map(\.ending) == [.timedOut])
    let child = try #require(pid_t(ends.all[0].line))
    try await until { kill(child, 0) != 0 }
  }

  @Test func stoppingEndsAllCommands() async throws {
    let runner = runner()
    let folder = TestFolder()
    defer { folder.remove() }
    runner.run(
      .shell("sleep 600 & echo $! >\"$CARILLON_NAME/pid\"; wait"), for: tea,
      event(named: folder.path))
    try await until { folder.number("pid") != nil }
    let child = try #require(folder.number("pid"))
    runner.stop()
    try await until { kill(child, 0) != 0 }
    runner.run(.shell("true"), for: tea, event(named: "tea"))
    #expect(ends.all.isEmpty)
  }

  /// A command that is about to start must be stopped too.
  @Test func aStartingCommandIsStoppedToo() async throws {
    let runner = runner()
    let folder = TestFolder()
    defer { folder.remove() }
    runner.run(
      .shell("echo 1 >\"$CARILLON_NAME/pid\""), for: tea, event(named: folder.path))
    runner.stop()
    try await until { runner.isIdle }
    #expect(folder.number("pid") == nil)
  }

  #if os(Linux)
    /// Whatever descriptor is unavailable, a command either runs or is reported as not started.
    @Test func aShortageOfDescriptorsIsReported() async throws {
      await #expect(processExitsWith: .success) { @MainActor in
        var endings: [CommandEnding] = []
        let runner = CommandRunner<TimerID>(timeLimit: nil, output: .kept) { _, ending, _ in
          endings.append(ending)
        }
        // The system has opened its own descriptors by then.
        runner.run(.shell("true"), for: TimerID(1), nil)
        try await until { runner.isIdle }
        endings = []
        let next = dup(0)
        close(next)
        var limit = rlimit()
        try #require(getrlimit(openFilesResource, &limit) == 0)
        // Some of the descriptors above the next one are in use, and a command leaves twelve to the program.
        for spare in 0...60 {
          limit.rlim_cur = rlim_t(Int(next) + spare)
          try #require(setrlimit(openFilesResource, &limit) == 0)
          runner.run(.shell("true"), for: TimerID(1), nil)
          try await until { runner.isIdle }
        }
        for ending in endings.prefix(2) {
          guard case .notStarted(let reason) = ending else { exit(2) }
          guard reason.contains("Too many open files") else { exit(3) }
        }
        exit(endings.last == .exited(0) && endings.count == 61 ? 0 : 1)
      }
    }
  #endif

  /// As in a shell: the folders are searched in order, and a script without an interpreter line is run by
  /// a shell.
  @Test(
    arguments: [
      (["forbidden", "there"], 0), (["missing", "there/tool", "there"], 0),
      (["forbidden"], EACCES), (["missing", "forbidden", "missing"], EACCES),
      (["missing"], ENOENT),
    ] as [([String], Int32)])
  func programsAreSearchedInThePath(folders: [String], error: Int32) throws {
    let root = TestFolder()
    defer { root.remove() }
    for (name, mode) in [("there", mode_t(0o755)), ("forbidden", 0o644)] {
      #expect(mkdir("\(root.path)/\(name)", 0o700) == 0)
      let file = open("\(root.path)/\(name)/tool", O_CREAT | O_WRONLY, mode)
      let script = Array("test \"$1\" = 'an argument' && exit 7".utf8)
      #expect(write(file, script, script.count) == script.count)
      close(file)
    }
    defer {
      for name in ["there", "forbidden"] {
        unlink("\(root.path)/\(name)/tool")
        rmdir("\(root.path)/\(name)")
      }
    }
    let path = folders.map { "\(root.path)/\($0)" }.joined(separator: ":")
    let outcome = startProcess(["tool", "an argument"], environment: ["PATH": path])
    #expect(outcome.error == error)
    guard outcome.error == 0 else { return }
    var status: Int32 = 0
    #expect(waitpid(outcome.process, &status, 0) == outcome.process)
    #expect(status >> 8 == 7)
  }

  /// A child that ignores SIGTERM ends with its group, even if the shell that started it has ended by then.
  @Test func aChildOfAnEndedShellIsEndedToo() async throws {
    let runner = runner(timeLimit: .milliseconds(300))
    runner.run(
      .shell("(trap '' TERM; while :; do sleep 0.1; done) & echo $!; sleep 600"), for: tea,
      event(named: "tea"))
    try await until { runner.isIdle }
    #expect(ends.all.map(\.ending) == [.timedOut])
    let child = try #require(pid_t(ends.all[0].line))
    try await until { kill(child, 0) != 0 }
    // One that its command has left behind without being terminated runs on.
    runner.run(.shell("sleep 600 & echo $!"), for: tea, event(named: "tea"))
    try await until { runner.isIdle }
    let other = try #require(pid_t(ends.all[1].line))
    runner.endCommands(of: tea)
    runner.stop()
    #expect(kill(other, SIGKILL) == 0)
  }

  /// A child that fills the output while its command ends neither holds that up nor ends the program by SIGPIPE.
  @Test func aChildThatPrintsOnIsNotAwaited() async throws {
    await #expect(processExitsWith: .success) { @MainActor in
      signal(SIGPIPE, SIG_DFL)
      var endings: [CommandEnding] = []
      let runner = CommandRunner<TimerID>(timeLimit: nil, output: .kept) { _, ending, _ in
        endings.append(ending)
      }
      for _ in 0..<20 {
        runner.run(.shell("yes & sleep 0.02"), for: TimerID(1), nil)
        try await until { runner.isIdle }
      }
      exit(endings == [CommandEnding](repeating: .exited(0), count: 20) ? 0 : 1)
    }
  }

  @Test func commandsOfARemovedTimerAreEnded() async throws {
    let runner = runner(atOnce: 1)
    runner.run(.shell("sleep 600"), for: tea, event(named: "tea"))
    runner.run(.shell("sleep 600"), for: tea, event(named: "tea"))
    runner.run(.shell("echo egg"), for: TimerID(2), event(named: "egg"))
    #expect(runner.isBusy(with: tea) && runner.isBusy(with: TimerID(2)))
    runner.endCommands(of: tea)
    #expect(!runner.isBusy(with: tea) && runner.isBusy(with: TimerID(2)))
    try await until { runner.isIdle }
    #expect(ends.all == [End(timer: TimerID(2), ending: .exited(0), line: "egg")])
  }

  /// The program waits for a command of a removed timer, so it needs to know the end of that command.
  @Test func theEndOfARemovedTimersCommandMakesTheRunnerIdle() async throws {
    let runner = runner()
    var idleCount = 0
    runner.onIdle = { idleCount += 1 }
    runner.run(.shell("sleep 600"), for: tea, event(named: "tea"))
    runner.endCommands(of: tea)
    #expect(!runner.isIdle && idleCount == 0)
    try await until { idleCount > 0 }
    #expect(runner.isIdle && ends.all.isEmpty)
    runner.run(.shell("true"), for: tea, event(named: "tea"))
    try await until { idleCount > 1 }
    #expect(idleCount == 2 && ends.all.count == 1)
  }

  /// A fire waits for the command of the fire before, and no other timer waits for it.
  @Test func commandsOfATimerDoNotOverlap() async throws {
    let folder = TestFolder()
    defer { folder.remove() }
    let runner = runner()
    let print = Command.shell("echo $CARILLON_NAME $CARILLON_MISSED")
    let first = "until test -e \(folder.path)/pid; do sleep 0.01; done; echo first"
    runner.run(.shell(first), for: tea, event(named: "first"))
    for number in 1...3 { runner.run(print, for: tea, event(named: "tea\(number)")) }
    runner.run(print, for: TimerID(2), event(named: "egg"))
    try await until { !ends.all.isEmpty }
    #expect(ends.all.map(\.line) == ["egg 0"])
    runner.run(.shell("touch \(folder.path)/pid"), for: TimerID(3), nil)
    try await until { runner.isIdle }
    #expect(ends.all.map(\.line).filter { $0 != "" } == ["egg 0", "first", "tea3 2"])
  }

  /// Each timer has at most one waiting fire, the newest, which counts those it replaces; timers
  /// take turns.
  @Test func concurrentCommandsAreLimited() async throws {
    let runner = runner(atOnce: 1)
    let print = Command.shell("echo $CARILLON_NAME $CARILLON_MISSED")
    runner.run(.shell("sleep 0.2; echo first"), for: tea, event(named: "first"))
    runner.run(.shell("echo old"), for: tea, event(named: "tea1", missed: 1))
    for number in 2...4 { runner.run(print, for: tea, event(named: "tea\(number)", missed: 1)) }
    runner.run(print, for: TimerID(2), event(named: "egg"))
    try await until { runner.isIdle }
    #expect(ends.all.map(\.line) == ["first", "tea4 7", "egg 0"])
  }
}

/// A folder for the output of a test's command.
private struct TestFolder {
  let path: String

  init() {
    var template = Array("/tmp/carillon-test-XXXXXX\0".utf8CString)
    path = mkdtemp(&template).map { String(cString: $0) } ?? "/tmp"
  }

  func number(_ name: String) -> pid_t? {
    guard let file = fopen("\(path)/\(name)", "r") else { return nil }
    defer { fclose(file) }
    var buffer = [CChar](repeating: 0, count: 64)
    guard fgets(&buffer, 64, file) != nil else { return nil }
    return String(decoding: buffer.map { UInt8(bitPattern: $0) }.prefix { $0 > 10 }, as: UTF8.self)
      .split(separator: "\n").first.flatMap { pid_t($0) }
  }

  func remove() {
    unlink("\(path)/pid")
    rmdir(path)
  }
}
