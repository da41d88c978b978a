import Synchronization
import Testing
import TimerKit

@Suite struct HeartbeatTests {
  @Test func sendsTwiceAMinute() throws {
    let clock = VirtualClock(.continuous)
    let counter = Counter()
    let heartbeat = try Heartbeat(clock: .virtual(clock)) { counter.increment() }
    heartbeat.start()
    clock.advance(by: .hours(1))
    #expect(counter.value == 120)
  }

  @Test func aPauseKeepsTheTimeLeft() throws {
    let clock = VirtualClock(.continuous)
    let counter = Counter()
    let heartbeat = try Heartbeat(clock: .virtual(clock)) { counter.increment() }
    heartbeat.start()
    clock.advance(by: .seconds(40))
    heartbeat.pause()
    clock.advance(by: .hours(1))
    heartbeat.start()
    clock.advance(by: .seconds(19))
    #expect(counter.value == 1)
    clock.advance(by: .seconds(1))
    #expect(counter.value == 2)
  }
}

final class Counter: Sendable {
  private let count = Mutex(0)
  var value: Int { count.withLock { $0 } }
  func increment() { count.withLock { $0 += 1 } }
}
