import Testing

@testable import TimerKit

/// A token belongs to one observer of one timer. A view that removes its token from the wrong timer must not
/// stop the observer of another one.
@Suite struct ObserverTokenTests {
  let clock = VirtualClock()
  let log = Recorder<String>()

  private func repeater(_ name: String) throws -> Repeater {
    try Repeater.every(.seconds(1), clock: .virtual(clock)) { [log] _, _ in log.append(name) }
  }

  @Test func removesNoObserverOfAnotherTimer() throws {
    let (a, b) = (try repeater("a"), try repeater("b"))
    let token = a.observe { _, _ in }
    b.observe { [log] _, event in
      if case .delivery = event { log.append("observer of b") }
    }
    #expect(!b.removeObserver(token))
    clock.advance(by: .seconds(1))
    #expect(log.all == ["a", "b", "observer of b"])
    #expect(a.removeObserver(token))
    #expect(!a.removeObserver(token))
  }

  @Test func removesNoObserverOfAnotherKind() throws {
    let stopwatch = Stopwatch(clock: .virtual(clock))
    let debouncer = try Debouncer<Int>(delay: .seconds(1), clock: .virtual(clock))
    let token = stopwatch.observe { _, _ in }
    let own = debouncer.observe { _, _ in }
    #expect(!debouncer.removeObserver(token))
    #expect(debouncer.removeObserver(own))
  }

  @Test func removesNoHandler() throws {
    let (a, b) = (try repeater("a"), try repeater("b"))
    let token = a.observe { _, _ in }
    b.removeAllObservers()
    b.setHandler { [log] _, _ in log.append("new handler of b") }
    #expect(!b.removeObserver(token))
    clock.advance(by: .seconds(1))
    #expect(log.all == ["a", "new handler of b"])
  }
}
