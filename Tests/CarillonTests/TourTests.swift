import Assets
import Dashboard
import Testing
import TimerBoard
import TimerKit

struct TourTests {
  /// The tour includes every feature.
  @Test func includesEveryFeature() throws {
    let tour = try TimerSpec.parse(line: Assets.tour)
    #expect(tour.count == 6)
    let repeaters = tour.compactMap(\.kind.repeater)
    #expect(repeaters.contains(where: \.isOnce))
    #expect(repeaters.contains { !$0.isOnce && $0.fireCount != nil })
    #expect(repeaters.contains { $0.fireCount == nil })
    #expect(tour.contains(where: \.isPaused) && tour.contains { !$0.isPaused })
    #expect(tour.allSatisfy { $0.name != nil && $0.note != nil })
  }
}
