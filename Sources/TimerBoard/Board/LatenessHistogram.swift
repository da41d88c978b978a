import TimerKit

/// A histogram of lateness. Each power of two from 16 microseconds on is divided into sixteen buckets, so that a
/// quantile is too long by at most a sixteenth; below that, by at most a microsecond.
///
/// Memory grows with the largest value: 500 bytes for lateness up to a millisecond. An HdrHistogram with two
/// digits and a range from a microsecond to a day always takes 31 KiB, and each timer has a histogram.
package struct LatenessHistogram: Hashable, Sendable {
  /// The binary logarithm of the number of buckets in a power of two.
  private static let bucketBits = 4

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

  /// Returns the lateness that a fraction of all fires, from 0 to 1, did not exceed; 0 if there are no fires.
  package func quantile(_ fraction: Double) -> Duration {
    let rank = max(1, Int((fraction * Double(count)).rounded(.up)))
    var sum = 0
    for (index, number) in counts.enumerated() {
      sum += Int(number)
      if sum >= rank { return min(longest, Self.upperBound(of: index)) }
    }
    return longest
  }

  private static func bucket(of lateness: Duration) -> Int {
    let microseconds = UInt64(max(0, lateness.clampedNanoseconds / 1000))
    guard microseconds >= 1 << bucketBits else { return Int(microseconds) }
    let power = 63 - microseconds.leadingZeroBitCount
    return (power - bucketBits) << bucketBits + Int(microseconds >> UInt64(power - bucketBits))
  }

  private static func upperBound(of bucket: Int) -> Duration {
    guard bucket >= 2 << bucketBits else { return .microseconds(bucket + 1) }
    let power = bucket >> bucketBits - 1
    let step = bucket - power << bucketBits
    return .microseconds((step + 1) << power)
  }
}
