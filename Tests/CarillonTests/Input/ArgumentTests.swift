import Testing
import TimerBoard

@testable import CarillonRuntime

/// The arguments become a command: the parser receives the options of a board, but not its timers, since its time is
/// quadratic in the number of arguments.
struct ArgumentTests {
  private func board(_ arguments: [String]) throws -> DashboardCommand {
    try #require(try Program.command(of: arguments) as? DashboardCommand)
  }

  @Test(.timeLimit(.minutes(20))) func manyTimersAreParsedWithOptions() throws {
    let timers = (0..<100_000).map { "t\($0)=3m" }
    let command = try board(
      ["--fresh"] + timers + ["--config", "FILE", "--session=work", "every", "", "3m"])
    #expect(command.timers == timers + ["every", "", "3m"])
    #expect(command.fresh && command.file.config == "FILE")
    #expect(try command.options.name == SessionName("work"))
    #expect(!command.detach && !command.takeOver && !command.noMouse && !command.exitWhenDone)
  }

  @Test(arguments: [
    [], ["3m"], ["a", "b", "c", "-"], ["a=3m", "note", "x\u{301} y", "\u{301}"], ["board"],
  ])
  func timersAloneHaveTheStandardOptions(timers: [String]) throws {
    for arguments in [timers, ["--"] + timers, ["--no-mouse"] + timers] {
      let command = try board(arguments)
      #expect(command.timers == timers)
      #expect(try !command.fresh && command.file.config == nil && command.options.name == .main)
    }
  }

  @Test func allAfterTheTerminatorAreTimers() throws {
    #expect(
      try board(["a", "--", "-3m", "--fresh", "--"]).timers == ["a", "-3m", "--fresh", "--"])
  }

  @Test func theCommandOfARunCanHaveOptions() throws {
    let arguments = ["run", "--json", "3m", "4m", "--", "echo", "--fresh", "--", "b"]
    let command = try #require(try Program.command(of: arguments) as? RunCommand)
    #expect(command.timers == ["3m", "4m"] && command.json && !command.quiet)
    #expect(command.command == ["echo", "--fresh", "--", "b"])
  }

  @Test(arguments: [
    ["--fresh", "--session"], ["--unknown", "3m"], ["-3m"], ["run", "--unknown"],
  ])
  func otherOptionsAreErrors(arguments: [String]) {
    #expect(throws: (any Error).self) { try Program.command(of: arguments) }
  }

  /// Words of other programs are suggestions, and no commands.
  @Test(arguments: [
    ("stop", "pause"), ("cancel", "delete"), ("kill", "delete"), ("run", "start"),
    ("snooze", "more"), ("ls", "list"), ("paus", "pause"),
  ])
  func commandsOfOtherProgramsAreSuggested(_ word: String, _ command: String) throws {
    let ctl = try #require(try Program.command(of: ["ctl", word, "tea"]) as? ControlCommand)
    let error = #expect(throws: UsageError.self) { try ctl.run() }
    #expect(
      error?.description == "ctl: unknown command '\(word)' (did you mean '\(command)'?)")
  }

  /// Each word of the table means a command that exists, and is none itself.
  @Test func theTableOfSynonymsNamesCommands() {
    let names = ControlCommand.names.map(\.name)
    for (word, command) in ControlVerb.synonyms {
      #expect(names.contains(command) && !names.contains(word), "\(word)")
      #expect(ControlCommand.name(meantBy: word) == command)
    }
    #expect(ControlCommand.name(meantBy: "list") == "list")
    #expect(ControlCommand.name(meantBy: "tea") == nil)
  }

  /// The man page has a section with a purpose and a usage for each command, in the order of the help.
  @Test func everyCommandHasItsHelp() {
    let sections = ManualPage().text
      .matches(of: /\n\.SH CARILLON (\w+)\n(\w.+)\n\.PP\n\.nf\ncarillon (\w+)/)
    #expect(sections.map { $0.1.lowercased() } + ["help"] == Carillon.commandNames)
    #expect(sections.allSatisfy { $0.1.lowercased() == $0.3 })
  }
}
