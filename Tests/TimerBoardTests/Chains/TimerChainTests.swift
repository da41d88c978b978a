import Testing
import TimerKit

@testable import TimerBoard

/// Chains that are advanced over the time in which the program was not running.
@Suite struct TimerChainTests {
  private static let start = WallInstant(nanosecondsSince1970: 1_795_260_946_000_000_000)

  private func saved(_ words: String) throws -> [SavedTimer] {
    let start = ClockReading(wall: Self.start)
    return SavedTimer.timers(try TimerSpec.parse(arguments: [words]), at: start)
  }

  private func catchUp(_ timers: [SavedTimer], for time: Duration) -> OfflineCatchUp {
    OfflineCatchUp(of: timers, .catchUp, until: ClockReading(wall: Self.start.advanced(by: time)))
  }

  /// A day has one noon, so a round of two takes two days, whenever it begins.
  @Test func aLoopFollowsTheTimeOfDay() throws {
    let timers = try saved("a=1m then d d=daily 12:00 x2 then a")
    #expect(catchUp(timers, for: .days(100)).fires == [51, 100])
  }

  @Test func theRoundsOfACountAreNotRepeated() throws {
    let later = catchUp(try saved("a=1s then b x3 b=1s paused then a"), for: .days(1))
    #expect(later.fires == [3, 3] && later.timers.map(\.state) == [.finished, .finished])
  }

  /// Two runs are in the loop, and both wait before `a`.
  @Test func aLoopThatWaitsIsNotRepeated() throws {
    let timers = try saved(
      "s=5s then a a=2s then b b=3s paused then c c=4s paused then a wait")
    let later = catchUp(timers, for: .hours(1))
    #expect(later.fires == [1, 2, 2, 2])
    #expect(later.timers.map(\.state) == [.finished, .paused, .finished, .finished])
  }

  /// `b` fires at 4 s and 8 s, and is restarted at 10 s.
  @Test func aRestartedTimerKeepsItsFires() throws {
    let later = catchUp(try saved("a=10s then b b=every 4s x5"), for: .seconds(12))
    #expect(later.fires == [1, 2])
  }

  /// The head is given by its identifier, also after timers outside of the chain.
  @Test func aRunBelongsToItsHead() throws {
    let later = catchUp(try saved("tea=1h a=4s then b x3 b=1m paused"), for: .seconds(10))
    #expect(later.timers.map(\.chain.head) == [nil, nil, TimerID(2)])
    #expect(later.timers[1].roundsLeft == 2)
  }

  /// After 100 000 starts the chain continues from now, and what has ended is not overdue.
  @Test func aDelayedChainEndsNow() throws {
    let later = catchUp(try saved("a=1s then b x200000 b=1s paused"), for: .days(365))
    let now = ClockReading(wall: Self.start.advanced(by: .days(365)))
    #expect(later.delayed == [1] && later.fires == [50_001, 50_000])
    #expect(later.timers[0].state == .finished && !later.timers[0].hasAlert)
    #expect(later.timers[1].state == .running && later.timers[1].timeText(at: now) == "0:01")
  }

  /// The 100 000th start is in the first round: 19 timers start 5263 each, `a` among them, and then the
  /// loop starts three.
  @Test func aDelayedLoopContinuesNow() throws {
    let starters = (0..<19).map { "s\($0)=1s then g" }.joined(separator: " ")
    let timers = try saved(
      "a=10s group g then b b=10s paused then c c=10s paused then a " + starters)
    let members = Array(repeating: try saved("1h paused group g")[0], count: 5262)
    let later = catchUp(timers + members, for: .days(1))
    let now = ClockReading(wall: Self.start.advanced(by: .days(1)))
    #expect(later.delayed == [1] && Array(later.fires[..<3]) == [2, 1, 1])
    #expect(later.timers[1].timeText(at: now) == "0:10")
  }
}
