import Testing

@testable import TimerKit

@Suite struct InstantTests {
  @Test func instantsAreEqualOnTheSameClockOnly() {
    let (one, other) = (VirtualClock(), VirtualClock())
    #expect(one.instant(5) == one.instant(5))
    #expect(one.instant(5) != one.instant(6))
    #expect(one.instant(5) != other.instant(5))
    let clocks: [TimerClock] = [.suspending, .continuous, .wall, .virtual(one), .virtual(other)]
    #expect(Set(clocks).count == 5)
    #expect(Set(clocks.map { $0.instant(nanoseconds: 5) }).count == 5)
    #expect(TimerClock(TimerClock.Kind.continuous) == .continuous)
    #expect(TimerClock.virtual(one) == .virtual(one))
    #expect(
      TimerClock.wall.instant(nanoseconds: 5)
        == TimerClock(TimerClock.Kind.wall).instant(nanoseconds: 5))
  }

  @Test func onlyAWallClockHasAnInstantAtADate() {
    let wall = WallInstant(nanosecondsSince1970: 7)
    let virtual = TimerClock.virtual(VirtualClock(.wall, wall: wall))
    for clock in [TimerClock.wall, virtual] {
      #expect(clock.instant(at: wall) == clock.instant(nanoseconds: 7))
      #expect(clock.instant(at: wall)?.wallInstant == wall)
    }
    #expect(virtual.instant(at: wall) == virtual.now)
    #expect(TimerClock.suspending.instant(at: wall) == nil)
    #expect(TimerClock.continuous.instant(at: wall) == nil)
  }

  @Test func identitiesDistinguishKindsAndClocks() {
    for kind in TimerClock.Kind.allCases {
      #expect(ClockIdentity(kind).kind == kind)
      #expect(ClockIdentity(kind) == ClockIdentity(kind))
      for serial: UInt32 in [1, 2, .max >> 2] {
        #expect(ClockIdentity(kind, serial: serial).kind == kind)
        #expect(ClockIdentity(kind, serial: serial) != ClockIdentity(kind))
      }
    }
    #expect(Set(TimerClock.Kind.allCases.map { ClockIdentity($0, serial: 7) }).count == 3)
    #expect(MemoryLayout<ClockIdentity>.size == 4)
  }

  @Test func arithmeticStaysOnTheClock() {
    let clock = VirtualClock(.continuous, startingAt: .seconds(3))
    let later = clock.now.advanced(by: .seconds(2))
    #expect(later == clock.instant(5_000_000_000))
    #expect(clock.now < later)
    #expect(clock.now.duration(to: later) == .seconds(2))
    clock.advance(by: .seconds(2))
    #expect(clock.now == later)
  }

  /// The instants that a timer reports are comparable with the clock that it was given.
  @Test(arguments: TimerClock.Kind.allCases)
  func timersReportInstantsOfTheirClock(_ kind: TimerClock.Kind) throws {
    let clock = VirtualClock(kind)
    let scheduled = Recorder<TimerClock.Instant>()
    let deadline = clock.now.advanced(by: .seconds(1))
    let repeater = try Repeater.once(after: .seconds(1), clock: .virtual(clock)) { _, tick in
      scheduled.append(tick.deadline)
    }
    let cycle = try Cycle([.init("only", .seconds(1))], rounds: 1, clock: .virtual(clock)) {
      scheduled.append($1.deadline)
    }
    cycle.start()
    let timer = DeadlineTimer(clock: .virtual(clock)) { scheduled.append($1) }
    timer.schedule(at: deadline)
    let background = BackgroundTimer(for: clock, clock: .virtual(clock))
    background.observe { _, event in
      if case .delivery(let run) = event { scheduled.append(run.deadline) }
    }
    background.perform(after: .seconds(1)) { _ in }
    let container = try TimeLimited(1, for: .seconds(1), clock: .virtual(clock))
    container.observe { _, event in
      if case .delivery(let expiry) = event { scheduled.append(expiry.deadline) }
    }
    let debouncer = try Debouncer<Int>(delay: .seconds(1), clock: .virtual(clock)) { _, _ in }
    debouncer.call(1)
    let watch = Stopwatch(clock: .virtual(clock))
    watch.start()
    #expect(watch.snapshot.origin == clock.now)
    let deadlines = [
      repeater.snapshot.deadline, cycle.snapshot.deadline, timer.deadline, background.deadline,
      container.deadline, debouncer.snapshot.deadline,
    ]
    #expect(deadlines == Array(repeating: deadline, count: 6))
    clock.advance(by: .seconds(1))
    #expect(scheduled.all == Array(repeating: deadline, count: 5))
  }

  @Test func comparingInstantsOfTwoClocksTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = TimerClock.suspending.now < TimerClock.continuous.now
    }
    await #expect(processExitsWith: .failure) {
      _ = VirtualClock().now.duration(to: VirtualClock().now)
    }
  }

  @Test func onlyWallInstantsAreTimesOfDay() {
    let wall = VirtualClock(.wall, wall: WallInstant(nanosecondsSince1970: 7))
    #expect(wall.now.wallInstant == WallInstant(nanosecondsSince1970: 7))
    #expect(TimerClock.wall.instant(nanoseconds: -7).wallInstant?.nanosecondsSince1970 == -7)
    #expect(TimerClock.suspending.now.wallInstant == nil)
    #expect(VirtualClock(.continuous).now.wallInstant == nil)
  }

  @Test func instantsAreDescribedByClockAndSeconds() {
    #expect(VirtualClock().instant(12_500_000_000).description == "suspending 12.5 seconds")
    #expect(VirtualClock().instant(-1).description == "suspending -0.000000001 seconds")
    #expect(
      TimerClock.continuous.instant(nanoseconds: .min).description
        == "continuous -9223372036.854775808 seconds")
    #expect(TimerClock.continuous.instant(nanoseconds: 0).description == "continuous 0 seconds")
  }

  @Test func wallInstantsAreDescribedAsDateAndTime() {
    let seconds = 1_795_861_260
    let instant = TimerClock.wall.instant(nanoseconds: Int64(seconds) * 1_000_000_000)
    #expect(instant.description == "2026-11-28T10:21:00Z")
    #expect((instant + .milliseconds(250)).description == "2026-11-28T10:21:00.25Z")
    #expect(VirtualClock(.wall).instant(-1).description == "1969-12-31T23:59:59.999999999Z")
  }
}
