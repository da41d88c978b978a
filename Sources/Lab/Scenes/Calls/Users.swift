import Dashboard
import TimerKit

extension Scene {
  static let users = Scene(
    name: "users",
    keys: [.init("x", "request of A"), .init("u", "of B"), .init("d", "of C")],
    legend: [
      .init(.character("A"), "allowed"), .init(.dropped, "refused: a second request within 1 s"),
      .init(.wrong, "refused for another user's request"),
    ],
    listings: [
      LabCode("one limit for all", region: "one-limit", isCounterexample: true),
      LabCode("a limit for each user", region: "keyed"),
    ],
    script: Script("-xxxuxxx-xdxxx-xuxxdxx-xxxxuxxxxdxx-----"), keyLane: nil
  ) { fixture in
    let requests = fixture.lane("you", isInput: true)
    let shared = fixture.lane("one limit")
    let keyed = fixture.lane("per user")
    // region: one-limit
    let limit = try Throttler<Void>(
      interval: .seconds(1), keeping: .nothing, clock: .virtual(fixture.clock))
    // endregion
    // region: keyed
    let limits = try KeyedThrottler<Character, Void>(
      interval: .seconds(1), keeping: .nothing, clock: .virtual(fixture.clock))
    // endregion
    for lane in [shared, keyed] {
      lane.setNote {
        "allowed A \(lane.count(.character("A"))), "
          + "B \(lane.count(.character("B"))), C \(lane.count(.character("C")))"
      }
    }
    var newest: [Character: TimerClock.Instant] = [:]
    return { key in
      let user: Character = key == "x" ? "A" : key == "u" ? "B" : "C"
      let now = fixture.clock.now
      let isFree = newest[user].map { $0.duration(to: now) >= .seconds(1) } ?? true
      requests.mark(.character(user))
      // region: one-limit
      let isAllowed = limit.call()
      // endregion
      if isAllowed { newest[user] = now }
      shared.mark(
        isAllowed ? .character(user) : .dropped,
        wrong: isFree && !isAllowed ? "\(user) refused" : nil)
      // region: keyed
      let isAllowedForUser = limits.call(for: user)
      // endregion
      keyed.mark(isAllowedForUser ? .character(user) : .dropped)
    }
  }
}
