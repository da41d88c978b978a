import Testing
import TimerKit

@Suite("Example: Throttler")
struct ThrottlerExample {
  /// Progress is reported immediately, then at most four times a second, and the last value is not
  /// lost.
  @Test func progressFourTimesASecond() throws {
    let clock = VirtualClock()
    let reports = Recorder<Int>()
    let progress = try Throttler<Int>(interval: .milliseconds(250), clock: .virtual(clock)) {
      _, percent in
      reports.append(percent)
    }
    for percent in 0...100 {
      progress.call(percent)
      clock.advance(by: .milliseconds(10))
    }
    clock.advance(by: .seconds(1))
    #expect(reports.all == [0, 24, 49, 74, 99, 100])
  }

  /// Measurements are sent in batches, within a tenth of a second of the first.
  @Test func sendInBatches() throws {
    let clock = VirtualClock()
    let sent = Recorder<[Int]>()
    let batch = Recorder<Int>()
    let sender = try Throttler<Void>(
      interval: .milliseconds(100), mode: .deferred, clock: .virtual(clock)
    ) { _, _ in
      sent.append(Array(batch.all.dropFirst(sent.all.joined().count)))
    }
    for measurement in 1...5 {
      batch.append(measurement)
      sender.call()
      clock.advance(by: .milliseconds(30))
    }
    clock.advance(by: .seconds(1))
    #expect(sent.all == [[1, 2, 3, 4], [5]])
  }
}
