import Foundation
import Testing

@testable import TimerKit

@Suite struct WallInstantTests {
  private func instant(_ nanoseconds: Int64) -> WallInstant {
    WallInstant(nanosecondsSince1970: nanoseconds)
  }

  @Test func arithmeticIsInNanoseconds() {
    #expect(instant(5).advanced(by: .nanoseconds(7)) == instant(12))
    #expect(instant(5).advanced(by: .nanoseconds(-7)) == instant(-2))
    #expect(instant(5).duration(to: instant(-2)) == .nanoseconds(-7))
    #expect(instant(-2) < instant(5))
    #expect([instant(3), instant(-1), instant(2)].sorted() == [-1, 2, 3].map(instant))
    #expect(Set([instant(3), instant(3), instant(4)]).count == 2)
  }

  @Test func arithmeticSaturates() {
    #expect(instant(5).advanced(by: .seconds(Int64.max)) == .distantFuture)
    #expect(instant(-5).advanced(by: .seconds(Int64.min)) == instant(.min))
    #expect(instant(-5).duration(to: .distantFuture) == .nanoseconds(Int64.max))
    #expect(WallInstant.distantFuture.duration(to: instant(.min)) == .nanoseconds(Int64.min))
  }

  @Test func nowIsTheTimeOfDay() throws {
    let (before, now, after) = (Date(), WallInstant.now, Date())
    let seconds = Double(now.nanosecondsSince1970) / 1e9
    #expect(before.timeIntervalSince1970 - 0.001 <= seconds)
    #expect(seconds <= after.timeIntervalSince1970 + 0.001)
    #expect(try #require(TimerClock.wall.now.wallInstant) >= now)
  }

  @Test(arguments: [Int64.min, -1, 0, 1_700_000_000_123_456_789, .max])
  func encodingKeepsNanoseconds(_ nanoseconds: Int64) throws {
    let data = try JSONEncoder().encode(instant(nanoseconds))
    #expect(try JSONDecoder().decode(WallInstant.self, from: data) == instant(nanoseconds))
  }

  @Test func encodesAsAnObject() throws {
    let data = try JSONEncoder().encode(instant(7))
    #expect(String(decoding: data, as: UTF8.self) == #"{"nanosecondsSince1970":7}"#)
  }
}
