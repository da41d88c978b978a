import Dashboard
import TimerKit

extension Scene {
  static let session = Scene(
    name: "session",
    keys: [.init("x", "renew"), .init("s", "sign in again")],
    legend: [
      .init(.character("A"), "session A"), .init(.character("+"), "more time"),
      .init(.ended, "ended (expired)"), .init(.ignored, "refused"), .init(.missed, "no value read"),
      .init(.wrong, "mistake"),
    ],
    listings: [
      LabCode(
        "the container of an article", region: "published-container", isCounterexample: true),
      LabCode("a value with a lifetime", region: "session"),
    ],
    script: Script("-----x-----x-----------x-s----x---------")
  ) { fixture in
    let lane = fixture.lane("session")
    let reader = fixture.lane("reader").reading()
    let publishedReader = fixture.lane("by hand").reading()
    // region: session
    let session = try TimeLimited<Character>(
      "A", for: .seconds(2), clock: .virtual(fixture.clock)
    ) { _, _ in
      lane.mark(.ended)
      lane.setLineStyle(.none)
    }
    // endregion
    let published = PublishedContainer(
      value: Character("A"), lifetime: .seconds(2), on: fixture.clock)
    try fixture.every(.milliseconds(500)) {
      reader.mark(session.value.map(LabMarkKind.character) ?? .missed)
      publishedReader.markRead(published.value, expecting: session.value)
    }
    lane.mark(.character("A"))
    lane.setNote {
      let left = session.snapshot.timeLeft(at: fixture.clock.now)
      return left.map { "\($0.tenths) left" } ?? "expired"
    }
    var names = Array("ZYXWVUTSRQPONMLKJIHGFEDCB")
    return { key in
      if key == "s" {
        let name = names.popLast() ?? "A"
        // region: session
        session.replace(with: name)
        // endregion
        lane.mark(.character(name))
        lane.setLineStyle(.idle)
        return
      }
      let isRenewed: Bool
      // region: session
      do {
        try session.renew()
        isRenewed = true
      } catch {  // TimeLimitedError.expired: sign in again
        isRenewed = false
      }
      // endregion
      lane.mark(isRenewed ? .character("+") : .ignored)
      publishedReader.mark(
        .character("+"), wrong: isRenewed ? nil : "renewed after its end")
      published.resetTimer(to: .seconds(2))
    }
  }
}

extension Lane {
  /// Shows, beside the lane, the number of reads that found a value.
  fileprivate func reading() -> Lane {
    setLineStyle(.none)
    setNote { [weak self] in
      guard let self else { return "" }
      let values = markCount - [.missed, .wrong, .character("+")].reduce(0) { $0 + count($1) }
      return "\(values) reads with a value"
    }
    return self
  }

  /// Marks a read of the published container, which is wrong if it has no value and the session has one.
  fileprivate func markRead(_ value: Character?, expecting expected: Character?) {
    let isWrong = value == nil && expected != nil && count(.wrong) == 0
    mark(value.map(LabMarkKind.character) ?? .missed, wrong: isWrong ? "not stored" : nil)
  }
}

/// Unsafe: the `TimeLimitedContainer` of “Design patterns for safe timer usage” as it is
/// printed there, with its mistakes. Here it has a ``DeadlineTimer``, which can run on virtual time, and a mutex in place of
/// its queue.
final class PublishedContainer<Value: Sendable>: Sendable {
  // region: published-container
  private let possibleValue: MutexBox<Value?>
  private let timer: DeadlineTimer
  private let clock: VirtualClock

  init(value: Value, lifetime: Duration, on clock: VirtualClock) {
    self.clock = clock
    possibleValue = MutexBox(nil)  // not `value`
    timer = DeadlineTimer(clock: .virtual(clock)) { [possibleValue] _, _ in
      possibleValue.value = nil
    }
    timer.schedule(at: clock.now.advanced(by: lifetime))
  }

  var value: Value? { possibleValue.value }

  func resetTimer(to lifetime: Duration) {  // no error after the deadline
    timer.schedule(at: clock.now.advanced(by: lifetime))
  }
  // endregion
}
