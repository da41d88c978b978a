import Dashboard
import Synchronization
import Testing
import TimerKit

@testable import Lab

/// The scenes of repeaters, countdowns, cycles and stopwatches.
struct TimerScenesTests {
  @Test func pauseKeepsTheTimeLeftAndFinishedTimersIgnoreFires() {
    let played = Played(.modes)
    // Started at 500, paused at 2500 with 1000 left, resumed at 4000, fired by hand at 6750.
    #expect(played["once"].times(of: .fired) == [2000])
    #expect(played["once"].times(of: .ignored) == [6750])
    #expect(played["finite 3"].times(of: .fired) == [2000, 5000, 6500])
    #expect(played["finite 3"].times(of: .paused) == [2500])
    #expect(played["finite 3"].times(of: .started) == [500, 4000])
    // A manual fire does not move the next deadline.
    #expect(played["infinite"].times(of: .fired) == [2000, 5000, 6500, 6750, 8000, 9500])
    #expect(played["by hand"].times(of: .wrong) == [5500])
    #expect(played["by hand"].faults == ["0.5 s late"])
    #expect(played.isGood == ["by hand": false, "once": true, "finite 3": true, "infinite": true])
  }

  /// A fire by a key is not the late one, and does not hide it.
  @Test func aFireByAKeyIsNotTheFault() throws {
    var player = Scene.modes.open()
    var now = TimerClock.suspending.instant(nanoseconds: 0)
    for (key, seconds) in [("s", 1.0), ("x", 0.8), ("x", 1.0), ("f", 1.0)] as [(Character, Double)]
    {
      player.handle(.input(key), at: now)
      for _ in 0..<Int(seconds * 20) {
        now = now.advanced(by: .milliseconds(50))
        _ = player.snapshot(at: now)
      }
    }
    let lane = try #require(player.snapshot(at: now).lanes?.lanes.first { $0.label == "by hand" })
    #expect(lane.times(of: .fired) == [2800])
    #expect(lane.times(of: .wrong) == [3300])
    #expect(lane.faults == ["1.0 s late"])
  }

