import Testing
import TimerKit

/// Draws the deliveries of a debouncer with these parameters, in milliseconds.
private func debounced(
  _ line: String, delay: Int, edges: DebounceEdges = .trailing, maxWait: Int? = nil,
  first order: MarbleOrder = .calls
) -> String {
  marbles(line, first: order) { clock, report in
    let debouncer = try Debouncer<Character>(
      delay: .milliseconds(delay), edges: edges, maxWait: maxWait.map { .milliseconds($0) },
      clock: .virtual(clock)
    ) { _, value in report(value) }
    return { marble in
      switch marble {
      case .call(let value): debouncer.call(value)
      case .cancelPending: debouncer.cancelPending()
      case .flush: debouncer.flush()
      }
    }
  }
}

/// lodash's rules, and calls at the exact end of a window. See ``Marble`` for the notation.
@Suite("Debouncer diagrams")
struct DebouncerMarbleTests {
  @Test("the diagrams of the documentation: edges", arguments: MarbleOrder.allCases)
  func documentedEdges(order: MarbleOrder) {
    let calls = "a-b-c---------d---------"
    #expect(debounced(calls, delay: 3, first: order) == "-------c---------d------")
    #expect(
      debounced(calls, delay: 3, edges: .leading, first: order) == "a-------------d---------")
    #expect(debounced(calls, delay: 3, edges: .both, first: order) == "a------c------d---------")
  }

  @Test("the diagrams of the documentation: maxWait")
  func documentedMaxWait() {
    let calls = "a-b-c-d-e-f-g-----------"
    #expect(debounced(calls, delay: 3) == "---------------g--------")
    #expect(debounced(calls, delay: 3, maxWait: 5) == "-----c----f----g--------")
  }

  @Test("several simultaneous calls are one delivery, of the newest value")
  func simultaneousCallsAreMerged() {
    #expect(debounced("(abc)---------(def)-----", delay: 4) == "----c---------f-")
  }

  @Test("a delay of zero delivers in the next drain, once")
  func zeroDelay() {
    #expect(debounced("(ab)--(cd)-", delay: 0) == "b--d-")
    #expect(debounced("(abc)--", delay: 0, edges: .leading) == "a--")
    #expect(debounced("(abc)--", delay: 0, edges: .both) == "(ac)--")
    #expect(debounced("(aXbc)--", delay: 0, edges: .both) == "(bc)--")
    #expect(debounced("(aX)-b(FX)-", delay: 0) == "--b--")
  }

  @Test("a leading edge requires a whole delay without calls")
  func leadingRequiresAWholeDelay() {
    #expect(debounced("a---b---c--d---e----", delay: 4, edges: .leading) == "a---b---c------e----")
    #expect(debounced("abcdefgh----i", delay: 4, edges: .leading) == "a-----------i")
  }

  @Test("with both edges, the trailing one requires another call")
  func trailingOnlyIfCalledAgain() {
    #expect(debounced("a-----------", delay: 4, edges: .both) == "a-----------")
    #expect(debounced("(ab)--------", delay: 4, edges: .both) == "a---b----")
    #expect(debounced("a-b---------", delay: 4, edges: .both) == "a-----b-----")
    #expect(debounced("a-b-------cd-----", delay: 4, edges: .both) == "a-----b---c----d-")
  }

  @Test("maxWait is at least the delay", arguments: [0, 1, 3, 4])
  func maxWaitIsAtLeastTheDelay(maxWait: Int) {
    let calls = "abcdefghi-----"
    #expect(debounced(calls, delay: 4, maxWait: maxWait) == "----e---i-----")
    #expect(debounced(calls, delay: 4, maxWait: maxWait, first: .alarms) == "----d---h---i-")
  }

  @Test("maxWait bounds the delay of an uninterrupted stream")
  func maxWaitInATightLoop() {
    let calls = String(repeating: "a", count: 40)
    let quiet = String(repeating: "-", count: 15)
    #expect(debounced(calls, delay: 8) == quiet + "-" + quiet + "---------")
    #expect(debounced(calls, delay: 8, maxWait: 16) == "-" + quiet + "a" + quiet + "a-------")
  }

  @Test("calls after a maxWait delivery are debounced again")
  func callsAfterMaxWait() {
    let calls = "a------------------bcd---------------------"
    let drawn = debounced(calls, delay: 20, maxWait: 20, first: .alarms)
    #expect(drawn == "--------------------b-------------------d--")
    let callsFirst = debounced(calls, delay: 20, maxWait: 20)
    #expect(callsFirst == "--------------------c-------------------d--")
  }

  @Test("a delivery restarts maxWait")
  func deliveryRestartsMaxWait() {
    #expect(
      debounced("a---------------b-------", delay: 4, maxWait: 8) == "----a---------------b---")
    #expect(
      debounced("abcdefghij--------", delay: 4, edges: .both, maxWait: 8) == "a-------i----j----")
  }

  @Test("maxWait repeats the leading edge in a stream")
  func leadingWithMaxWait() {
    #expect(
      debounced("abcdefghijkl--", delay: 3, edges: .leading, maxWait: 5) == "a----f----k---")
  }

  @Test("flush delivers the pending value immediately and once")
  func flush() {
    #expect(debounced("ab-F------", delay: 4) == "---b------")
    #expect(debounced("a(FF)-------", delay: 4) == "-a-------")
    #expect(debounced("F---a-----F", delay: 4) == "--------a--")
    #expect(debounced("a-F--", delay: 4, edges: .leading) == "a----")
  }

  @Test("a flush does not end the burst")
  func flushKeepsTheBurst() {
    #expect(debounced("abFc------", delay: 4, edges: .both) == "a-b----c--")
    #expect(debounced("abF---c---", delay: 4, edges: .both) == "a-b---c---")
  }

  @Test("cancelPending drops the pending value")
  func cancelPending() {
    #expect(debounced("ab-X------", delay: 4) == "----------")
    #expect(debounced("ab-Xc------", delay: 4) == "--------c--")
    #expect(debounced("X---a-----X", delay: 4) == "--------a--")
    #expect(debounced("a-(FX)------", delay: 4) == "---------")
  }

  @Test("cancelPending resets the leading edge and maxWait")
  func cancelPendingResets() {
    #expect(debounced("aXb---", delay: 4, edges: .leading) == "a-b---")
    #expect(debounced("aX(bc)-----", delay: 4, edges: .both) == "a-b---c-")
    #expect(debounced("abcdXefghi------", delay: 3, maxWait: 5) == "----------i-----")
  }

  @Test("calls at the exact end of the window")
  func atTheEdge() {
    let calls = "a-b-c-d-----"
    #expect(debounced(calls, delay: 2) == "--------d---")
    #expect(debounced(calls, delay: 2, first: .alarms) == "--a-b-c-d---")
    for order in MarbleOrder.allCases {
      #expect(debounced(calls, delay: 2, edges: .leading, first: order) == calls)
      #expect(debounced(calls, delay: 2, edges: .both, first: order) == calls)
    }
    #expect(debounced("ab-c----", delay: 2, edges: .both) == "a----c--")
    #expect(debounced("ab-c----", delay: 2, edges: .both, first: .alarms) == "a--(bc)----")
  }
}
