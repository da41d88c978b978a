import Fuzzing
import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

@Suite struct DisplayStepsTests {
  private func instant(_ milliseconds: Int64) -> TimerClock.Instant {
    TimerClock.suspending.instant(nanoseconds: milliseconds * 1_000_000)
  }

  @Test(arguments: [false, true]) func theShownTimeIsWithinAUnitAndNotZeroTooEarly(
    _ showsTenths: Bool
  ) {
    var random = SplitMix(state: 5)
    let unit: Int64 = showsTenths ? 100_000_000 : 1_000_000_000
    for _ in 0..<20_000 {
      var displaySteps = DisplaySteps(showsTenths: showsTenths)
      displaySteps.align(
        to: TimerClock.suspending.instant(
          nanoseconds: Int64.random(in: 0...(1 << 40), using: &random)))
      let now = TimerClock.suspending.instant(
        nanoseconds: Int64.random(in: 0...(1 << 40), using: &random))
      let left = Int64.random(in: 1...100 * unit, using: &random)
      let start = displaySteps.stepStart(of: now)
      #expect(start <= now && now < displaySteps.next(after: start))
      #expect(displaySteps.stepStart(of: start) == start)
      let shown = displaySteps.units(until: now.advanced(by: .nanoseconds(left)), from: start)
      #expect(shown >= 1)
      // Slightly more than a unit, for timers that were started together.
      #expect(shown <= displaySteps.units(in: .nanoseconds(left)) + 1)
      #expect(abs(shown * unit - left) < unit + 10_000_000 || shown == 1)
    }
  }

  /// The digits of a single timer are exactly its time left, rounded up.
  @Test func aSingleTimerIsOnTheGrid() {
    let due = instant(183_377)
    var displaySteps = DisplaySteps(showsTenths: false)
    displaySteps.align(to: due)
    for now in stride(from: Int64(3_377), to: 183_377, by: 311) {
      let exact = (183_377 - now + 999) / 1000
      #expect(
        displaySteps.units(until: due, from: displaySteps.stepStart(of: instant(now))) == exact)
    }
  }

  @Test func onlyAnOverdueTimerShowsZero() {
    let displaySteps = DisplaySteps(showsTenths: false)
    #expect(displaySteps.units(until: instant(10_000), from: instant(10_000)) == 1)
    #expect(displaySteps.units(until: instant(9_999), from: instant(10_000)) == 0)
    #expect(displaySteps.units(in: .zero) == 0)
    #expect(displaySteps.units(in: .nanoseconds(1)) == 1)
    #expect(displaySteps.units(in: .seconds(-3)) == 0)
  }

  @Test func extremeInstantsDoNotTrap() {
    let displaySteps = DisplaySteps(showsTenths: true)
    for nanoseconds in [Int64.min, Int64.min + 1, -1, 0, 1, Int64.max - 1, Int64.max] {
      let instant = TimerClock.suspending.instant(nanoseconds: nanoseconds)
      let start = displaySteps.stepStart(of: instant)
      _ = displaySteps.next(after: start)
      #expect(
        displaySteps.units(until: TimerClock.suspending.instant(nanoseconds: .max), from: start) > 0
      )
    }
  }

  /// The column is wide enough for a digit more than the time itself needs.
  @Test func theColumnFitsTheShownTime() throws {
    let fixture = try Fixture("a=5m", width: 20, height: 3)
    fixture.advance(by: .milliseconds(995))
    fixture.type("ab=9m59s")
    fixture.press(.enter, Key(.insert))
    #expect(fixture.lines[1] == "▌ b    10:00 ▶")
  }

  /// With several timers the steps stay fixed, so that no digits increase.
  @Test func digitsNeverIncrease() throws {
    let fixture = try Fixture("a=1h p=every 1700ms", height: 20)
    var last: [String: Int64] = [:]
    for step in 0..<200 {
      fixture.advance(by: .milliseconds(83))
      if step % 40 == 20 {
        fixture.type("ab\(step)=\(10 + step)s")
        fixture.press(.enter)
      }
      let context = fixture.dashboard.rowContext(at: fixture.now)
      for row in fixture.dashboard.rows.all where row.name != "p" {
        let shown = Row.Time(of: row, in: context).units ?? 0
        #expect(shown <= last[row.label] ?? .max)
        last[row.label] = shown
      }
    }
  }
}
