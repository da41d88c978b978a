import Dashboard
import TimerKit

extension Scene {
  static let throttle = Scene(
    name: "throttle",
    keys: [.init("x", "press")],
    legend: [
      .init(.character("a"), "delivered"), .init(.dropped, "dropped"), .init(.waiting, "waiting"),
      .init(.wrong, "too late"),
    ],
    listings: [
      LabCode("a throttle that is a debounce", region: "cancel-first", isCounterexample: true),
      LabCode("three throttlers", region: "throttle"),
    ],
    script: .presses, keyLane: nil
  ) { fixture in
    let takePress = fixture.pressLane()
    let byHand = fixture.lane("by hand")
    let throttlers = try [
      // region: throttle
      fixture.throttler("throttle", .fromDelivery, keeping: .latest),
      fixture.throttler("keep first", .fromDelivery, keeping: .first),
      fixture.throttler("deferred", .deferred, keeping: .latest),
      // endregion
    ]
    byHand.setNote { fixture.silenceNote(of: byHand) }
    let waiting = MutexBox<[TimerClock.Instant]>([])
    var timer: Repeater?
    return { _ in
      let press = takePress()
      waiting.value.append(fixture.clock.now)
      byHand.setLine(.waiting)
      // region: cancel-first
      timer?.cancel()
      timer = try .once(after: .seconds(1), clock: .virtual(fixture.clock)) { _, _ in
        byHand.markPress(press, of: waiting.exchange([]))
      }
      // endregion
      for throttler in throttlers { throttler(press) }
    }
  }
}

extension Fixture {
  /// Creates a throttler with a lane.
  /// - Returns: A closure that calls it.
  fileprivate func throttler(
    _ name: String, _ mode: ThrottleMode, keeping kept: KeptValue
  ) throws(TimerConfigurationError) -> (Character) -> Void {
    let lane = lane(name)
    // region: throttle
    let throttler = try Throttler<Character>(
      interval: .seconds(1), mode: mode, keeping: kept, clock: .virtual(clock)
    ) { _, press in lane.mark(.character(press)) }
    // endregion
    return lane.following(throttler, keepsFirst: kept == .first) { [weak self, lane] in
      self?.silenceNote(of: lane) ?? ""
    }
  }
}

extension Fixture {
  /// Returns the longest time for which presses waited for a delivery, as text.
  fileprivate func silenceNote(of lane: Lane) -> String {
    let isLetter = { (kind: LabMarkKind) in if case .character = kind { true } else { false } }
    var presses = (lanes.first?.times(where: isLetter) ?? [])[...]
    var longest = Duration.zero
    for delivery in lane.times(where: isLetter) {
      let waiting = presses.prefix { $0 <= delivery }
      if let first = waiting.first { longest = max(longest, delivery - first) }
      presses = presses.dropFirst(waiting.count)
    }
    return "\(longest.tenths) silent"
  }
}

extension Lane {
  /// Marks the delivery of the last one of several presses, which is too late if the first one has waited for more than
  /// an interval.
  fileprivate func markPress(_ press: Character, of waiting: [TimerClock.Instant]) {
    setLine(.idle)
    for dropped in waiting.dropLast() { mark(.dropped, at: dropped) }
    mark(.character(press))
    let wait = waiting.first.map { $0.duration(to: clock.now) } ?? .zero
    if wait > .seconds(1) { mark(.wrong, wrong: "after \(wait.tenths)") }
  }
}
