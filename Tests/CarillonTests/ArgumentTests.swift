import CarillonRuntime
import Testing

/// The argument parser receives few arguments, however many timers there are.
struct ArgumentTests {
  private func packed(_ arguments: [String]) -> [String] {
    TimerArguments.packed(arguments, commands: ["run", "status"])
  }

  @Test func manyTimersBecomeFewArguments() {
    let timers = (0..<10_000).map { "t\($0)=3m" }
    let packed = self.packed(timers)
    #expect(packed.count == 2)
    #expect(TimerArguments.unpacked(packed) == timers)
    let mixed = self.packed(["--fresh"] + timers + ["--config", "FILE", "every", "", "3m"])
    #expect(mixed.count == 6)
    #expect(mixed[0] == "--fresh" && mixed[3...4] == ["--config", "FILE"])
    #expect(
      TimerArguments.unpacked([mixed[1], mixed[2], mixed[5]]) == timers + ["every", "", "3m"])
  }

  @Test(arguments: [
    [], ["3m"], ["--", "-3m", "a", "b"], ["a", "b", "--", "c", "d"],
    ["a=3m", "note", "x\u{301} y", "\u{301}"],
  ])
  func packingKeepsAllArguments(arguments: [String]) {
    #expect(TimerArguments.unpacked(packed(arguments)) == arguments)
  }

  @Test func argumentsOfCommandsAreNotPacked() {
    for arguments in [
      ["run", "3m", "4m", "--", "echo", "a", "b"], ["status", "a", "b"],
      ["---completion", "ctl", "--", "positional@1", "3", "0", "carillon", "ctl", "pause", ""],
    ] {
      #expect(packed(arguments) == arguments)
    }
  }
}
