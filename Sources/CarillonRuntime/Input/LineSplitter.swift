/// A splitter of blocks of bytes into lines.
struct LineSplitter {
  /// The limit in bytes.
  static let longestLine = 16 << 20
  private static let newline = UInt8(ascii: "\n")

  /// The bytes since the last newline.
  private var rest: [UInt8] = []

  /// Processes a block.
  /// - Parameter deliver: Called with lines without their newlines, in order.
  mutating func process(
    _ block: UnsafeRawBufferPointer, _ deliver: ([UInt8]) -> Void
  ) throws {
    var left = block[...]
    while let end = left.firstIndex(of: Self.newline) {
      try append(left[..<end])
      deliver(rest)
      rest = []
      left = left[(end + 1)...]
    }
    try append(left)
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
}
