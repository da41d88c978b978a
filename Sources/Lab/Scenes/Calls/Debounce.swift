import Dashboard
import TimerKit

extension Scene {
  static let debounce = Scene(
    name: "debounce",
    keys: [.init("x", "press")],
    legend: [
      .init(.character("a"), "delivered"), .init(.dropped, "dropped"), .init(.waiting, "waiting"),
      .init(.wrong, "too old"),
    ],
    listings: [
      LabCode("a delay for each press", region: "delay-each", isCounterexample: true),
      LabCode("four debouncers", region: "debounce"),
    ],
    script: .presses, keyLane: nil
  ) { fixture in
    let takePress = fixture.pressLane()
    let delayed = fixture.lane("delay")
    let newest = MutexBox<Character>(" ")
    let debouncers = try [
      // region: debounce
      fixture.debouncer("trailing", edges: .trailing),
      fixture.debouncer("leading", edges: .leading),
      fixture.debouncer("both", edges: .both),
      fixture.debouncer("max 3 s", edges: .trailing, maxWait: .seconds(3)),
      // endregion
    ]
    delayed.setNote { "\(delayed.count(.wrong)) of \(delayed.markCount) too old" }
    var delays: [Repeater] = []
    return { _ in
      let press = takePress()
      newest.value = press
      delays.removeAll { $0.state == .finished }
      delays.append(
        // region: delay-each
        try Repeater.once(after: .seconds(1), clock: .virtual(fixture.clock)) { _, _ in
          delayed.markSearch(for: press, newest: newest.value)
        }
        // endregion
      )
      for debouncer in debouncers { debouncer(press) }
    }
  }
}

extension Script {
  /// A single press, a short run and a long run of presses.
  static let presses = Script("--x------x-xx-------x--x-xxx--xx-x------")
}

extension Fixture {
  /// Creates a debouncer with a lane.
  /// - Returns: A closure that calls it.
  fileprivate func debouncer(
    _ name: String, edges: DebounceEdges, maxWait: Duration? = nil
  ) throws(TimerConfigurationError) -> (Character) -> Void {
    let lane = lane(name)
    // region: debounce
    let debouncer = try Debouncer<Character>(
      delay: .seconds(1), edges: edges, maxWait: maxWait, clock: .virtual(clock)
    ) { _, press in lane.mark(.character(press)) }
    // endregion
    return lane.following(debouncer) {
      "0 of \(debouncer.snapshot.deliveredCount) too old"
    }
  }
}

extension Lane {
  fileprivate func markSearch(for press: Character, newest: Character) {
    mark(.character(press), wrong: press == newest ? nil : "a newer one has come")
  }

  /// Draws the calls of a debouncer or a throttler: delivered, waiting and dropped ones, with their numbers.
  /// - Parameters:
  ///   - keepsFirst: True if the first one of the waiting calls is kept, and not the newest one.
  ///   - note: The text beside the lane.
  /// - Returns: A closure that calls it.
  func following<Limiter: CallLimiter<Character>>(
    _ limiter: Limiter, keepsFirst: Bool = false, note: @escaping @Sendable () -> String
  ) -> (Character) -> Void {
    follow(limiter)
    setNote(note)
    var waitingSince: TimerClock.Instant?
    return { [self] press in
      let before = limiter.snapshot
      let since = before.pendingCount > 0 ? waitingSince : nil
      limiter.call(press)
      let now = limiter.snapshot
      if now.droppedCount > before.droppedCount {
        mark(.dropped, at: keepsFirst ? clock.now : since ?? clock.now)
      }
      waitingSince = now.pendingCount == 0 ? nil : keepsFirst ? since ?? clock.now : clock.now
    }
  }
}
