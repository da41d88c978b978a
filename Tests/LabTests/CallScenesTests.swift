import Dashboard
import Testing
import TimerKit

@testable import Lab

/// The scenes of debouncers, throttlers, background timers and expiring values.
struct CallScenesTests {
  @Test func debouncersDeliverAtTheirEdges() {
    let played = Played(.debounce)
    #expect(played["you"].letters.count == 12)
    #expect(played["trailing"].letters == ["a1500", "d4000", "l9250"])
    #expect(played["leading"].letters == ["a500", "b2250", "e5000"])
    #expect(played["both"].letters == ["a500", "b2250", "d4000", "e5000", "l9250"])
    #expect(played["max 3 s"].letters == ["a1500", "d4000", "k8000", "l9250"])
    // A delay delivers every press, and nine of them after a newer one has come.
    #expect(played["delay"].letters == ["a1500", "d4000", "l9250"])
    #expect(played["delay"].times(of: .wrong).count == 9)
  }

  /// A hollow mark is at the time of each press that was dropped, and only there.
  @Test(arguments: [Scene.debounce, .throttle].map(\.name))
  func everyPressIsDeliveredOrDropped(name: String) throws {
    let played = Played(try #require(Scene.named(name)))
    let presses = played["you"].marks
    for lane in played.lanes where lane.times(of: .dropped) != [] {
      let dropped = lane.times(of: .dropped)
      let delivered = lane.letters.compactMap(\.first)
      for press in presses {
        guard case .character(let letter) = press.value else { continue }
        let isDropped = dropped.contains(press.time.inMilliseconds)
        #expect(isDropped != delivered.contains(letter), "\(lane.label): \(letter)")
      }
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
    #expect(published.faults == ["after 1.8 s", "after 4.3 s"])
  }

  @Test func aLimitForEachUserRefusesNobodyForAnother() {
    let played = Played(.users)
    let requests = played["you"].letters
    #expect(
      requests.count == played["per user"].letters.count
        + played["per user"].times(of: .dropped).count)
    for user: Character in ["B", "C"] {
      let asked = requests.count { $0.first == user }
      #expect(played["per user"].letters.count { $0.first == user } == asked)
      #expect(played["one limit"].letters.count { $0.first == user } < asked)
    }
    #expect(played["one limit"].faults.first == "B refused")
    #expect(played.isGood == ["one limit": false, "per user": true])
  }

  /// The number beside a throttle is the one that shows the fault.
  @Test func theNoteOfAThrottleIsItsLongestSilence() {
    let played = Played(.throttle)
    #expect(played["by hand"].note == "4.3 s silent")
    for name in ["throttle", "keep first", "deferred"] {
      #expect(["0.8 s silent", "1.0 s silent"].contains(played[name].note), "\(name)")
    }
  }

  @Test func urgentWritesFlushLazyOnes() {
    let played = Played(.background)
    #expect(played["coalesce"].letters == ["32500", "26000", "27500"])
    #expect(played["delay"].letters == ["34000", "26000", "29250"])
    #expect(played["idle"].letters == ["33250", "26750", "28500"])
    #expect(played["each"].letters.count == 7)
    #expect(played["coalesce"].note == "3 flushes, 7 writes")
    #expect(played["delay"].note == "urgent 1.8 s late")
    #expect(
      played.isGood == ["each": false, "coalesce": true, "delay": false, "idle": false])
  }

  @Test func flushCountIsSingularForOne() {
    var player = Scene.background.open()
    var notes: Set<String> = []
    for milliseconds in stride(from: Int64(0), through: 4000, by: 250) {
      let picture = player.snapshot(
        at: TimerClock.suspending.instant(nanoseconds: milliseconds * 1_000_000))
      notes.formUnion(picture.lanes?.lanes.map(\.note) ?? [])
    }
    #expect(notes.isSuperset(of: ["0 flushes, 0 writes", "1 flush, 1 write"]), "\(notes)")
  }

  @Test func sessionExpiresAtItsDeadlineAndIsNotRevived() {
    let played = Played(.session)
    #expect(played["session"].times(of: .character("+")) == [1250, 2750, 7500])
    #expect(played["session"].planes == ["A0", "B6250"])
    #expect(played["session"].times(of: .ended) == [4750, 9500])
    #expect(played["session"].times(of: .ignored) == [5750])
    // By hand, the value is the same; only the renewal after its end is accepted.
    #expect(played["by hand"].planes == played["session"].planes)
    #expect(played["by hand"].times(of: .ended) == played["session"].times(of: .ended))
    #expect(played["by hand"].times(of: .wrong) == [5750])
    #expect(played["by hand"].note == "1 late renewal accepted")
  }
}
