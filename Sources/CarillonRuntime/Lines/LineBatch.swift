import Platform

/// Cuts blocks of bytes into lines, and hands on those that can matter to a limiter.
///
/// Of many lines that come at one moment a limiter delivers the first or none at once, and keeps the
/// oldest or the newest of the others: so the first, the second and the last stand for all of them,
/// and the rest need not even be looked at.
struct LineBatch {
  /// A line that is longer than is kept in memory.
  struct LineTooLong: ProgramError {
    var description: String {
      "standard input: line is too long (expected at most \(LineBatch.longestLine >> 20) MiB)"
    }
  }

  /// In bytes.
  static let longestLine = 16 << 20

  /// What came after the last line's end.
  private var rest: [UInt8] = []

  private static let newline = UInt8(ascii: "\n")

  /// Takes a block that was read at one moment.
  /// - Parameter take: called with lines without their ends, in order.
  mutating func take(
    _ block: UnsafeRawBufferPointer, _ take: ([UInt8]) -> Void
  ) throws {
    guard let first = Self.newline(in: block[...]) else { return try keep(block[...]) }
    try keep(block[..<first])
    take(rest)
    rest.removeAll(keepingCapacity: rest.count < block.count)
    var start = first + 1
    if let second = Self.newline(in: block[start...]) {
      take([UInt8](block[start..<second]))
      start = second + 1
      if let last = Self.lastNewline(in: block[start...]) {
        let before = Self.lastNewline(in: block[start..<last])
        take([UInt8](block[(before.map { $0 + 1 } ?? start)..<last]))
        start = last + 1
      }
    }
    try keep(block[start...])
  }

  private mutating func keep(_ bytes: Slice<UnsafeRawBufferPointer>) throws {
    guard rest.count + bytes.count <= Self.longestLine else { throw LineTooLong() }
    rest.append(contentsOf: bytes)
  }

  /// Takes the end of the input: a last line may lack its end.
  mutating func end(_ take: ([UInt8]) -> Void) {
    if !rest.isEmpty { take(rest) }
    rest = []
  }

  private static func newline(in block: Slice<UnsafeRawBufferPointer>) -> Int? {
    let bytes = UnsafeRawBufferPointer(rebasing: block)
    guard let base = bytes.baseAddress, let found = memchr(base, Int32(newline), bytes.count) else {
      return nil
    }
    return block.startIndex + base.distance(to: UnsafeRawPointer(found))
  }

  private static func lastNewline(in block: Slice<UnsafeRawBufferPointer>) -> Int? {
    block.lastIndex(of: newline)
  }
}
