import Testing
import TimerKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The rules for defaults of the article Guarantees, for all declarations.
@Suite struct DefaultsTests {
  private static let sources =
    "/" + "\(#filePath)".split(separator: "/").dropLast(4).joined(separator: "/")
    + "/Sources/TimerKit"

  /// A clock is `.wall` where a schedule is a parameter, and otherwise `.suspending`.
  @Test func theClockIsTheSameEverywhere() throws {
    let marker = "clock: TimerClock = ."
    var count = 0
    for path in try FileManager.default.subpathsOfDirectory(atPath: Self.sources)
    where path.hasSuffix(".swift") && !path.contains(".docc") {
      let data = FileManager.default.contents(atPath: "\(Self.sources)/\(path)")
      let text = String(decoding: try #require(data), as: UTF8.self)
      for match in text.ranges(of: marker) {
        let begin = ["func ", "init("].flatMap { text[..<match.lowerBound].ranges(of: $0) }
          .map(\.lowerBound).max()
        let isScheduled = text[try #require(begin)..<match.lowerBound].contains("WallSchedule")
        let clock = text[match.upperBound...].prefix { $0.isLetter }
        #expect(clock == (isScheduled ? "wall" : "suspending"), "\(path)")
        count += 1
      }
    }
    #expect(count > 50)
  }

  /// If more comes than can be delivered, the newest is kept.
  @Test func theNewestIsKept() {
    #expect(BatchConfiguration().overflow == .dropOldest)
    #expect(ThrottleConfiguration(interval: .seconds(1)).keptValue == .latest)
    #expect(DebounceConfiguration(delay: .seconds(1)).edges == .trailing)
  }
}
