import Testing

@testable import TimerKit

/// Sleep of the machine and changes of its clock, simulated.
@Suite struct VirtualClockTests {
  let ticks = Recorder<Repeater.Tick>()

  private func timeline(_ kind: TimerClock.Kind) -> VirtualClock {
    VirtualClock(
      kind: kind, startingAt: TimerClock.Instant(nanoseconds: 0),
      wall: TimerClock.Instant(nanoseconds: kind == .wall ? 0 : 1_000))
  }

  private func every(_ nanoseconds: Int, on timeline: VirtualClock) throws -> Repeater {
    try Repeater.every(.nanoseconds(nanoseconds), on: timeline) { [ticks] in ticks.append($1) }
  }

  @Test(arguments: TimerClock.Kind.allCases) func sleepStopsUptimeOnly(_ kind: TimerClock.Kind) throws {
    let timeline = timeline(kind)
    let timer = try every(10, on: timeline)
    let wall = timeline.wallNow
    timeline.suspend(for: .nanoseconds(35))
    #expect(timeline.now.nanoseconds == (kind == .uptime ? 0 : 35))
    #expect(wall.duration(to: timeline.wallNow) == .nanoseconds(35))
    #expect(ticks.all.map(\.missed) == (kind == .uptime ? [] : [2]))
    #expect(ticks.all.map(\.lateness) == (kind == .uptime ? [] : [.nanoseconds(25)]))
    timeline.advance(by: .nanoseconds(10))
    #expect(ticks.count == (kind == .uptime ? 1 : 2))
    timeline.suspend(for: .nanoseconds(-35))
    #expect(wall.duration(to: timeline.wallNow) == .nanoseconds(45))
    withExtendedLifetime(timer) {}
  }

  @Test(arguments: TimerClock.Kind.allCases) func aStepMovesTheTimeOfDayOnly(_ kind: TimerClock.Kind) throws {
    let timeline = timeline(kind)
    let timer = try every(10, on: timeline)
    let wall = timeline.wallNow
    timeline.stepWall(by: .nanoseconds(25))
    #expect(wall.duration(to: timeline.wallNow) == .nanoseconds(25))
    #expect(timeline.now.nanoseconds == (kind == .wall ? 25 : 0))
    #expect(ticks.count == (kind == .wall ? 1 : 0))
    timeline.stepWall(by: .nanoseconds(-40))
    #expect(wall.duration(to: timeline.wallNow) == .nanoseconds(-15))
    #expect(timeline.now.nanoseconds == (kind == .wall ? -15 : 0))
    // The next is due at 30 on the wall, at 10 elsewhere.
    let rest = kind == .wall ? 45 : 10
    timeline.advance(by: .nanoseconds(rest - 1))
    #expect(ticks.count == (kind == .wall ? 1 : 0))
    timeline.advance(by: .nanoseconds(1))
    #expect(ticks.count == (kind == .wall ? 2 : 1))
    withExtendedLifetime(timer) {}
  }

  @Test func theWallTimelineIsTheTimeOfDay() {
    for timeline in [
      VirtualClock(kind: .wall, wall: TimerClock.Instant(nanoseconds: 7)),
      VirtualClock(kind: .wall, startingAt: TimerClock.Instant(nanoseconds: 7)),
      VirtualClock(
        kind: .wall, startingAt: TimerClock.Instant(nanoseconds: 1),
        wall: TimerClock.Instant(nanoseconds: 7)),
    ] {
      #expect(timeline.now.nanoseconds == 7)
      timeline.stepWall(by: .nanoseconds(3))
      timeline.suspend(for: .nanoseconds(3))
      timeline.advance(by: .nanoseconds(3))
      #expect(timeline.now.nanoseconds == 16)
      #expect(timeline.wallNow == timeline.now)
    }
  }

  /// All at one moment, in the order they were due.
  @Test func onWakingAllRingsInOrder() throws {
    let timeline = timeline(.boot)
    let rings = Recorder<(scheduled: Int64, now: Int64)>()
    let alarms = [5, 3, 4, 3, 1, 20].map { (deadline: Int64) in
      let alarm = DeadlineTimer(on: timeline) {
        rings.append(($1.nanoseconds, timeline.now.nanoseconds))
      }
      alarm.schedule(at: TimerClock.Instant(nanoseconds: deadline))
      return alarm
    }
    timeline.suspend(for: .nanoseconds(10))
    #expect(rings.all.map(\.scheduled) == [1, 3, 3, 4, 5])
    #expect(rings.all.allSatisfy { $0.now == 10 })
    withExtendedLifetime(alarms) {}
  }

  @Test func aStepInAHandlerLeavesAsFarToGoAsBefore() throws {
    for step in [-50, -5, 5, 50] {
      let timeline = timeline(.wall)
      let log = Recorder<Int64>()
      let stepper = DeadlineTimer(on: timeline) { _, _ in
        timeline.stepWall(by: .nanoseconds(step))
        log.append(timeline.now.nanoseconds)
      }
      let other = DeadlineTimer(on: timeline) { _, _ in log.append(timeline.now.nanoseconds) }
      stepper.schedule(at: TimerClock.Instant(nanoseconds: 10))
      other.schedule(at: TimerClock.Instant(nanoseconds: 12))
      timeline.advance(by: .nanoseconds(70))
      #expect(timeline.now.nanoseconds == Int64(70 + step))
      #expect(log.all == [Int64(10 + step), Int64(max(12, 10 + step))])
    }
  }

  @Test func aSleepInAHandlerComesOnTopOfWhatWasToGo() throws {
    let timeline = timeline(.boot)
    let sleeper = DeadlineTimer(on: timeline) { _, _ in timeline.suspend(for: .nanoseconds(30)) }
    sleeper.schedule(at: TimerClock.Instant(nanoseconds: 10))
    timeline.advance(by: .nanoseconds(20))
    #expect(timeline.now.nanoseconds == 50)
  }

  /// What waits for its drain does not bring back the time at which it began to wait.
  @Test func aStepBackStaysWhileFiresAreDelivered() throws {
    let timeline = timeline(.wall)
    timeline.advance(by: .nanoseconds(100))
    let timer = try Repeater(every: .seconds(1), on: timeline) { timer, tick in
      guard tick.iteration == 1 else { return }
      _ = try? timer.fire()
      timeline.stepWall(by: .nanoseconds(-60))
    }
    try timer.fire()
    #expect(timer.snapshot.deliveredCount == 2)
    #expect(timeline.now.nanoseconds == 40)
  }

  @Test func theFarthestStepsDoNotTrap() {
    for kind in TimerClock.Kind.allCases {
      let timeline = timeline(kind)
      timeline.suspend(for: .days(Int.max / 200_000))
      timeline.stepWall(by: .seconds(Int64.max))
      timeline.stepWall(by: .seconds(Int64.min))
      timeline.advance(by: .seconds(Int64.max))
    }
  }
}
