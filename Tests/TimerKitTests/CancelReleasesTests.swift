import Dispatch
import Testing

@testable import TimerKit

/// `cancel()` lets go of the handler and of all observers, as a dispatch source does, although somebody
/// still has the timer.
@Suite(.timeLimit(.minutes(1))) struct CancelReleasesTests {
  let census = Census()
  let timeline = VirtualTimeline()
  let told = Recorder<String>()

  private var member: Census.Member { Census.Member(census) }

  private func repeater(_ queue: DispatchQueue? = nil) throws -> Repeater {
    let timeline: any Timeline = queue == nil ? timeline : SystemTimeline.uptime
    return try Repeater(every: .milliseconds(1), on: timeline, queue: queue) { [member] _, _ in
      withExtendedLifetime(member) {}
    }
  }

  /// Four of its callbacks capture something: the handler, two observers, a change of state.
  private func observe<Timer: PausableTimer>(_ timer: Timer) {
    for _ in 0..<2 {
      timer.observe { [member, told] _, event in
        withExtendedLifetime(member) {}
        if case .state(_, let state) = event { told.append("\(state)") }
      }
    }
    timer.onStateChanged = { [member] _, _, _ in withExtendedLifetime(member) {} }
  }

  private func check<Timer: PausableTimer>(_ timer: Timer) throws {
    observe(timer)
    try timer.start()
    #expect(census.living == 4)
    timer.cancel()
    #expect(census.living == 0)
    #expect(told.all.suffix(2) == ["cancelled", "cancelled"])
    #expect(timer.onStateChanged == nil)
    // What comes later is not called, so it is not kept.
    observe(timer)
    #expect(census.living == 0)
  }

  @Test func everyKindThatCanBeCancelled() throws {
    try check(repeater())
    try check(
      Countdown(from: 3, every: .seconds(1), on: timeline) { [member] _, _ in
        withExtendedLifetime(member) {}
      })
    try check(
      Cycle([.init("a", .seconds(1))], on: timeline) { [member] _, _ in
        withExtendedLifetime(member) {}
      })
    try check(
      Stopwatch(on: timeline) { [member] _, _ in withExtendedLifetime(member) {} })
    let alarm = Alarm(on: timeline) { [member] _, _ in withExtendedLifetime(member) {} }
    #expect(census.living == 1)
    alarm.cancel()
    #expect(census.living == 0)
  }

  @Test func cancelAndWaitReleasesToo() throws {
    let timer = try repeater(DispatchQueue(label: "waits"))
    try timer.start()
    timer.cancelAndWait()
    #expect(census.living == 0)
  }

  /// A handler that is set in place of the first is one of them.
  @Test func aHandlerThatIsSetLater() throws {
    let timer = try repeater()
    timer.setHandler { [member] _, _ in withExtendedLifetime(member) {} }
    #expect(census.living == 1)
    timer.cancel()
    timer.setHandler { [member] _, _ in withExtendedLifetime(member) {} }
    #expect(census.living == 0)
  }

  /// The handler is in use until it returns.
  @Test func aHandlerThatCancelsFinishes() throws {
    let timer = try Repeater(every: .milliseconds(1), on: timeline) {
      [member, census, told] timer, _ in
      timer.cancel()
      told.append("\(census.living)")
      withExtendedLifetime(member) {}
    }
    try timer.start()
    timeline.advance(by: .milliseconds(1))
    #expect(told.all == ["1"])
    #expect(census.living == 0)
  }

  @Test func aHandlerThatRunsElsewhereFinishes() throws {
    let queue = DispatchQueue(label: "elsewhere")
    let (begun, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let timer = try Repeater(every: .microseconds(10), queue: queue) { [member] _, _ in
      begun.signal()
      goOn.wait()
      withExtendedLifetime(member) {}
    }
    try timer.start()
    begun.wait()
    timer.cancel()
    #expect(census.living == 1)
    goOn.signal()
    timer.cancelAndWait()
    #expect(census.living == 0)
  }

  /// Streams are told of the end first.
  @Test func streamsEndWithTheLastState() async throws {
    let queue = DispatchQueue(label: "suspended")
    let timer = try repeater(queue)
    let events = timer.events()
    queue.suspend()
    try timer.start()
    timer.cancel()
    #expect(census.living == 1)
    queue.resume()
    var states: [Repeater.State] = []
    for await case .state(_, let state) in events { states.append(state) }
    #expect(states == [.running, .cancelled])
    queue.sync {}
    #expect(census.living == 0)
  }

  /// What is released can use the timer: its mutex is free then.
  @Test func releasingUsesTheTimer() throws {
    final class User: Sendable {
      let timer = Guarded<Repeater?>(nil)
      let told: Recorder<String>
      init(_ told: Recorder<String>) { self.told = told }
      deinit { told.append(timer.withLock { $0 }?.state.description ?? "none") }
    }
    var user: User? = User(told)
    let timer = try Repeater(every: .seconds(1), on: timeline) { [user] _, _ in
      withExtendedLifetime(user) {}
    }
    user?.timer.withLock { $0 = timer }
    user = nil
    timer.cancel()
    #expect(told.all == ["cancelled"])
  }
}
