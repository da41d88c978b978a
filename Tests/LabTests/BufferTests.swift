import Dashboard
import Testing
import TimerKit

@testable import Lab

struct BufferTests {
  /// Returns the capacity of an array after each change, with a quarter of a second between
  /// changes.
  private func capacities(_ policy: ShrinkPolicy, _ changes: [Int]) -> [Int] {
    let fixture = Fixture()
    let array = ShrinkingArray(policy, on: fixture.lane(policy.rawValue), fixture.clock)
    return changes.map { change in
      fixture.clock.advance(by: .milliseconds(250))
      if change > 0 { array.add(change) }
      if change < 0 { array.remove(-change) }
      return array.capacity
    }
  }

  @Test func whenIdleShrinksHalfASecondAfterTheLastUse() {
    #expect(
      capacities(.idle, [40, -8, -8, -8, 0, 0, 0, -8, 0, 0, 30])
        == [64, 64, 64, 64, 64, 16, 16, 16, 16, 8, 64])
    #expect(capacities(.idle, Array(repeating: [40, -40], count: 20).flatMap(\.self)).last == 64)
  }

  /// The first use of a stretch sets the time, and not the last one.
  @Test func inUseShrinksAlthoughTheArrayIsUsed() {
    #expect(
      capacities(.use, [40, -8, -8, -8, -8, -8, -8, 0, 0])
        == [64, 64, 32, 32, 16, 16, 4, 4, 4])
  }

  @Test func countAndFillLevelDependOnWhereTheCountStopsToo() {
    #expect(capacities(.countAndHalf, [64, -8, -8, -8, -8, -8, -8, -8, 0]).last == 24)
    #expect(capacities(.countAndHalf, [64, -1, -1, -1, -1, -1, 0]).last == 64)
  }

  @Test func underHalfKeepsUnusedMemory() {
    #expect(capacities(.half, [64, -8, -8, -8, -8, 0, 0, 0]).last == 64)
    #expect(capacities(.half, [64, -8, -8, -8, -8, -1]).last == 31)
  }

  @Test func underNinetyPercentShrinksAndGrowsAgain() {
    #expect(capacities(.most, [32, -8, 8, -8, 8, -8]) == [32, 24, 48, 24, 48, 24])
  }

  @Test func byCountDependsOnWhereTheCountStops() {
    #expect(capacities(.count, [64, -8, -8, -8, -8, 0, 0]).last == 64)
    #expect(capacities(.count, [64, -8, -8, -8, -8, -8, 0]).last == 24)
  }

  @Test func sceneDrawsTheCapacities() {
    let played = Played(.buffer)
    let levels = played["when idle"].levels
    #expect(levels.map { Int($0.value * 64) }.max() == 64)
    #expect(levels.last.map { Int($0.value * 64) } == 8)
    // Half a second after the last key.
    #expect(levels.last?.time.inMilliseconds == 9000)
    #expect(played["when idle"].used.last?.value == 8.0 / 64)
    #expect(played["under 90%"].note == "22 copies, 0 free")
    #expect(
      played.isGood == [
        "when idle": true, "in use": true, "every 5th": false, "5th + 50%": false,
        "under 50%": true,
        "under 90%": false,
      ])
  }
}
