import Testing
import TimerKit

/// Four rounds of work, with rests between them.
@Test func examplePomodoro() throws {
  let clock = VirtualClock()
  let printed = Printed()

  let pomodoro = try Cycle(
    [.init("work", .minutes(25)), .init("rest", .minutes(5))], rounds: 4, clock: .virtual(clock)
  ) { _, tick in
    guard let begun = tick.begun else { return printed.line("done for today") }
    printed.line("\(begun.phase.name), \(tick.remainingRounds ?? 0) to go")
  }
  pomodoro.start()
  clock.advance(by: .minutes(30))
  pomodoro.skip()  // starts the rest early, with its whole length
  #expect(pomodoro.timeLeft == .minutes(5))
  clock.advance(by: .minutes(95))

  #expect(
    printed.lines == [
      "rest, 4 to go", "work, 3 to go", "rest, 3 to go", "work, 2 to go", "rest, 2 to go",
      "work, 1 to go", "done for today",
    ])
}
