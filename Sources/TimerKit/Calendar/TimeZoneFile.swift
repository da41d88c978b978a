/// The offsets of a time zone from UTC, from a file in the format TZif (RFC 9636, versions 1 to 4).
struct TimeZoneFile: Sendable {
  /// The seconds since 1970 from which each offset applies, in order.
  private var transitions: [Int64] = []
  private var offsets: [Int64] = []
  /// The offset before the first transition.
  private let initialOffset: Int64
  /// The rule after the last transition; `nil` if the last offset remains.
  private var rule: PosixTimeZone?

  /// Creates the rules of a time zone whose offset never changes.
  init(offset: Int64) { initialOffset = offset }

  /// Parses a file; `nil` if it is invalid or counts leap seconds.
  init?(_ bytes: [UInt8]) {
    var rest = bytes[...]
    func take(_ count: Int) -> ArraySlice<UInt8>? {
      guard count <= rest.count else { return nil }
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }
    // The counts are those of indicators for UTC and for standard time, leap seconds, transitions, types, and bytes of
    // names. The first block has a size for each.
    func takeCounts() -> [Int]? {
      take(20).flatMap { $0.starts(with: "TZif".utf8) ? take(24) : nil }.map { counts in
        (0..<6).map { Int(Self.number(counts, at: $0 * 4, size: 4) & 0xFFFF_FFFF) }
      }
    }
    guard var counts = takeCounts() else { return nil }
    let hasFooter = bytes[4] >= UInt8(ascii: "2")
    if hasFooter {
      // The second block has the same contents in 64 bits.
      let size = zip(counts, [1, 1, 8, 5, 6, 1]).reduce(0) { $0 + $1.0 * $1.1 }
      guard take(size) != nil, let second = takeCounts() else { return nil }
      counts = second
    }
    let timeSize = hasFooter ? 8 : 4
    guard counts[2] == 0, counts[4] > 0, let times = take(counts[3] * timeSize),
      let indices = take(counts[3]), let types = take(counts[4] * 6),
      take(counts[5] + counts[1] + counts[0]) != nil
    else { return nil }
    let typeOffsets = (0..<counts[4]).map { Self.number(types, at: $0 * 6, size: 4) }
    let limit = LocalTimeZone.maximumOffset
    guard typeOffsets.allSatisfy({ (-limit...limit).contains($0) }) else { return nil }
    initialOffset = typeOffsets[0]
    for (position, index) in indices.enumerated() {
      let time = Self.number(times, at: position * timeSize, size: timeSize)
      guard index < counts[4], transitions.last.map({ $0 < time }) ?? true else { return nil }
      transitions.append(time)
      offsets.append(typeOffsets[Int(index)])
    }
    guard hasFooter else { return }
    let lines = rest.split(
      separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
    guard lines.count == 3, lines[0].isEmpty else { return nil }
    if lines[1].isEmpty { return }
    rule = PosixTimeZone(String(decoding: lines[1], as: UTF8.self))
    if rule == nil { return nil }
  }

  /// Returns local time minus UTC in seconds, at an instant in seconds since 1970.
  /// - Complexity: O(log n) in the number of transitions.
  func offset(at instant: Int64) -> Int64 {
    let passed = transitions.firstIndex(notBefore: instant + 1)
    if passed == transitions.count, let rule { return rule.offset(at: instant) }
    return passed == 0 ? initialOffset : offsets[passed - 1]
  }

  /// Returns a signed number, whose first byte is the highest one.
  private static func number(_ bytes: ArraySlice<UInt8>, at offset: Int, size: Int) -> Int64 {
    let number = bytes.dropFirst(offset).prefix(size)
    return number.reduce(number.first ?? 0 > 127 ? -1 : 0) { $0 << 8 | Int64($1) }
  }
}

extension Array where Element: Comparable {
  /// Returns the index of the first element of an ordered array that is not before another one; the number of
  /// elements if all are.
  /// - Complexity: O(log n)
  func firstIndex(notBefore element: Element) -> Int {
    var (start, end) = (0, count)
    while start < end {
      let middle = (start + end) / 2
      if self[middle] < element { start = middle + 1 } else { end = middle }
    }
    return start
  }
}
