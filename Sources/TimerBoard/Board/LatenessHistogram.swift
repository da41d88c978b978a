import TimerKit

/// How late fires came, in buckets a sixteenth of their power of two wide, so that every quantile is
/// right to six per cent from a microsecond to a century.
///
/// Memory grows with what was seen: 500 bytes for lateness up to a millisecond. An HdrHistogram of
/// two digits takes 20 KiB for a day's range from its first value on, and there is one for each row.
package struct LatenessHistogram: Hashable, Sendable {
  private static let steps = 4

  private var counts: [UInt32] = []
  package private(set) var count = 0
  package private(set) var longest = Duration.zero

  mutating func record(_ lateness: Duration) {
    let index = Self.bucket(of: lateness)
    if index >= counts.count {
      counts.append(contentsOf: repeatElement(0, count: index + 1 - counts.count))
    }
    counts[index] += counts[index] < .max ? 1 : 0
    count += 1
    longest = max(longest, lateness)
  }

  /// What a part of all fires, from 0 to 1, was no later than; 0 where there was none.
  package func quantile(_ part: Double) -> Duration {
    let rank = max(1, Int((part * Double(count)).rounded(.up)))
    var seen = 0
    for (index, number) in counts.enumerated() {
      seen += Int(number)
      if seen >= rank { return min(longest, Self.upperBound(of: index)) }
    }
    return longest
  }

  private static func bucket(of lateness: Duration) -> Int {
    let microseconds = UInt64(max(0, lateness.clampedNanoseconds / 1000))
    guard microseconds >= 1 << steps else { return Int(microseconds) }
    let power = 63 - microseconds.leadingZeroBitCount
    return (power - steps) << steps + Int(microseconds >> UInt64(power - steps))
  }

  private static func upperBound(of bucket: Int) -> Duration {
    guard bucket >= 2 << steps else { return .microseconds(bucket + 1) }
    let power = bucket >> steps - 1
    let step = bucket - power << steps
    return .microseconds((step + 1) << power)
  }
}
