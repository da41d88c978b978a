import Dashboard
import TimerBoard
import TimerKit

extension Scene {
  static let session = Scene(
    name: "session",
    keys: [.init("x", "renew"), .init("s", "sign in again")],
    legend: [
      .init(.held, "value is there"), .init(.character("+"), "more time"),
      .init(.ended, "expired"), .init(.ignored, "refused"),
      .init(.wrong, "accepted, although it has expired"),
    ],
    listings: [
      LabCode(
        "the container of an article", region: "published-container", isCounterexample: true),
      LabCode("a value with a lifetime", region: "session"),
    ],
    script: Script("-----x-----x-----------x-s----x---------")
  ) { fixture in
    let lane = fixture.lane("session")
    let byHand = fixture.lane("by hand")
    for lane in [lane, byHand] { lane.setLine(.held, word: "A") }
    // region: session
    let session = try TimeLimited<Character>(
      "A", for: .seconds(2), clock: .virtual(fixture.clock)
    ) { _, _ in
      lane.expire()
    }
    // endregion
    let published = PublishedContainer(
      value: Character("A"), lifetime: .seconds(2), on: fixture.clock
    ) { byHand.expire() }
    for lane in [lane, byHand] {
      lane.setNote { counted(lane.count(.wrong), "late renewal") + " accepted" }
    }
    var names = Array("ZYXWVUTSRQPONMLKJIHGFEDCB")
    return { key in
      if key == "s" {
        let name = names.popLast() ?? "A"
        // region: session
        session.replace(with: name)
        // endregion
        published.replace(with: name, lifetime: .seconds(2))
        for lane in [lane, byHand] { lane.setLine(.held, word: "\(name)") }
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
      lane.mark(isRenewed ? .character("+") : .ignored, word: isRenewed ? "" : "refused")
      byHand.mark(.character("+"), wrong: isRenewed ? nil : "renewed after its end")
      published.resetTimer(to: .seconds(2))
    }
  }
}

extension Lane {
  fileprivate func expire() {
    mark(.ended, word: "expired")
    setLine(.none)
  }
}

/// Unsafe: the `TimeLimitedContainer` of “Design patterns for safe timer usage” as it is
/// printed there, with its mistake. Here it has a ``DeadlineTimer``, which can run on virtual time, and a mutex in place of
/// its queue.
final class PublishedContainer<Value: Sendable>: Sendable {
  // region: published-container
  private let possibleValue: MutexBox<Value?>
  private let timer: DeadlineTimer
  private let clock: VirtualClock

  init(
    value: Value, lifetime: Duration, on clock: VirtualClock,
    onExpiration: @escaping @Sendable () -> Void
  ) {
    self.clock = clock
    possibleValue = MutexBox(value)
    timer = DeadlineTimer(clock: .virtual(clock)) { [possibleValue] _, _ in
      guard possibleValue.exchange(nil) != nil else { return }
      onExpiration()
    }
    timer.schedule(at: clock.now.advanced(by: lifetime))
  }

  var value: Value? { possibleValue.value }

  func resetTimer(to lifetime: Duration) {  // no error after the deadline
    timer.schedule(at: clock.now.advanced(by: lifetime))
  }
  // endregion

  /// Stores a new value.
  func replace(with value: Value, lifetime: Duration) {
    possibleValue.value = value
    resetTimer(to: lifetime)
  }
}
