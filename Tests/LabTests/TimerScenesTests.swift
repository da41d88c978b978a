import Dashboard
import Testing

@testable import Lab

/// The scenes of repeaters and countdowns.
struct TimerScenesTests {
  @Test func pauseKeepsTheTimeLeftAndFinishedTimersRestart() {
    let played = Played(.modes)
    // Started at 500, paused at 2750 with 750 left, resumed at 4250.
    #expect(played["once"].times(of: .started) == [500, 7250])
    #expect(played["once"].times(of: .finished) == [2000, 8750])
    #expect(played["finite 3"].times(of: .fired) == [2000, 5000, 8750])
    #expect(played["finite 3"].times(of: .finished) == [6500])
    #expect(played["finite 3"].times(of: .paused) == [2750])
    // With a manual fire at 6750, which does not move the next deadline.
    #expect(played["infinite"].times(of: .fired) == [2000, 5000, 6500, 6750, 8000])
    for name in ["once", "finite 3", "infinite"] {
      #expect(played[name].times(of: .ended) == [9250])
    }
  }

  @Test func observersAreNotifiedInTheOrderTheyWereAdded() {
    let played = Played(.observers)
    #expect(played["handler"].letters == (1...9).map { "1\($0 * 1000)" })
    #expect(
      played["A"].letters == ["22000", "23000", "24000", "25000", "49000"])
    #expect(
      played["B"].letters == ["33000", "34000", "35000", "26000", "27000", "28000", "29000"])
    #expect(played["C"].letters == ["44000", "45000", "36000", "37000", "38000", "39000"])
  }

  @Test func intervalChangesFromNowFromTheLastFireOrFromTheNextPeriod() {
    let played = Played(.interval)
    // 2 s until 2500, 1 s until 6250, 2 s from then on.
    #expect(played["from now"].times(of: .fired) == [2000, 3500, 4500, 5500, 8250])
    #expect(played["last fire"].times(of: .fired) == [2000, 3000, 4000, 5000, 6000, 8000])
    #expect(played["next fire"].times(of: .fired) == [2000, 4000, 5000, 6000, 7000, 9000])
  }

  @Test func countdownsReportEveryStepOnce() {
    let played = Played(.countdown)
    #expect(
      played["6 × 1 s"].letters == [
        "51500", "42500", "34750", "25750", "16750", "07750", "510000",
      ])
    #expect(
      played["9 × 0.5 s"].letters == [
        "81000", "71500", "62000", "52500", "43000", "34750", "25250", "15750", "06250", "89500",
        "710000", "610500",
      ])
  }

  @Test func missedTicksAreSkippedDelayedOrBurst() {
    let played = Played(.missed)
    #expect(played["skip"].times(of: .fired) == [1000, 2000, 5400, 6000, 7000, 8000, 9000])
    #expect(played["skip"].times(of: .missed) == [4000, 5000])
    #expect(played["delay"].times(of: .fired) == [1000, 2000, 6400, 7400, 8400, 9400])
    #expect(
      played["burst"].times(of: .fired) == [
        1000, 2000, 5400, 5400, 5400, 6000, 7000, 8000, 9000,
      ])
    #expect(played["due"].times(of: .due) == (1...9).map { $0 * 1000 })
  }

  @Test func eachClockFiresByItsOwnTime() {
    let played = Played(.clocks)
    // Asleep from 3000 to 5500; the clock is set ahead at 7000 and back at 10,000.
    #expect(
      played["suspending"].times(of: .fired) == [2000, 6500, 8500, 10_500, 12_500, 14_500])
    #expect(
      played["continuous"].times(of: .fired) == [2000, 5500, 6000, 8000, 10_000, 12_000, 14_000])
    #expect(played["wall"].times(of: .fired) == [2000, 5500, 6000, 7000, 9000, 14_000])
    #expect(played["suspending"].note == "shows 12.5 s, fired 6")
    #expect(played["wall"].note == "shows 15.0 s, fired 6, missed 1")
  }
}
