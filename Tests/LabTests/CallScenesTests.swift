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
    // A delay delivers every press, and nine of them after a newer one has come.
    #expect(played["delay"].letters == ["a1500", "d4000", "l9250"])
    #expect(played["delay"].times(of: .wrong).count == 9)
  }

  /// A cross is at the time of each press that was dropped, and only there.
  @Test(arguments: [Scene.debounce, .throttle].map(\.name))
  func everyPressIsDeliveredOrCrossedOut(name: String) throws {
    let played = Played(try #require(Scene.named(name)))
    let presses = played["in"].marks
    for lane in played.lanes where lane.note.contains("dropped") {
      let crosses = lane.times(of: .missed)
      let delivered = lane.letters.compactMap(\.first)
      for press in presses {
        guard case .character(let letter) = press.value else { continue }
        let isCrossed = crosses.contains(press.time.inMilliseconds)
        #expect(isCrossed != delivered.contains(letter), "\(lane.label): \(letter)")
      }
      #expect(lane.note == "delivered \(delivered.count), dropped \(crosses.count)")
    }
  }

  @Test func throttlersDeliverOncePerInterval() {
    let played = Played(.throttle)
    #expect(
      played["throttle"].letters == [
        "a500", "b2250", "d3250", "e5000", "f6000", "i7000", "k8000", "l9000",
      ])
    #expect(
      played["keep first"].letters == [
        "a500", "b2250", "c3250", "e5000", "f6000", "g7000", "j8000", "l9000",
      ])
    #expect(played["deferred"].letters == ["a1500", "d3250", "f6000", "i7250", "l8500"])
  }

  /// The throttle of the article delivers as a debouncer does.
  @Test func aThrottleThatCancelsTheCallBeforeIsADebounce() {
    let published = Played(.throttle)["by hand"]
    #expect(published.letters == Played(.debounce)["trailing"].letters)
    #expect(published.words.map(\.value) == ["after 1.8 s", "after 4.3 s"])
  }

  @Test func aLimitForEachUserRefusesNobodyForAnother() {
    let played = Played(.users)
    let requests = played["requests"].letters
    #expect(
      requests.count == played["per user"].letters.count
        + played["per user"].times(of: .missed).count)
    for user: Character in ["B", "C"] {
      let asked = requests.count { $0.first == user }
      #expect(played["per user"].letters.count { $0.first == user } == asked)
      #expect(played["one limit"].letters.count { $0.first == user } < asked)
    }
    #expect(played["one limit"].words.map(\.value).first == "B refused")
    #expect(played.isGood == ["one limit": false, "per user": true])
  }

  @Test func urgentWritesFlushLazyOnes() {
    let played = Played(.background)
    #expect(played["coalesce"].letters == ["32500", "26000", "27500"])
    #expect(played["delay"].letters == ["34000", "26000", "29250"])
    #expect(played["idle"].letters == ["33250", "26750", "28500"])
    #expect(played["each"].letters.count == 7)
    #expect(played["coalesce"].note == "3 flushes, u in 0.5 s")
    #expect(played["delay"].note == "3 flushes, u in 2.3 s")
    #expect(
      played.isGood == ["each": false, "coalesce": true, "delay": false, "idle": false])
  }

  @Test func flushCountIsSingularForOne() {
    var player = Scene.background.open()
    var notes: Set<String> = []
    for milliseconds in stride(from: Int64(0), through: 4000, by: 250) {
      let picture = player.snapshot(
        at: TimerClock.suspending.instant(nanoseconds: milliseconds * 1_000_000))
      for case .lanes(let lanes) in picture.blocks { notes.formUnion(lanes.lanes.map(\.note)) }
    }
    #expect(notes.isSuperset(of: ["0 flushes, u in 0.0 s", "1 flush, u in 0.0 s"]), "\(notes)")
  }

  @Test func sessionExpiresAtItsDeadlineAndIsNotRevived() {
    let played = Played(.session)
    #expect(played["session"].times(of: .character("+")) == [1250, 2750, 7500])
    #expect(played["session"].times(of: .ended) == [4750, 9500])
    #expect(played["session"].times(of: .ignored) == [5750])
    #expect(played["reader"].times(of: .character("A")) == (1...9).map { $0 * 500 })
    #expect(played["reader"].times(of: .character("B")) == (13...18).map { $0 * 500 })
    #expect(played["reader"].note == "15 reads with a value")
    #expect(played["by hand"].times(of: .missed).count == 18)
    #expect(played["by hand"].times(of: .wrong) == [500, 5750])
  }
}
