import Testing
import TimerKit

/// A race of three laps.
@Test func exampleStopwatch() throws {
  let clock = VirtualClock()

  let race = Stopwatch(clock: .virtual(clock))
  race.start()
  for seconds in [61, 59, 63] {
    clock.advance(by: .seconds(seconds))
    race.lap()
  }
  race.pause()

  #expect(race.laps.map(\.time) == [.seconds(61), .seconds(59), .seconds(63)])
  #expect(race.elapsed == .seconds(183))
}
