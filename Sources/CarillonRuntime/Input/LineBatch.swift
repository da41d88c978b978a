import Platform

/// A splitter of blocks of bytes into lines, which skips lines that a limiter would drop.
///
/// Of many lines that arrive at the same time, a limiter delivers at most the first immediately, and keeps the
/// oldest or the newest of the others. So only the first, the second and the last line matter.
struct LineBatch {
  /// The limit in bytes.
  static let longestLine = 16 << 20

  /// The bytes since the last newline.
  private var rest: [UInt8] = []

  private static let newline = UInt8(ascii: "\n")

  /// Processes a block.
  /// - Parameter deliver: Called with lines without their newlines, in order.
  mutating func process(
    _ block: UnsafeRawBufferPointer, _ deliver: ([UInt8]) -> Void
  ) throws {
    guard let first = Self.newline(in: block[...]) else { return try append(block[...]) }
    try append(block[..<first])
    deliver(rest)
    rest.removeAll(keepingCapacity: rest.count < block.count)
    var start = first + 1
    if let second = Self.newline(in: block[start...]) {
      deliver([UInt8](block[start..<second]))
      start = second + 1
      if let last = Self.lastNewline(in: block[start...]) {
        let before = Self.lastNewline(in: block[start..<last])
        deliver([UInt8](block[(before.map { $0 + 1 } ?? start)..<last]))
        start = last + 1
      }
    }
    try append(block[start...])
  }

  private mutating func append(_ bytes: Slice<UnsafeRawBufferPointer>) throws {
    guard rest.count + bytes.count <= Self.longestLine else {
      throw ProgramFailure(
        "standard input: line is too long (expected at most \(Self.longestLine >> 20) MiB)")
    }
    rest.append(contentsOf: bytes)
  }

  /// Processes the end of the input: the last line may lack its newline.
  mutating func end(_ deliver: ([UInt8]) -> Void) {
    if !rest.isEmpty { deliver(rest) }
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
