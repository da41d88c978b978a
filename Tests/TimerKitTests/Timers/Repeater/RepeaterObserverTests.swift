import Dispatch
import Testing

@testable import TimerKit

@Suite struct RepeaterObserverTests {
  let clock = VirtualClock()
  let log = Recorder<String>()

  private func make(_ mode: Repeater.Mode = .infinite) throws -> Repeater {
    try Repeater(interval: .seconds(1), mode: mode, clock: .virtual(clock)) { [log] _, tick in
      log.append("handler \(tick.iteration)")
    }
  }

  @Test func observersAreCalledInOrderOfAddition() throws {
    let timer = try make()
    for name in ["a", "b", "c", "d"] {
      timer.observe { [log] _, event in if case .delivery = event { log.append(name) } }
    }
    timer.onStateChanged = { [log] _, old, new in log.append("\(old)>\(new)") }
    timer.start()
    clock.advance(by: .seconds(1))
    #expect(
      log.all == [
        "idle>running", "handler 1", "a", "b", "c", "d",
      ])
  }

  @Test func aRemovedObserverIsNotCalledForTheSameTick() throws {
    let timer = try make()
    let tokens = Recorder<ObserverToken>()
    timer.observe { [log] timer, event in
      guard case .delivery = event else { return }
      log.append("remover")
      for token in tokens.all { #expect(timer.removeObserver(token)) }
    }
    let removed = timer.observe { [log] _, _ in log.append("removed") }
    timer.observe { [log] _, event in if case .delivery = event { log.append("kept") } }
    tokens.append(removed)
    timer.fire()
    #expect(log.all == ["handler 1", "remover", "kept"])
    #expect(!timer.removeObserver(removed))
  }

  @Test func anObserverAddedInAHandlerReceivesTheNextEvent() throws {
    let timer = try make()
    timer.observe { [log] timer, event in
      guard case .delivery = event else { return }
      timer.observe { _, event in log.append("new \(event.name)") }
      timer.start()
    }
    timer.fire()
    #expect(log.all == ["handler 1", "new state"])
  }

  @Test func anObserverReceivesNoEventFromBeforeItsAddition() throws {
    let queue = DispatchQueue(label: "suspended")
    queue.suspend()
    let timer = try Repeater(interval: .days(1), queue: queue) { _, _ in }
    timer.observe { [log] _, event in log.append("first \(event.name)") }
    timer.start()
    timer.observe { [log] _, event in log.append("second \(event.name)") }
    timer.pause()
    queue.resume()
    while log.count < 3 { queue.sync {} }
    #expect(log.all == ["first state", "first state", "second state"])
  }

  /// The fire uses up no iteration.
  @Test func anObserverOfAnEarlierEventCanRevokeAFire() throws {
    let timer = try make(.finite(2))
    timer.observe { timer, event in
      if case .state(from: .idle, _) = event { timer.pause() }
    }
    let starter = DeadlineTimer(clock: .virtual(clock)) { _, _ in
      timer.start()
      timer.fire()
    }
    starter.schedule(after: .seconds(1))
    clock.advance(by: .seconds(1))
    let snapshot = timer.snapshot
    #expect(log.count == 0 && snapshot.deliveredCount == 0 && snapshot.staleCount == 1)
    #expect(snapshot.remainingIterations == 2)
  }

  @Test func setHandlerKeepsItsPosition() throws {
    let timer = try make()
    timer.observe { [log] _, event in if case .delivery = event { log.append("observer") } }
    timer.setHandler { [log] _, _ in log.append("second handler") }
    timer.fire()
    #expect(log.all == ["second handler", "observer"])
  }

  @Test func setHandlerAfterRemovalAppendsTheHandler() throws {
    let timer = try make()
    timer.removeAllObservers()
    timer.observe { [log] _, event in if case .delivery = event { log.append("observer") } }
    timer.setHandler { [log] _, _ in log.append("handler") }
    timer.fire()
    #expect(log.all == ["observer", "handler"])
  }

  @Test func onStateChangedCanBeReplacedAndRemoved() throws {
    let timer = try make()
    #expect(timer.onStateChanged == nil)
    timer.onStateChanged = { [log] _, _, new in log.append("first \(new)") }
    timer.start()
    timer.onStateChanged = { [log] _, _, new in log.append("second \(new)") }
    timer.pause()
    timer.onStateChanged = nil
    #expect(timer.onStateChanged == nil)
    timer.start()
    #expect(log.all == ["first running", "second paused"])
  }

  @Test func removeAllAndPauseIsAtomic() throws {
    let timer = try make()
    timer.observe { [log] _, event in log.append(event.name) }
    timer.onStateChanged = { [log] _, _, _ in log.append("state changed") }
    let stream = timer.events()
    timer.start()
    let before = log.count
    timer.removeAllObservers(pausing: true)
    #expect(timer.state == .paused)
    #expect(timer.onStateChanged == nil)
    timer.fire()
    #expect(log.count == before)
    withExtendedLifetime(stream) {}
    timer.cancel()
    timer.removeAllObservers(pausing: true)
  }

  @Test func staleFiresAreReportedAndCounted() throws {
    let timer = try make()
    timer.observe { [log] timer, event in
      log.append(event.name)
      if case .delivery = event, log.count < 9 {
        timer.fire()
        timer.pause()
      }
    }
    timer.start()
    clock.advance(by: .seconds(1))
    #expect(log.all == ["state", "handler 1", "tick", "state", "stale"])
    #expect(timer.snapshot.staleCount == 1)
  }

  /// After `cancel()`, `pause()` or `reset()` on the timer's queue, no handler of the old schedule runs,
  /// including handlers that have not yet received the current tick.
  @Test(
    arguments: [
      { @Sendable timer in timer.cancel() }, { $0.pause() }, { $0.reset() },
    ] as [@Sendable (Repeater) -> ControlResult])
  func aControlInAHandlerSkipsLaterObservers(
    _ control: @escaping @Sendable (Repeater) -> ControlResult
  ) throws {
    let timer = try make()
    timer.setHandler { timer, _ in #expect(control(timer) == .changed) }
    timer.observe { [log] _, event in log.append(event.name) }
    timer.start()
    timer.fire()
    #expect(log.all == ["state", "state"])
    #expect(timer.snapshot.deliveredCount == 1)
  }

  @Test func handlersAreNeverNested() throws {
    let timer = try make()
    timer.setHandler { [log, clock] timer, tick in
      log.append("in \(tick.iteration)")
      if tick.iteration < 3 {
        timer.fire()
        clock.advance(by: .seconds(10))
      }
      log.append("out \(tick.iteration)")
    }
    timer.fire()
    #expect(log.all == ["in 1", "out 1", "in 2", "out 2", "in 3", "out 3"])
    #expect(clock.now == clock.instant(20_000_000_000))
  }
}

extension TimerEvent {
  var name: String {
    switch self {
    case .state: "state"
    case .delivery: "tick"
    case .stale: "stale"
    }
  }
}
