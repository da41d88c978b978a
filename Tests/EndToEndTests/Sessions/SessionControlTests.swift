import Foundation
import Testing

/// Several processes share a session: a board, a background process, and clients.
struct SessionControlTests {
  private func carillon(
    _ arguments: [String], in folder: TemporaryFolder
  ) async throws -> Finished {
    try await run(
      [Program.path()] + arguments, environment: Program.environment(in: folder), in: folder)
  }

  private func control(_ folder: TemporaryFolder, _ words: String...) async throws -> Finished {
    try await carillon(["ctl"] + words, in: folder)
  }

  private func configure(_ text: String, in folder: TemporaryFolder) throws {
    let path = folder.path("config/carillon")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try text.write(toFile: "\(path)/config.toml", atomically: true, encoding: .utf8)
  }

  /// Runs a test in a folder, and ends the session's owner after it.
  private func withSession(_ test: (TemporaryFolder) async throws -> Void) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    do {
      try await test(folder)
    } catch {
      _ = try await control(folder, "quit")
      throw error
    }
    _ = try await control(folder, "quit")
  }

  @Test func controlsOfAnotherShellAreSeenOnTheBoard() async throws {
    try await withPseudoTerminal(["tea=3m"]) { terminal, folder in
      try await terminal.output("the first frame") { $0.contains("tea") }
      let added = try await control(folder, "add", "egg=5m", "every 7s")
      #expect(added.ending == .exited(0) && added.output == "egg\n#3\n")
      try await terminal.output("the new timer") { $0.contains("egg") }
      #expect(try await control(folder, "pause", "egg").output.hasPrefix("egg: paused, "))
      try await terminal.output("the notice") { $0.contains("egg: paused") }
      let more = try await control(folder, "more", "egg", "1m")
      #expect(more.output.hasPrefix("egg: 1m added, "))
      #expect(try await control(folder, "rename", "egg", "eggs").ending == .exited(0))
      #expect(try await control(folder, "pause", "#3").output.hasPrefix("every 7s: paused"))
      let list = try await control(folder, "list", "--format", "{name} {state}")
      #expect(list.output == "tea running\neggs paused\nevery 7s paused\n")
      #expect(try await control(folder, "undo").ending == .exited(0))
      #expect(try await control(folder, "delete", "--all").output == "3 timers: deleted\n")
      #expect(try await control(folder, "quit").ending == .exited(0))
      #expect(try await terminal.ending() == .exited(0))
    }
  }

  /// Standard output is for a script, which gets the names; standard error is for a person.
  @Test func addSaysWhatWasUnderstood() async throws {
    try await withSession { folder in
      let call = try await control(folder, "add", "call mum 17:30 paused")
      #expect(call.output == "call mum\n" && call.error == "call mum · at 17:30 · paused\n")
      let added = try await control(folder, "add", "nap=3m", "every 7s")
      #expect(added.output == "nap\n#3\n")
      let lines = added.error.split(separator: "\n")
      #expect(lines.first?.hasPrefix("nap · once 3m · fires ") == true)
      #expect(lines.last?.hasPrefix("#3 · every 7s · first fires ") == true)
      let number = try await control(folder, "add", "90")
      #expect(number.error.hasSuffix(" · 90 is in minutes; 90s are seconds\n"))
      let reference = try await control(folder, "add", "'#9'=5m")
      #expect(reference.output == "#9\n" && reference.error.hasPrefix("'#9' · once 5m · "))
      #expect(try await control(folder, "add", "--quiet", "tea=3m").error == "")
      let detached = try await carillon(["--detach", "egg=5m"], in: folder)
      #expect(detached.output == "egg\n" && detached.error.hasPrefix("egg · once 5m · fires "))
      let quiet = try await carillon(["--detach", "--quiet", "rice=12m"], in: folder)
      #expect(quiet.output == "rice\n" && quiet.error == "")
      // Values are in words, too, but not without a unit.
      let more = try await control(folder, "more", "egg", "half", "an", "hour")
      #expect(more.output.hasPrefix("egg: 30m added, "))
      let bare = try await control(folder, "more", "egg", "5")
      #expect(bare.error.hasSuffix("missing unit after '5' (expected 5s, 5m or 5h)\n"))
      for name in [" ", "a\nb"] {
        let renamed = try await control(folder, "rename", "egg", name)
        #expect(renamed.ending == .exited(1) && renamed.error.contains("invalid name"))
      }
    }
  }

  /// Without a folder there is neither a session nor an owner.
  @Test func withoutAHomeTheReasonIsGiven() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    for words in [["list"], ["watch"], ["quit"], ["pause", "tea"], ["add", "tea=3m"]] {
      let output = try await run(
        [
          "env", "-u", "HOME", "-u", "XDG_STATE_HOME", "-u", "XDG_RUNTIME_DIR", Program.path(),
          "ctl",
        ]
          + words, environment: Program.environment(in: folder), in: folder)
      #expect(output.ending == .exited(1))
      #expect(
        output.error
          == "carillon: ctl: no folder for the session (expected HOME in the environment)\n")
    }
  }

  /// A group stands for its timers wherever a timer is named.
  @Test func aGroupIsControlled() async throws {
    try await withSession { folder in
      _ = try await control(
        folder, "add", "wash=30m then dry x3 group laundry", "dry=1h group laundry", "tea=3m")
      #expect(try await control(folder, "pause", "laundry").output == "2 timers: paused\n")
      let list = try await control(folder, "list", "laundry", "--format", "{name} {state}")
      #expect(list.output == "wash paused\ndry paused\n")
      #expect(
        try await control(folder, "resume", "laundry", "tea").output.contains("2 timers: resumed"))
      let json = try await control(folder, "list", "wash", "--json").output
      #expect(json.contains(#""group":"laundry","roundsLeft":3"#))
      #expect(
        try await carillon(["status", "laundry"], in: folder).output.split(separator: "\n").count
          == 2)
      let wrong = try await control(folder, "pause", "laundri")
      #expect(
        wrong.error == "carillon: ctl: unknown timer or group 'laundri' (did you mean 'laundry'?)\n"
      )
      let one = try await control(folder, "rename", "laundry", "x")
      #expect(one.error == "carillon: ctl: rename applies to one timer (2 given)\n")
      #expect(try await control(folder, "add", "laundry=5m").output == "laundry-2\n")
      let taken = try await control(folder, "add", "5m group tea")
      #expect(taken.error.contains("group 'tea' has the name of a timer"))
      _ = try await control(folder, "add", "fill=10ms then laundry")
      let starts = try await eventually {
        try await control(folder, "list", "fill", "--format", "{state}").output == "finished\n"
      }
      #expect(starts)
      // Rounds and groups are in the session of the next process.
      _ = try await control(folder, "fire", "wash")
      _ = try await control(folder, "quit")
      let saved = try await carillon(["status", "laundry", "--json"], in: folder).output
      #expect(saved.contains(#""group":"laundry","roundsLeft":2"#), "\(saved)")
    }
  }

  @Test func addedTimersCanBeWordsAndPresets() async throws {
    try await withSession { folder in
      try configure("[presets]\ngym = ['sets=every 45s x8', 'rest=3m paused']", in: folder)
      #expect(try await control(folder, "add", "1h", "30m").output == "#1\n")
      #expect(try await control(folder, "add", "@pomodoro").output == "pomodoro\n")
      #expect(try await control(folder, "add", "tea", "in", "5", "min").output == "tea\n")
      let detached = try await carillon(["--detach", "gym"], in: folder)
      #expect(detached.output == "sets\nrest\n", "\(detached)")
      let names = try await control(folder, "list", "--format", "{name}")
      #expect(names.output == "1h30m\npomodoro\ntea\nsets\nrest\n")
      let command = try await carillon(["--detach", "runn", "3m"], in: folder)
      #expect(command.ending == .exited(2))
      #expect(command.error.contains("unknown command 'runn' (did you mean 'run'?"))
    }
  }

  /// A background process that `--detach` starts has the presets of that command's configuration.
  @Test func detachedTimersUseTheGivenConfiguration() async throws {
    try await withSession { folder in
      let file = folder.path("mine.toml")
      try "[presets]\nlunch = 'lunch=40m'".write(toFile: file, atomically: true, encoding: .utf8)
      let detached = try await carillon(["--config", file, "--detach", "lunch"], in: folder)
      #expect(detached.output == "lunch\n", "\(detached)")
      #expect(try await control(folder, "add", "@lunch").output == "lunch-2\n")
    }
  }

  @Test func serveStartsWordsAndPresets() async throws {
    try await withSession { folder in
      try configure("[presets]\ntabata = 't=every 1m x2'", in: folder)
      let child = try ChildProcess(
        [Program.path(), "serve", "tabata", "x3", "1h", "30m"],
        environment: Program.environment(in: folder), streams: .init())
      defer { child.end() }
      #expect(
        try await eventually {
          try await control(folder, "list", "--format", "{name}").output == "t\n1h30m\n"
        })
    }
  }

  @Test func refusalsAndUsageErrors() async throws {
    try await withSession { folder in
      let nobody = try await control(folder, "list")
      #expect(nobody.ending == .exited(3) && nobody.error.contains("has no owner"))
      #expect(try await control(folder, "add", "--no-start", "tea=3m").ending == .exited(3))
      #expect(try await control(folder, "add", "tea=3m", "count=stopwatch").ending == .exited(0))
      for (words, status, message) in [
        (["list", "te"], 1, "carillon: ctl: unknown timer or group 'te' (did you mean 'tea'?)"),
        (["pause", "te"], 1, "unknown timer or group 'te' (did you mean 'tea'?)"),
        (["more", "tea", "x"], 1, "'x'"),
        (["skip", "tea"], 1, "no phases to skip"),
        (["pause"], 2, "needs names of timers or groups, --all or --next"),
        (["pause", "tea", "--all"], 2, "exclude each other"),
        (["paus", "tea"], 2, "unknown command 'paus' (did you mean 'pause'?)"),
        (["snooze", "tea", "1m"], 2, "unknown command 'snooze' (did you mean 'more'?)"),
        (["more", "tea", "-5m"], 2, "unknown option '-5m' (to remove time: carillon ctl less)"),
        (["undo", "tea"], 2, "takes no argument"),
        (["list", "--session", "a/b"], 2, "invalid name 'a/b'"),
        (["add", "tea=3x"], 1, "3x"),
      ] as [([String], Int32, String)] {
        let finished = try await carillon(["ctl"] + words, in: folder)
        #expect(finished.ending == .exited(status), "\(words): \(finished.error)")
        #expect(finished.error.contains(message), "\(words): \(finished.error)")
      }
      #expect(try await carillon(["help", "foo"], in: folder).ending == .exited(2))
      // All words after the name are the text.
      #expect(try await control(folder, "note", "tea", "two", "bags").ending == .exited(0))
      let list = try await control(folder, "list", "--json")
      #expect(list.output.contains("two bags"))
    }
  }

  /// A background process that was started for timers that are then refused ends by itself.
  @Test func aBackgroundProcessWithoutTimersEnds() async throws {
    try await withSession { folder in
      let refused = try await control(folder, "add", "nonsense")
      #expect(refused.ending == .exited(1), "\(refused)")
      #expect(try await control(folder, "list").ending == .exited(0))
      #expect(try await eventually { try await control(folder, "list").ending == .exited(3) })
    }
  }

  /// A board that cannot open lets the session continue in the background.
  @Test func aFailedTakeOverLeavesTheTimersRunning() async throws {
    try await withSession { folder in
      #expect(try await control(folder, "add", "tea=10m").ending == .exited(0))
      let environment = Program.environment(in: folder)
      let invalid = try PseudoTerminal([Program.path(), "egg=3x"], environment: environment)
      defer { invalid.close() }
      #expect(try await invalid.ending() == .exited(2))
      let isBack = { try await control(folder, "pause", "tea").ending == .exited(0) }
      #expect(try await eventually(isBack))
      #expect(try await carillon(["egg=3m"], in: folder).ending == .exited(2))
      #expect(try await eventually(isBack))
      #expect(
        try await carillon(["serve", "--take-over", "egg=3x"], in: folder).ending == .exited(2))
      #expect(try await eventually(isBack))
      let list = try await control(folder, "list", "--format", "{name} {state}")
      #expect(list.output == "tea paused\n")
      #expect(
        try await control(folder, "more", "tea", "5", "min").output.hasPrefix("tea: 5m added"))
    }
  }

  /// The timers continue without a terminal, their hooks run, and the next board shows what happened.
  @Test func aDetachedSessionContinues() async throws {
    try await withSession { folder in
      let fired = folder.path("fired")
      try configure(
        "[hooks]\nfinished = 'echo $CARILLON_NAME $CARILLON_SESSION >>\(fired)'", in: folder)
      let environment = Program.environment(in: folder)
      let terminal = try PseudoTerminal(
        [Program.path(), "tea=1s", "egg=10m"], environment: environment)
      try await terminal.output("the first frame") { $0.contains("egg") }
      terminal.type("D")
      #expect(try await terminal.ending() == .exited(0))
      #expect(terminal.output().contains("the session continues in a background process"))
      terminal.close()
      let hasFired = try await eventually { (try? folder.text(of: "fired")) == "tea main\n" }
      #expect(hasFired, "\((try? folder.text(of: "fired")) ?? "no file")")
      #expect(
        try await control(folder, "list", "--format", "{name} {state}").output
          == "tea finished\negg running\n")
      let next = try PseudoTerminal([Program.path()], environment: environment)
      defer { next.close() }
      try await next.output("the alert") { $0.contains("egg") && $0.contains("rang") }
      next.type("q")
      #expect(try await next.ending() == .exited(0))
      #expect(try await control(folder, "pause", "egg").ending == .exited(0))
    }
  }

  /// Undo ends with the process that made the change.
  @Test func undoEndsWithTheBoard() async throws {
    try await withSession { folder in
      let terminal = try PseudoTerminal(
        [Program.path(), "tea=1h", "egg=2h"], environment: Program.environment(in: folder))
      try await terminal.output("the first frame") { $0.contains("egg") }
      terminal.type("dduD")
      #expect(try await terminal.ending() == .exited(0))
      terminal.close()
      let undo = try await control(folder, "undo")
      #expect(undo.ending == .exited(1) && undo.error.contains("nothing to undo"), "\(undo)")
      #expect(try await control(folder, "list", "--format", "{name}").output == "egg\n")
    }
  }

  /// The board waits for a command that was started before a hand-over.
  @Test func aCommandEndsWhereItWasStarted() async throws {
    try await withSession { folder in
      let go = folder.path("go")
      let terminal = try PseudoTerminal(
        [
          Program.path(), "egg=1h", "poll=every 1h",
          "run 'until test -e \(go); do sleep 0.05; done; exit 3'",
        ], environment: Program.environment(in: folder))
      defer { terminal.close() }
      try await terminal.output("the first frame") { $0.contains("poll") }
      terminal.type("jf")
      try await terminal.output("the fire") { $0.contains("fired") }
      terminal.type("D")
      try await terminal.output("the wait") { $0.contains("waiting for running commands") }
      #expect(FileManager.default.createFile(atPath: go, contents: nil))
      #expect(try await terminal.ending() == .exited(0))
    }
  }

  /// A command of a deleted timer goes on. The board waits for it after a hand-over, and ends.
  @Test func aBoardEndsAfterTheCommandOfADeletedTimer() async throws {
    try await withSession { folder in
      let (started, go) = (folder.path("started"), folder.path("go"))
      let terminal = try PseudoTerminal(
        [
          Program.path(), "egg=1h", "poll=every 1h",
          "run 'touch \(started); while [ ! -e \(go) ]; do sleep 0.1; done'",
        ], environment: Program.environment(in: folder))
      defer {
        terminal.child.end()
        terminal.close()
      }
      try await terminal.output("the first frame") { $0.contains("poll") }
      terminal.type("jf")
      #expect(try await eventually { FileManager.default.fileExists(atPath: started) })
      terminal.type("dD")
      try await terminal.output("the wait") { $0.contains("waiting for running commands") }
      #expect(FileManager.default.createFile(atPath: go, contents: nil))
      #expect(try await terminal.ending() == .exited(0))
      #expect(
        try await eventually {
          try await control(folder, "list", "--format", "{name}").output == "egg\n"
        })
    }
  }

  /// The reason for which a background process does not start is that of `serve`, at once.
  @Test func theReasonOfABackgroundProcessIsShown() async throws {
    try await withSession { folder in
      let environment = Program.environment(in: folder, with: ["XDG_STATE_HOME": "/dev/null/x"])
      let serve = try await run([Program.path(), "serve"], environment: environment, in: folder)
      #expect(serve.error == "carillon: /dev/null/x: Not a directory\n", "\(serve)")
      for words in [["ctl", "add", "tea=3m"], ["--detach", "tea=3m"]] {
        let refused = try await run(
          [Program.path()] + words, environment: environment, in: folder)
        #expect(refused.ending == .exited(1))
        #expect(
          refused.error
            == "carillon: ctl: the background process did not start: /dev/null/x: Not a directory\n"
        )
      }
    }
  }

  /// The messages of a background process about its start are not lost, such as that a session could not be read.
  @Test func theMessagesOfABackgroundProcessAreShown() async throws {
    try await withSession { folder in
      let path = folder.path("state/carillon/sessions")
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try "{".write(toFile: "\(path)/main.json", atomically: true, encoding: .utf8)
      let added = try await control(folder, "add", "tea=3m")
      #expect(added.ending == .exited(0) && added.output == "tea\n")
      #expect(added.error.contains("the session could not be read: "), "\(added)")
      #expect(added.error.contains("moved to \(path)/main.json.unreadable"), "\(added)")
      #expect(try await control(folder, "add", "--quiet", "egg=3m").error.isEmpty)
    }
  }

  /// A board that cannot go to the background says why, and stays.
  @Test func aBoardSaysWhyItCannotGoToTheBackground() async throws {
    try await withSession { folder in
      let terminal = try PseudoTerminal(
        [Program.path(), "tea=3m"], environment: Program.environment(in: folder))
      defer { terminal.close() }
      try await terminal.output("the first frame") { $0.contains("tea") }
      try configure("theme = 7", in: folder)
      terminal.type("D")
      try await terminal.output("the reason") {
        $0.contains("start:")
      }
      try configure("", in: folder)
      terminal.type("D")
      #expect(try await terminal.ending() == .exited(0))
      #expect(try await control(folder, "list", "--format", "{name}").output == "tea\n")
    }
  }

  /// Tenths of a second and the mute stay, through the background as well.
  @Test func theNextBoardHasTheSameView() async throws {
    try await withSession { folder in
      let environment = Program.environment(in: folder)
      for (keys, hasTenths) in [(".q", false), ("D", true), ("q", true)] {
        let terminal = try PseudoTerminal(
          [Program.path(), "nap=1h paused"], environment: environment)
        defer { terminal.close() }
        try await terminal.output("the time left") {
          $0.contains("1:00:00") && $0.contains("1:00:00.0") == hasTenths
        }
        terminal.type(keys)
        #expect(try await terminal.ending() == .exited(0))
      }
    }
  }

  @Test func aClosedTerminalLeavesTheTimersRunning() async throws {
    try await withSession { folder in
      try configure("on-hangup = 'detach'", in: folder)
      let terminal = try PseudoTerminal(
        [Program.path(), "egg=10m"], environment: Program.environment(in: folder))
      try await terminal.output("the first frame") { $0.contains("egg") }
      terminal.close()
      #expect(
        try await eventually {
          try await control(folder, "list", "--format", "{name}").output == "egg\n"
        })
      #expect(try await eventually { terminal.child.endingIfAny() != nil })
      #expect(try await control(folder, "pause", "egg").ending == .exited(0))
      // The terminal's end is seen in two ways, and one process has started.
      #expect(try await control(folder, "quit").ending == .exited(0))
      let hasOwner = try await eventually(within: .seconds(1)) {
        try await control(folder, "list").ending == .exited(0)
      }
      #expect(!hasOwner)
    }
  }

  @Test(arguments: ["t", "n", "q"]) func aSecondBoardAsks(key: String) async throws {
    try await withPseudoTerminal(["tea=3m"]) { first, folder in
      try await first.output("the first frame") { $0.contains("tea") }
      let second = try PseudoTerminal(
        [Program.path()], environment: Program.environment(in: folder, with: ["TZ": "TST-4:30"]))
      defer {
        second.child.end()
        second.close()
      }
      let question = try await second.output("the question") { $0.contains("[q] quit") }
      // The local time: the zone of the second board is four and a half hours ahead.
      let since = try #require(
        question.firstMatch(of: /since .*?(\d+):(\d\d):\d\d\./), "\(question)")
      let minutes = (Int(since.1) ?? 0) * 60 + (Int(since.2) ?? 0)
      let now = Int(Date().timeIntervalSince1970) / 60 + 270
      #expect((now - minutes) % 1440 < 2, "\(question)")
      second.type("x")
      try await second.output("the question again") { $0.contains("expected t, n or q: ") }
      second.type(key)
      switch key {
      case "t":
        try await second.output("the session") { $0.contains("tea") && $0.contains("NAME") }
        #expect(try await first.ending() == .exited(0))
        #expect(first.output().contains("the session continues in a board"))
        second.type("q")
        #expect(try await second.ending() == .exited(0))
      case "n":
        try await second.output("the examples") { $0.contains("What shall I time?") }
        #expect(
          try await carillon(["ctl", "--session", "main-2", "list"], in: folder).ending
            == .exited(0))
        #expect(first.child.endingIfAny() == nil)
      default:
        #expect(try await second.ending() == .exited(0))
        #expect(second.output().contains("expected t, n or q: quit"))
        #expect(first.child.endingIfAny() == nil)
      }
    }
  }

  /// The session is not where it was when the question was asked.
  @Test func aQuestionOutlivesTheOwner() async throws {
    try await withPseudoTerminal(["tea=30m"]) { first, folder in
      try await first.output("the first frame") { $0.contains("tea") }
      let second = try PseudoTerminal(
        [Program.path(), "egg=30m"], environment: Program.environment(in: folder))
      defer {
        second.child.end()
        second.close()
      }
      try await second.output("the question") { $0.contains("[q] quit") }
      first.type("D")
      #expect(try await first.ending() == .exited(0))
      second.type("t")
      try await second.output("the session") { $0.contains("tea") && $0.contains("NAME") }
      second.type("q")
      #expect(try await second.ending() == .exited(0))
      let names = try await control(folder, "list", "--format", "{name}").output
      #expect(names == "tea\negg\n")
    }
  }

  /// The owner has the lock before it listens.
  @Test func aSecondBoardAsksWhileTheFirstOpens() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let environment = Program.environment(in: folder)
    let boards = try (1...2).map { number in
      try PseudoTerminal([Program.path(), "t\(number)=30m"], environment: environment)
    }
    defer {
      for board in boards {
        board.child.end()
        board.close()
      }
    }
    let isAsked = try await eventually { boards.contains { $0.output().contains("[q] quit") } }
    #expect(isAsked)
    #expect(!boards.contains { $0.output().contains("not saved") })
  }

  @Test func watchPrintsEachEvent() async throws {
    try await withSession { folder in
      _ = try await control(folder, "add", "tea=3m", "egg=3m")
      let output = folder.path("watched")
      let watcher = try ChildProcess(
        [Program.path(), "ctl", "watch", "--json", "tea"],
        environment: Program.environment(in: folder), streams: .init(output: output))
      defer { watcher.end() }
      #expect(
        try await eventually { (try? folder.text(of: "watched"))?.contains("running") == true })
      for words in [["pause", "tea"], ["pause", "egg"], ["resume", "tea"], ["delete", "tea"]] {
        #expect(try await carillon(["ctl"] + words, in: folder).ending == .exited(0))
      }
      #expect(
        try await eventually { (try? folder.text(of: "watched"))?.contains("deleted") == true })
      let events = try folder.text(of: "watched").split(separator: "\n").dropFirst().map { line in
        try (JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["event"]
          as? String
      }
      #expect(events == ["paused", "resumed", "deleted"])
    }
  }

  /// A timer without a name is given by its number in `list` and `watch`, too.
  @Test func aTimerWithoutANameIsListedAndWatched() async throws {
    try await withSession { folder in
      let added = try await control(folder, "add", "tea=3m", "every 7m", "every 9m")
      #expect(added.output == "tea\n#2\n#3\n")
      #expect(try await control(folder, "list", "#3", "--format", "{name}").output == "every 9m\n")
      let unknown = try await control(folder, "list", "#4")
      #expect(unknown.ending == .exited(1))
      #expect(unknown.error == "carillon: ctl: unknown timer or group '#4'\n", "\(unknown)")
      let output = folder.path("watched")
      let watcher = try ChildProcess(
        [Program.path(), "ctl", "watch", "--json", "#3"],
        environment: Program.environment(in: folder), streams: .init(output: output))
      defer { watcher.end() }
      #expect(
        try await eventually { (try? folder.text(of: "watched"))?.contains("running") == true })
      for words in [["pause", "#2"], ["pause", "tea"], ["pause", "#3"], ["delete", "#3"]] {
        #expect(try await carillon(["ctl"] + words, in: folder).ending == .exited(0))
      }
      #expect(
        try await eventually { (try? folder.text(of: "watched"))?.contains("deleted") == true })
      let lines = try folder.text(of: "watched").split(separator: "\n")
      #expect(lines.count == 3 && lines.allSatisfy { $0.contains("every 9m") }, "\(lines)")
    }
  }

  /// An answered change is saved, even if the owner is killed right after the answer.
  @Test func anAnsweredChangeSurvivesAKill() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let timers = (1...6).map { "t\($0)=1h" }
    let start = { (arguments: [String]) in
      try ChildProcess(
        [Program.path(), "serve"] + arguments, environment: Program.environment(in: folder),
        streams: .init())
    }
    var owner = try start(timers)
    defer { owner.end() }
    var paused: [String] = []
    for name in ["t1", "t2", "t3"] {
      #expect(try await eventually { try await control(folder, "list").ending == .exited(0) })
      let others = try await control(folder, "pause", name, "t\(paused.count + 4)")
      #expect(others.output.contains("2 timers: paused"), "\(others)")
      owner.end()
      paused.append(name)
      let status = try await carillon(["status", "--format", "{name} {state}"], in: folder).output
      for paused in paused { #expect(status.contains("\(paused) paused"), "\(status)") }
      owner = try start([])
    }
  }

  @Test func aChangeThatCannotBeSavedIsReported() async throws {
    try await withSession { folder in
      #expect(try await control(folder, "add", "tea=3m").output == "tea\n")
      let sessions = folder.path("state/carillon/sessions")
      try FileManager.default.moveItem(atPath: sessions, toPath: sessions + ".away")
      #expect(FileManager.default.createFile(atPath: sessions, contents: nil))
      let paused = try await control(folder, "pause", "tea")
      #expect(paused.ending == .exited(0) && paused.output.hasPrefix("tea: paused, "))
      let message = "carillon: ctl: not saved: \(sessions)/main.json"
      #expect(paused.error.hasPrefix(message), "\(paused)")
      let unsaved = try await control(folder, "resume", "tea", "--no-wait")
      #expect(unsaved.ending == .exited(0) && unsaved.error == "", "\(unsaved)")
      let wrong = try await control(folder, "list", "--no-wait")
      #expect(wrong.ending == .exited(2), "\(wrong)")
      try FileManager.default.removeItem(atPath: sessions)
      try FileManager.default.moveItem(atPath: sessions + ".away", toPath: sessions)
    }
  }

  @Test func quitReturnsWhenTheSessionIsSaved() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    #expect(try await control(folder, "add", "tea=10m").output == "tea\n")
    #expect(try await control(folder, "rename", "tea", "egg").ending == .exited(0))
    #expect(try await control(folder, "quit").ending == .exited(0))
    #expect(try folder.text(of: "state/carillon/sessions/main.json").contains("egg"))
    #expect(try await control(folder, "list").ending == .exited(3))
  }

  @Test func runKeepsItsSession() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let child = try ChildProcess(
      [Program.path(), "run", "--session", "gym", "tea=10m"],
      environment: Program.environment(in: folder), streams: .init())
    defer { child.end() }
    let list = ["ctl", "--session", "gym", "list", "--format", "{name} {state}"]
    #expect(try await eventually { try await carillon(list, in: folder).ending == .exited(0) })
    #expect(
      try await carillon(["ctl", "--session", "gym", "pause", "tea"], in: folder).ending
        == .exited(0))
    #expect(try await carillon(list, in: folder).output == "tea paused\n")
    #expect(
      try await carillon(["ctl", "--session", "gym", "add", "tabata"], in: folder).output
        == "tabata\n")
    #expect(
      try await carillon(["ctl", "--session", "gym", "delete", "tabata"], in: folder).ending
        == .exited(0))
    let other = try await carillon(["serve", "--session", "gym", "--take-over"], in: folder)
    #expect(other.ending == .exited(1) && other.error.contains("belongs to carillon run"))
    #expect(
      try await carillon(["ctl", "--session", "gym", "delete", "tea"], in: folder).ending
        == .exited(0))
    #expect(try await child.ending() == .exited(0))
  }
}
