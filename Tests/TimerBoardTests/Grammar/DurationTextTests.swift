import Fuzzing
import Testing
import TimerKit

@testable import TimerBoard

@Suite struct DurationTextTests {
  @Test(arguments: [
    ("3m", 180_000), ("90s", 90_000), ("1h30m", 5_400_000), ("05:00", 300_000), ("0:07", 7_000),
    ("1:30:00", 5_400_000), ("90:00", 5_400_000), ("250ms", 250), ("1.5h", 5_400_000),
    ("1.5s", 1_500), (".5s", 500), ("0:03.2", 3_200), ("2d", 172_800_000),
    ("1d2h3m4s5ms", 93_784_005),
    ("1.000005h", 3_600_018), ("3min", 180_000), ("2hours", 7_200_000), ("20sec", 20_000),
    ("36525d", 3_155_760_000_000), ("0.0010000s", 1), ("007s", 7_000), ("5m30", 330_000),
    ("1h30", 5_400_000),
    ("1d12", 129_600_000), ("1w", 604_800_000), ("1week2days", 777_600_000), ("1,5h", 5_400_000),
    ("2½h", 9_000_000),
    ("¾m", 45_000), ("5Min", 300_000),
  ])
  func parsesDurations(_ text: String, _ milliseconds: Int64) throws {
    #expect(try DurationText.parse(text) == .milliseconds(milliseconds))
  }

  @Test(
    arguments: [
      ("", 0, "missing number"), ("30", 2, "missing unit after '30'"),
      ("1h90", 4, "missing unit after '90'"), ("1d24", 4, "missing unit after '24'"),
      ("5s30", 4, "missing unit after '30'"), ("1h1.5", 5, "missing unit after '1.5'"),
      ("1.5", 3, "missing unit after '1.5'"),
      ("5x", 1, "unknown unit 'x'"), ("5parsecs", 1, "unknown unit 'parsecs'"),
      ("1h-5m", 2, "missing number"), ("1.m", 2, "missing number"),
      ("s", 0, "missing number"), ("30m1h", 3, "unit 'h' out of order"),
      ("1h1h", 2, "unit 'h' out of order"), ("0s", 0, "duration must be greater"),
      ("00:00", 0, "duration must be greater"), ("0.0h", 0, "duration must be greater"),
      ("-5m", 0, "duration must not be negative"), ("−5m", 0, "duration must not be negative"),
      ("36526d", 0, "duration must be at most"),
      ("36525d1ms", 6, "duration must be at most"),
      ("99999999999999999999h", 0, "duration must be at most"),
      ("876601:00:00", 0, "duration must be at most"), ("0.0001s", 0, "duration must be in whole"),
      ("0.5ms", 0, "duration must be in whole"),
      ("0.0000000001d", 0, "duration must be in whole"),
      ("5:0", 2, "invalid duration (expected two digits"),
      ("5:60", 2, "invalid duration (expected two digits"),
      ("1:5:00", 2, "invalid duration (expected two digits"),
      ("1:00:00:00", 7, "unknown unit ':00'"), (":30", 0, "missing number"),
      ("1:30m", 4, "unknown unit 'm'"), ("0:03.", 5, "missing number"),
    ])
  func rejectsInvalidDurations(
    _ text: String, _ offset: Int, _ message: String
  ) throws {
    let error = try #require(throws: TimeSyntaxError.self) { try DurationText.parse(text) }
    #expect(error.offset == offset && error.message.hasPrefix(message), "\(error)")
  }

  @Test func formatsWithUnits() {
    #expect(DurationText.text(.seconds(90)) == "1m30s")
    #expect(DurationText.text(.milliseconds(93_784_005)) == "1d2h3m4s5ms")
    #expect(DurationText.text(.zero) == "0s")
    #expect(DurationText.text(.nanoseconds(1)) == "1ms")
    #expect(DurationText.text(.nanoseconds(1_000_001)) == "2ms")
  }

  @Test func formattedTextParsesAsTheSame() throws {
    var random = SplitMix(state: 1)
    for _ in 0..<5_000 {
      let limit = [10_000, 10_000_000, 3_155_760_000_000].randomElement(using: &random) ?? 1
      let duration = Duration.milliseconds(Int64.random(in: 1...Int64(limit), using: &random))
      #expect(try DurationText.parse(DurationText.text(duration)) == duration)
    }
  }
}
