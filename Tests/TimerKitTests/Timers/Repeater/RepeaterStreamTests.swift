import Dispatch
import Testing

@testable import TimerKit

@Suite struct RepeaterStreamTests {
  let clock = VirtualClock()

  private func make() throws -> Repeater {
    try Repeater(interval: .seconds(1), mode: .finite(2), clock: .virtual(clock)) { _, _ in }
  }

  @Test func deliversEventsInOrderAndEndsWithTheTimer() async throws {
    let timer = try make()
    let events = timer.events()
    timer.start()
    await clock.advance(by: .seconds(5))
    timer.cancel()
    var names: [String] = []
    for await event in events {
      if case .state(_, let new) = event {
        names.append("\(new)")
      } else {
        names.append(event.name)
      }
    }
    #expect(
      names == [
        "running", "tick", "tick", "finished", "cancelled",
      ])
  }

  /// Nothing is delivered in the meantime, and the memory must stay bounded.
  @Test func aSuspendedQueueKeepsTheNewestEventsOnly() throws {
    let queue = DispatchQueue(label: "suspended")
    let timer = try Repeater(interval: .seconds(100), queue: queue) { _, _ in }
    let received = Recorder<Repeater.Event>()
    timer.observe { _, event in received.append(event) }
    queue.suspend()
    for round in 1...10_000 {
      timer.start()
      timer.pause()
      #expect(timer.droppedEventCount == max(0, 2 * round - 1024))
    }
    #expect(
      timer.storage.readGuardedState { $0.observers.additional.value.pendingEvents.capacity } <= 4
        * 1024
    )
    queue.resume()
    queue.sync {}
    #expect(received.count == 1024)
    #expect(received.all.last == .state(from: .running, to: .paused))
    #expect(timer.droppedEventCount == 20_000 - 1024)
    timer.start()
    queue.sync {}
    #expect(received.all.last == .state(from: .paused, to: .running))
  }

  @Test func endsWhenTheTimerIsReleased() async throws {
    var timer: Repeater? = try make()
    let events = try #require(timer?.events())
    timer?.start()
    timer = nil
    var states: [TimerState] = []
    for await case .state(_, let new) in events { states.append(new) }
    #expect(states == [.running, .cancelled])
  }

  /// Also if the queue has not delivered it when the timer is released.
  @Test func receivesNoEventFromBeforeItsCreation() async throws {
    let queue = DispatchQueue(label: "suspended")
    queue.suspend()
    var timer: Repeater? = try Repeater(interval: .seconds(100), queue: queue) { _, _ in }
    let first = timer?.events()
    timer?.start()
    let events = try #require(timer?.events())
    timer = nil
    queue.resume()
    var states: [TimerState] = []
    for await case .state(_, let new) in events { states.append(new) }
    #expect(states == [.cancelled])
    withExtendedLifetime(first) {}
  }

  @Test func endsImmediatelyOnACancelledTimer() async throws {
    let timer = try make()
    timer.cancel()
    for await _ in timer.events() { Issue.record("an event of a cancelled timer") }
  }

  @Test func twoStreamsReceiveTheSameEvents() async throws {
    let timer = try make()
    let streams = [timer.events(), timer.events()]
    timer.start()
    await clock.advance(by: .seconds(2))
    timer.cancel()
    var received: [[Repeater.Event]] = []
    for stream in streams {
      var events: [Repeater.Event] = []
      for await event in stream { events.append(event) }
      received.append(events)
    }
    #expect(received[0] == received[1])
    #expect(received[0].count == 5)
  }
}
