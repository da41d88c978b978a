import Foundation
import Testing
import TimerKit

/// The encoded form of what a program saves. It is a part of the interface: a later version must read it.
@Suite struct CodingTests {
  private static let takenAt = WallInstant(nanosecondsSince1970: 7)

  private func check<Value: Codable & Equatable>(_ value: Value, _ text: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(value), as: UTF8.self) == text)
    #expect(try JSONDecoder().decode(Value.self, from: Data(text.utf8)) == value)
  }

  @Test func aCheckpointOfAnIntervalIsStable() throws {
    try check(
      Repeater.Checkpoint(
        configuration: .init(
          .interval(.seconds(2)), mode: .finite(3), tolerance: .milliseconds(1),
          missedTicks: .burst(limit: 4)),
        clock: .continuous, state: .paused, remainingIterations: 2, timeLeft: .seconds(1),
        takenAt: Self.takenAt),
      #"{"clock":"continuous","configuration":{"missedTicks":{"limit":4,"policy":"burst"},"#
        + #""mode":{"count":3},"timing":{"interval":[0,2000000000000000000]},"#
        + #""tolerance":[0,1000000000000000]},"remainingIterations":2,"state":"paused","#
        + #""takenAt":{"nanosecondsSince1970":7},"timeLeft":[0,1000000000000000000]}"#)
  }

  @Test func startDelayAndJitterAreStable() throws {
    try check(
      Repeater.Configuration(
        .interval(.seconds(2)), startingAfter: .zero, jitter: .seconds(1)),
      #"{"jitter":[0,1000000000000000000],"missedTicks":{"policy":"skip"},"mode":{"count":null},"#
        + #""startDelay":[0,0],"timing":{"interval":[0,2000000000000000000]},"tolerance":[0,0]}"#)
  }

  @Test func aCheckpointOfAScheduleIsStable() throws {
    try check(
      Repeater.Checkpoint(
        configuration: .init(.schedule(.weekdays(.mondayToFriday, hour: 9, minute: 55))),
        clock: .wall, state: .idle, remainingIterations: nil, timeLeft: nil,
        takenAt: Self.takenAt),
      #"{"clock":"wall","configuration":{"missedTicks":{"policy":"skip"},"mode":{"count":null},"#
        + #""timing":{"schedule":{"hour":9,"minute":55,"second":0,"weekdays":31}},"#
        + #""tolerance":[0,0]},"state":"idle","takenAt":{"nanosecondsSince1970":7}}"#)
  }

  @Test func aCheckpointOfACycleIsStable() throws {
    try check(
      Cycle.Checkpoint(
        configuration: .init([.init("work", .seconds(3))], rounds: 2), state: .running,
        phaseIndex: 1, timeLeft: .seconds(1), takenAt: Self.takenAt),
      #"{"clock":"suspending","configuration":{"includesFinalRest":false,"#
        + #""phases":[{"duration":[0,3000000000000000000],"name":"work"}],"rounds":2,"#
        + #""tolerance":[0,0]},"phaseIndex":1,"state":"running","#
        + #""takenAt":{"nanosecondsSince1970":7},"timeLeft":[0,1000000000000000000]}"#)
  }

  @Test func aCheckpointOfAStopwatchIsStable() throws {
    try check(
      Stopwatch.Checkpoint(
        state: .running, elapsed: .seconds(3),
        laps: [.init(number: 1, time: .seconds(1), total: .seconds(1))], alarmTime: .seconds(9),
        takenAt: Self.takenAt),
      #"{"alarmHasFired":false,"alarmTime":[0,9000000000000000000],"clock":"suspending","#
        + #""elapsed":[0,3000000000000000000],"laps":[{"number":1,"#
        + #""time":[0,1000000000000000000],"total":[0,1000000000000000000]}],"#
        + #""state":"running","takenAt":{"nanosecondsSince1970":7}}"#)
  }

  @Test func modesAndPoliciesAreStable() throws {
    try check([Repeater.Mode.once, .infinite], #"[{"count":1},{"count":null}]"#)
    try check(
      [Repeater.MissedTicks.skip, .delay, .burst(limit: 2)],
      #"[{"policy":"skip"},{"policy":"delay"},{"limit":2,"policy":"burst"}]"#)
    try check(
      [ThrottleMode.fromDelivery, .fromDelivery(firstAtOnce: false), .deferred],
      #"[{"firstAtOnce":true,"mode":"fromDelivery"},{"firstAtOnce":false,"mode":"fromDelivery"},"#
        + #"{"mode":"deferred"}]"#)
    try check(KeptValue.allCases, #"["first","latest","nothing"]"#)
  }

  @Test(arguments: [#"{}"#, #"{"policy":"later"}"#, #"{"policy":"burst"}"#, #""skip""#])
  func anUnknownPolicyIsAnError(_ text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Repeater.MissedTicks.self, from: Data(text.utf8))
    }
  }

  @Test(arguments: [#"{}"#, #"{"count":"many"}"#, #"{"count":1.5}"#, #"3"#])
  func anUnknownModeIsAnError(_ text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Repeater.Mode.self, from: Data(text.utf8))
    }
  }
}
