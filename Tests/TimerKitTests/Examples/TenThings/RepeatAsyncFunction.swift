import Testing
import TimerKit

/// 6. A store reloads every five minutes; runs of a slow reload do not overlap.
private actor NewsStore {
  private(set) var log: [String] = []
  let clock: TimerClock

  init(clock: TimerClock = .suspending) {
    self.clock = clock
  }

  nonisolated func refresh() throws -> Repeater {
    try Repeater.every(.minutes(5), clock: clock, overlap: .skip) { [weak self] _, tick in
      await self?.reload(tick)
    }
  }

  private func reload(_ tick: Repeater.Tick) async {
    log.append("reload, \(tick.missedCount) skipped")
    try? await clock.sleep(for: .minutes(7))
  }
}

@Test func repeatAnAsyncFunction() async throws {
  let clock = VirtualClock()
  let store = NewsStore(clock: .virtual(clock))
  let refresh = try store.refresh()
  await clock.advance(by: .minutes(20))
  #expect(await store.log == ["reload, 0 skipped", "reload, 1 skipped"])
  await refresh.cancelAndWait()
}
