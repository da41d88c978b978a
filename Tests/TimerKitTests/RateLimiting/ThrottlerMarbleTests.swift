import Testing
import TimerKit

/// Draws the deliveries of a throttler with these parameters, in milliseconds.
private func throttled(
  _ line: String, interval: Int, _ mode: ThrottleMode = .fromDelivery,
  keeping kept: KeptValue = .latest,
  first order: MarbleOrder = .calls
) -> String {
  marbles(line, first: order) { clock, report in
    let throttler = try Throttler<Character>(
      interval: .milliseconds(interval), mode: mode, keeping: kept, clock: .virtual(clock)
    ) { _, value in report(value) }
    return { marble in
      switch marble {
      case .call(let value): throttler.call(value)
      case .cancelPending: throttler.cancelPending()
      case .flush: throttler.flush()
      }
    }
  }
}

/// See ``Marble`` for the notation.
@Suite("Throttler diagrams")
struct ThrottlerMarbleTests {
  private static let delayed = ThrottleMode.fromDelivery(firstAtOnce: false)

  @Test("the diagrams of the documentation", arguments: MarbleOrder.allCases)
  func documented(order: MarbleOrder) {
    let calls = "a-bc---d----------e---------"
    #expect(throttled(calls, interval: 4, first: order) == "a---c---d---------e---------")
    #expect(
      throttled(calls, interval: 4, keeping: .first, first: order)
        == "a---b---d---------e---------")
    #expect(
      throttled(calls, interval: 4, Self.delayed, first: order) == "----c---d-------------e-----")
    #expect(
      throttled(calls, interval: 4, .deferred, first: order) == "----c------d----------e-----")
  }

  @Test("identity at rates of 0 and 1", arguments: KeptValue.allCases, MarbleOrder.allCases)
  func identity(kept: KeptValue, order: MarbleOrder) {
    let calls = "abcdefghijk-l--m"
    #expect(throttled(calls, interval: 0, keeping: kept, first: order) == calls)
    #expect(throttled(calls, interval: 1, keeping: kept, first: order) == calls)
    #expect(throttled("(abc)-(de)f", interval: 0, keeping: kept, first: order) == "(abc)-(de)f")
    #expect(throttled(calls, interval: 0, .deferred, keeping: kept, first: order) == calls)
    #expect(throttled(calls, interval: 0, Self.delayed, keeping: kept, first: order) == calls)
  }

  @Test("latest at rates of 2 and 3, calls at the exact end of the window")
  func latest() {
    let calls = "abcdefghijk--"
    #expect(throttled(calls, interval: 2) == "a-c-e-g-i-k--")
    #expect(throttled(calls, interval: 3) == "a--d--g--j--k")
    #expect(throttled(calls, interval: 2, first: .alarms) == "a-b-d-f-h-j-k")
    #expect(throttled(calls, interval: 3, first: .alarms) == "a--c--f--i--k")
  }

  @Test("first at rates of 2 and 3, calls at the exact end of the window")
  func first() {
    let calls = "abcdefghijk--"
    #expect(throttled(calls, interval: 2, keeping: .first) == "a-b-d-f-h-j--")
    #expect(throttled(calls, interval: 3, keeping: .first) == "a--b--e--h--k")
    #expect(throttled(calls, interval: 2, keeping: .first, first: .alarms) == "a-b-c-e-g-i-k")
    #expect(throttled(calls, interval: 3, keeping: .first, first: .alarms) == "a--b--d--g--j")
  }

  @Test("sparse calls pass", arguments: MarbleOrder.allCases)
  func sparse(order: MarbleOrder) {
    let calls = "-a-b-c-d-e-f--"
    #expect(throttled(calls, interval: 1, first: order) == calls)
    #expect(throttled(calls, interval: 2, first: order) == calls)
    #expect(throttled("a--------", interval: 4, first: order) == "a--------")
  }

  @Test("without an immediate fire, the second call is delivered at the end of its interval")
  func delayedFixed() {
    #expect(
      throttled("a-----------b---------", interval: 8, Self.delayed) == "--------a-------b-----")
    #expect(throttled("(ab)-----", interval: 3, Self.delayed) == "---b--")
    #expect(throttled("(ab)-----", interval: 3, Self.delayed, keeping: .first) == "---a--")
  }

  @Test("deferred: a steady stream does not starve")
  func deferredDoesNotStarve() {
    let calls = "abcdefghijkl----"
    #expect(throttled(calls, interval: 3, .deferred) == "---d---h---l----")
    #expect(throttled(calls, interval: 3, .deferred, keeping: .first) == "---a---e---i----")
    #expect(throttled(calls, interval: 3, .deferred, first: .alarms) == "---c--f--i--l---")
  }

  @Test("cancelPending drops the pending value and opens the throttler")
  func cancelPending() {
    #expect(throttled("ab-X-----", interval: 4) == "a--------")
    #expect(throttled("ab-Xc----", interval: 4) == "a---c----")
    #expect(throttled("aXb(Xc)d----", interval: 4) == "a-bc---d-")
    #expect(throttled("a-X-b-----", interval: 4, .deferred) == "--------b-")
    #expect(throttled("X--X", interval: 4) == "----")
  }

  @Test("flush delivers the pending value once and closes the throttler")
  func flush() {
    #expect(throttled("ab(FF)------", interval: 4) == "a-b------")
    #expect(throttled("ab-Fc-------", interval: 4) == "a--b---c----")
    #expect(throttled("ab-F---c----", interval: 4) == "a--b---c----")
    #expect(throttled("F-a-F----", interval: 4) == "--a------")
    #expect(throttled("ab-F-c------", interval: 4, .deferred) == "---b-----c--")
    #expect(throttled("a-F-b-----", interval: 4, Self.delayed) == "--a---b---")
  }

  @Test("none: a rate limit, calls at the exact end of the window", arguments: MarbleOrder.allCases)
  func none(order: MarbleOrder) {
    let calls = "a-bc---d----------e---------"
    #expect(
      throttled(calls, interval: 4, keeping: .nothing, first: order)
        == "a------d----------e---------")
    let stream = "abcdefghijk--"
    #expect(throttled(stream, interval: 2, keeping: .nothing, first: order) == "a-c-e-g-i-k--")
    #expect(throttled(stream, interval: 3, keeping: .nothing, first: order) == "a--d--g--j---")
  }

  @Test("none: if the first call waits, only it is delivered")
  func noneWaiting() {
    #expect(throttled("ab--c------", interval: 3, Self.delayed, keeping: .nothing) == "---a-------")
    #expect(throttled("a-----bc---", interval: 3, Self.delayed, keeping: .nothing) == "---a-----b-")
    #expect(throttled("ab--c------", interval: 3, .deferred, keeping: .nothing) == "---a---c---")
  }

  @Test("none: flush does nothing, and cancelPending opens the throttler")
  func noneControls() {
    #expect(throttled("ab-F-----", interval: 4, keeping: .nothing) == "a--------")
    #expect(throttled("ab-Xc----", interval: 4, keeping: .nothing) == "a---c----")
  }
}