  @Test func observersAreNotifiedInTheOrderTheyWereAdded() {
    let played = Played(.observers)
    #expect(played["handler"].letters == (1...9).map { "1\($0 * 1000)" })
    #expect(played["screen"].letters == ["22000", "23000", "24000", "25000", "49000"])
    #expect(
      played["log"].letters == ["33000", "34000", "35000", "26000", "27000", "28000", "29000"])
    #expect(played["sound"].letters == ["44000", "45000", "36000", "37000", "38000", "39000"])
    #expect(played["own timer"].times(of: .wrong) == (2...9).map { $0 * 1000 + 500 })
  }

  @Test func intervalChangesFromNowFromTheLastFireOrFromTheNextPeriod() {
    let played = Played(.interval)
    #expect(played["you"].letters == ["12500", "23250", "14000", "24750"])
    #expect(played["from now"].times(of: .fired) == [2000, 8750])
    #expect(played["from now"].times(of: .wrong) == [6750])
    #expect(played["last fire"].times(of: .fired) == [2000, 3000, 4000, 6000, 8000])
    #expect(played["next fire"].times(of: .fired) == [2000, 4000, 6000, 8000])
    #expect(played.isGood == ["from now": false, "last fire": true, "next fire": true])
  }

  @Test func countdownsReportEveryStepOnceAndKeepTheRestOfAStep() {
    let played = Played(.countdown)
    #expect(played["countdown"].letters == ["41500", "33000", "24000", "15500", "06500"])
    #expect(played["by hand"].letters == ["41500", "33750", "26000", "17000", "08000"])
    #expect(played["by hand"].faults == ["1.5 s late"])
  }

  @Test func skippedPhasesMoveAllLaterPhasesOfACycle() {
    let played = Played(.cycle)
    #expect(
      played["cycle"].planes == [
        "work0", "rest1500", "work2000", "rest2750", "work3250", "rest4750", "work5250",
        "rest6500", "work7000", "rest8500", "work9000",
      ])
    #expect(
      played["two timers"].planes == [
        "work0", "rest1500", "work2000", "rest2750", "work4000", "rest5500", "work6000",
        "rest6500", "work8000", "rest9500",
      ])
    #expect(played["two timers"].times(of: .wrong) == [3500, 7500])
  }

  @Test func lapsAddUpToTheElapsedTimeWithoutPauses() {
    let played = Played(.stopwatch)
    #expect(played["stopwatch"].letters == ["11750", "23500", "37250", "49000"])
    #expect(played["stopwatch"].note == "shows 8.5 s")
    #expect(played["ticks"].times(of: .fired) == [1000, 2000, 3000, 4000, 6500, 7500, 8500, 9500])
    #expect(
      played["ticks"].faults == [
        "counts 1 s of 1.8 s", "counts 2 s of 1.8 s", "counts 2 s of 2.3 s",
        "counts 2 s of 1.8 s",
      ])
  }

  @Test func missedTicksAreSkippedDelayedOrBurst() {
    let played = Played(.missed)
    #expect(played["skip"].times(of: .fired) == [1000, 2000, 5400, 6000, 7000, 8000, 9000])
    #expect(played["skip"].times(of: .dropped) == [4000, 5000])
    #expect(played["delay"].times(of: .fired) == [1000, 2000, 6400, 7400, 8400, 9400])
    #expect(
      played["burst"].times(of: .fired) == [
        1000, 2000, 5400, 5400, 5400, 6000, 7000, 8000, 9000,
      ])
    #expect(played["due"].times(of: .due) == (1...9).map { $0 * 1000 })
    #expect(played["no wait"].times(of: .wrong) == [3000, 4000, 5000])
    #expect(played["no wait"].times(of: .fired) == [1000, 2000, 6000, 7000, 8000, 9000])
  }

  @Test func eachClockFiresByItsOwnTime() {
    let played = Played(.clocks)
    // Asleep from 3000 to 5500; the clock is set ahead at 7000 and back at 10,000.
    #expect(played["suspending"].times(of: .fired) == [2000])
    #expect(played["suspending"].times(of: .wrong) == [6500, 8500, 10_500, 12_500, 14_500])
    #expect(
      played["continuous"].times(of: .fired) == [2000, 5500, 6000, 8000, 10_000, 12_000, 14_000])
    #expect(played["wall"].times(of: .fired) == [2000, 5500, 6000])
    #expect(played["wall"].times(of: .wrong) == [7000, 9000, 14_000])
    #expect(played["wall"].faults == ["1.0 s early", "1.0 s late", "3.0 s late"])
    #expect(played["suspending"].note == "up to 2.5 s off")
    #expect(played["continuous"].note == "on time")
    #expect(played["wall"].note == "up to 3.0 s off")
  }

  @Test func aHandlerThatHasItsOwnerKeepsTheTimerAlive() {
    let played = Played(.window)
    // Closed at 3250.
    #expect(played["self"].times(of: .fired) == [1000, 2000, 3000])
    #expect(played["self"].times(of: .wrong) == [4000, 5000, 6000, 7000, 8000, 9000])
    for name in ["weak self", "cancel"] {
      #expect(played[name].times(of: .fired) == [1000, 2000, 3000], "\(name)")
      #expect(played[name].times(of: .wrong) == [], "\(name)")
    }
  }

  @Test func aTimerLimitsAWaitAndDoesNotReplaceIt() {
    let played = Played(.arrival)
    #expect(played["data"].times(of: .fired) == [1000, 4500, 8500])
    #expect(played["wait 1 s"].times(of: .fired) == [1500])
    #expect(played["wait 1 s"].times(of: .wrong) == [4000, 6500])
    #expect(played["arrival"].times(of: .fired) == [1000, 4500])
    #expect(played["arrival"].times(of: .ended) == [7500])
  }

  @Test func timersWithAToleranceShareWakeUps() {
    let played = Played(.tolerance)
    // Ten timers of 2500, the first one started at 0, and one more every 250.
    #expect(played["exact"].times(of: .wrong) == (10..<40).map { $0 * 250 })
    #expect(played["0.5 s"].letters == (0..<10).map { "3\(3000 + $0 * 750)" })
    #expect(played["1 s"].letters == (0..<6).map { "5\(3500 + $0 * 1250)" })
    #expect(played["exact"].note == "30 wake-ups, 30 fires")
    #expect(played["1 s"].note == "6 wake-ups, 30 fires")
    #expect(played.isGood == ["exact": false, "0.5 s": true, "1 s": true])
  }

  @Test func releasingASuspendedSourceKillsItsProcess() throws {
    PausedRelease.runProcess.withLock { $0 = { $0 == .suspended ? 4 : 0 } }
    let played = Played(.suspend)
    // Paused at 3500, released at 5000; started again at 6500, and released at 8250 while it runs.
    #expect(played["suspend"].times(of: .wrong) == [5000])
    #expect(played["suspend"].times(of: .ended) == [8250])
    #expect(played["suspend"].faults == ["process killed"])
    #expect(played["TimerKit"].times(of: .ended) == [5000, 8250])
    #expect(played.isGood == ["suspend": false, "resume first": true, "TimerKit": true])
    #expect(Set(Scene.suspend.text.uses.map(\.lane)) == Set(played.isGood.keys))
    try StoredText("Tests/LabTests/Snapshots/suspend.txt").expect(Scene.suspend.plainText() + "\n")
    PausedRelease.runProcess.withLock { $0 = { _ in nil } }
    #expect(Played(.suspend)["suspend"].times(of: .ignored) == [5000])
    for way in [PausedRelease.resumed, .timerKit] { try way.perform() }
  }
}
