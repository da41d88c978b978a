import Dashboard
import Testing
import TimerKit

@testable import Lab

struct BufferTests {
  /// What an array holds memory for, after each of some changes a quarter of a second apart.
  private func capacities(_ policy: ShrinkPolicy, _ changes: [Int]) -> [Int] {
    let stage = Stage()
    let array = ShrinkingArray(policy, on: stage.lane(policy.rawValue), stage.clock)
    return changes.map { change in
      stage.clock.advance(by: .milliseconds(250))
      if change > 0 { array.add(change) }
      if change < 0 { array.remove(-change) }
      return array.capacity
    }
  }

  @Test func byTimeItShrinksHalfASecondAfterItsLastUse() {
    #expect(
      capacities(.time, [40, -8, -8, -8, 0, 0, 0, -8, 0, 0, 30])
        == [64, 64, 64, 64, 64, 16, 16, 16, 16, 8, 64])
    #expect(capacities(.time, Array(repeating: [40, -40], count: 20).flatMap(\.self)).last == 64)
  }

  @Test func byFullnessItSitsOnWhatItDoesNotNeed() {
    #expect(capacities(.half, [64, -8, -8, -8, -8, 0, 0, 0]).last == 64)
    #expect(capacities(.half, [64, -8, -8, -8, -8, -1]).last == 31)
  }

  @Test func nearItsLimitItShrinksAndGrowsAgain() {
    #expect(capacities(.most, [32, -8, 8, -8, 8, -8]) == [32, 24, 48, 24, 48, 24])
  }

  @Test func byCountItDependsOnWhereTheCountingStops() {
    #expect(capacities(.count, [64, -8, -8, -8, -8, 0, 0]).last == 64)
    #expect(capacities(.count, [64, -8, -8, -8, -8, -8, 0]).last == 24)
  }

  @Test func theCurveOfTheSceneIsTheirs() {
    let played = Played(.buffer)
    let levels = played["by time"].levels
    #expect(levels.map { Int($0.fraction * 64) }.max() == 64)
    #expect(levels.last.map { Int($0.fraction * 64) } == 8)
    // Half a second after the last key.
    #expect(levels.last?.from.inMilliseconds == 9000)
    #expect(played["under 90%"].note == "8 slots, resized 22×")
  }
}
