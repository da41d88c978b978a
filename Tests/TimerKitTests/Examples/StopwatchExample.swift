import Testing
import TimerKit

/// A race of three laps.
@Test func exampleStopwatch() throws {
  let timeline = VirtualClock()

  let race = Stopwatch(on: timeline)
  try race.start()
  for seconds in [61, 59, 63] {
    timeline.advance(by: .seconds(seconds))
    try race.lap()
  }
  try race.pause()

  #expect(race.laps.map(\.time) == [.seconds(61), .seconds(59), .seconds(63)])
  #expect(race.elapsed == .seconds(183))
}
