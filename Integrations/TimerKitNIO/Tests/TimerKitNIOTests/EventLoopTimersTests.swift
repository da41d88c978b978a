import NIOCore
import NIOEmbedded
import NIOPosix
import Testing
import TimerKit
import TimerKitNIO

@Suite struct EventLoopTimersTests {
  typealias Timers = EventLoopTimers<Int, Repeater.Value>

  private let loop = EmbeddedEventLoop()

  private final class Log {
    var entries: [String] = []
  }

  private func timer(
    _ seconds: Int64, _ mode: Repeater.Mode = .once, tolerance: Duration = .zero, of timers: Timers
  ) throws -> Repeater.Value {
    var timer = try Repeater.Value(interval: .seconds(seconds), mode: mode, tolerance: tolerance)
    timer.start(at: timers.now)
    return timer
  }

  @Test func timersFireOnTheLoop() throws {
    let log = Log()
    let timers = Timers(on: loop) { timers, id, tick in
      log.entries.append("\(id) at \(timers.now.nanoseconds / 1_000_000_000), \(tick.iteration)")
    }
    timers[1] = try timer(3, .finite(2), of: timers)
    timers[2] = try timer(4, of: timers)
    loop.advanceTime(by: .seconds(3))
    #expect(log.entries == ["1 at 3, 1"])
    loop.advanceTime(by: .seconds(10))
    #expect(log.entries == ["1 at 3, 1", "2 at 4, 1", "1 at 6, 2"])
    #expect(timers[2]?.state == .finished && timers.count == 2)
  }

  @Test func timeoutsAreDeferredAndBroughtForward() throws {
    let log = Log()
    let timers = Timers(on: loop) { timers, id, _ in
      log.entries.append("\(id)")
      timers[id] = nil
    }
    timers[1] = try timer(10, of: timers)
    timers[2] = try timer(20, of: timers)
    for _ in 0..<5 {
      loop.advanceTime(by: .seconds(9))
      timers[1]?.restart(at: timers.now)
    }
    // 2 was due at 20, 1 is due at 55.
    #expect(log.entries == ["2"] && timers.count == 1)
    timers[3] = try timer(1, of: timers)
    loop.advanceTime(by: .seconds(9))
    #expect(log.entries == ["2", "3"])
    loop.advanceTime(by: .seconds(1))
    #expect(log.entries == ["2", "3", "1"] && timers.count == 0)
  }

  @Test func timersWithAToleranceShareAWakeUp() throws {
    let log = Log()
    let timers = Timers(on: loop) { timers, id, _ in
      log.entries.append("\(id) at \(timers.now.nanoseconds / 1_000_000_000)")
    }
    timers[1] = try timer(10, tolerance: .seconds(5), of: timers)
    timers[2] = try timer(12, of: timers)
    loop.advanceTime(by: .seconds(100))
    #expect(log.entries == ["1 at 12", "2 at 12"])
  }

  @Test func aHandlerThatRestartsItsTimerAtOnceLeavesTheLoopItsTurn() throws {
    let log = Log()
    let timers = Timers(on: loop) { timers, id, _ in
      log.entries.append("\(id)")
      if log.entries.count < 2_500 { timers[id]?.restart(at: timers.now) }
    }
    timers[1] = try timer(0, of: timers)
    loop.run()
    loop.advanceTime(by: .nanoseconds(1))
    #expect(log.entries.count == 2_500)
  }

  @Test func theLoopDoesNotKeepTheTimers() throws {
    weak var reference: Timers?
    do {
      let timers = Timers(on: loop) { _, _, _ in Issue.record("fired") }
      timers[1] = try timer(3, of: timers)
      reference = timers
    }
    #expect(reference == nil)
    loop.advanceTime(by: .seconds(5))
  }
}

@Suite struct RealEventLoopTests {
  typealias Timers = EventLoopTimers<Int, Repeater.Value>

  @Test func timersFireOnItsThread() async throws {
    let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
    let fired = eventLoop.makePromise(of: Int.self)
    let timers = try await eventLoop.submit {
      let timers = Timers(on: eventLoop) { _, id, _ in fired.succeed(id) }
      var timer = try Repeater.Value(interval: .milliseconds(1), mode: .once)
      timer.start(at: timers.now)
      timers[7] = timer
      return NIOLoopBound(timers, eventLoop: eventLoop)
    }.get()
    #expect(try await fired.futureResult.get() == 7)
    let state = try await eventLoop.submit { timers.value[7]?.state }.get()
    #expect(state == .finished)
  }
}
