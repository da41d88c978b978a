import Dashboard
import Testing
import TimerKit

@testable import Lab

/// The scenes of debouncers, throttlers, background timers and expiring values.
struct CallScenesTests {
  @Test func debouncersDeliverAtTheirEdges() {
    let played = Played(.debounce)
    #expect(played["in"].letters.count == 12)
    #expect(played["trailing"].letters == ["a1500", "d4000", "l9250"])
    #expect(played["leading"].letters == ["a500", "b2250", "e5000"])
    #expect(played["both"].letters == ["a500", "b2250", "d4000", "e5000", "l9250"])
    #expect(played["max 3 s"].letters == ["a1500", "d4000", "k8000", "l9250"])
  }

  @Test func throttlersDeliverOncePerInterval() {
    let played = Played(.throttle)
    #expect(
      played["delivery"].letters == [
        "a500", "b2250", "d3250", "e5000", "f6000", "i7000", "k8000", "l9000",
      ])
    #expect(
      played["delivery 1st"].letters == [
        "a500", "b2250", "c3250", "e5000", "f6000", "g7000", "j8000", "l9000",
      ])
    #expect(
      played["deferred"].letters == ["a1500", "d3250", "f6000", "i7250", "l8500"])
    #expect(
      played["deferred 1st"].letters == ["a1500", "b3250", "e6000", "g7250", "j8500"])
  }

  @Test func urgentWritesFlushLazyOnes() {
    let played = Played(.background)
    #expect(played["coalesce"].letters == ["32500", "26000", "27500"])
    #expect(played["delay"].letters == ["34000", "26000", "29250"])
    #expect(played["idle"].letters == ["33250", "26750", "28500"])
  }

  @Test func flushCountIsSingularForOne() {
    var player = Scene.background.open()
    var notes: Set<String> = []
    for milliseconds in stride(from: Int64(0), through: 4000, by: 250) {
      let picture = player.snapshot(
        at: TimerClock.suspending.instant(nanoseconds: milliseconds * 1_000_000))
      for case .lanes(let lanes) in picture.blocks { notes.formUnion(lanes.lanes.map(\.note)) }
    }
    #expect(notes.isSuperset(of: ["1 write, 0 flushes", "3 writes, 1 flush"]), "\(notes)")
  }

  @Test func sessionExpiresAtItsDeadlineAndIsNotRevived() {
    let played = Played(.session)
    #expect(played["session"].times(of: .started) == [1250, 2750, 7500])
    #expect(played["session"].times(of: .ended) == [4750, 9500])
    #expect(played["session"].times(of: .failed) == [5750])
    #expect(played["reader"].times(of: .character("A")) == (1...9).map { $0 * 500 })
    #expect(played["reader"].times(of: .character("B")) == (13...18).map { $0 * 500 })
    #expect(played["published"].times(of: .ignored).count == 19)
  }
}
