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
    let modes = tour.map(\.kind)
    #expect(modes.contains { if case .once = $0 { true } else { false } })
    #expect(modes.contains { if case .every(_, _?) = $0 { true } else { false } })
    #expect(modes.contains { if case .every(_, nil) = $0 { true } else { false } })
    #expect(tour.contains(where: \.isPaused) && tour.contains { !$0.isPaused })
    #expect(tour.allSatisfy { $0.name != nil && $0.note != nil })
  }
}
