import Testing
import TimerKit

/// A countdown to a launch.
@Test func exampleCountdown() throws {
  let clock = VirtualClock()
  let printed = Printed()

  let launch = try Countdown(from: 5, every: .seconds(1), clock: .virtual(clock)) {
    _, remainingSteps in
    printed.line(remainingSteps == 0 ? "lift-off" : "\(remainingSteps)")
  }
  launch.start()
  clock.advance(by: .milliseconds(2_500))
  launch.pause()  // hold!
  clock.advance(by: .minutes(10))
  launch.start()  // half a second of this step is left
  clock.advance(by: .milliseconds(2_500))

  #expect(printed.lines == ["4", "3", "2", "1", "lift-off"])
}
