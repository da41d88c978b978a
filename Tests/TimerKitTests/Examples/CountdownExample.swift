import Testing
import TimerKit

/// A countdown to a launch.
@Test func exampleCountdown() throws {
  let timeline = VirtualClock()
  let printed = Printed()

  let launch = try Countdown(from: 5, every: .seconds(1), on: timeline) { _, stepsLeft in
    printed.line(stepsLeft == 0 ? "lift-off" : "\(stepsLeft)")
  }
  try launch.start()
  timeline.advance(by: .milliseconds(2_500))
  try launch.pause()  // hold!
  timeline.advance(by: .minutes(10))
  try launch.start()  // half a second is left of this step
  timeline.advance(by: .milliseconds(2_500))

  #expect(printed.lines == ["4", "3", "2", "1", "lift-off"])
}
