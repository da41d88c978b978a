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
    let once = repeaters.filter { $0.isOnce }.count
    let endless = repeaters.filter { $0.fireCount == nil }.count
    #expect(once > 0 && endless > 0 && once + endless < repeaters.count)
    let paused = tour.filter { $0.isPaused }.count
    #expect(paused > 0 && paused < tour.count)
    #expect(tour.allSatisfy { $0.name != nil && $0.note != nil })
  }
}
