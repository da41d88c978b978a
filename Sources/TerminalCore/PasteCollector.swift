/// Collects the bytes of a bracketed paste up to its end marker, `ESC [ 201 ~`.
struct PasteCollector: Sendable {
  /// The maximum number of bytes in a paste; the rest is dropped.
  static let limit = 65_536
  private static let end: [UInt8] = [0x1B, 0x5B, 0x32, 0x30, 0x31, 0x7E]

  private var bytes: [UInt8] = []
  /// The number of bytes of the end marker received so far, which are not in the text yet.
  private var matched = 0

  /// Adds a byte.
  /// - Returns: The pasted text if the byte completes the end marker.
  mutating func add(_ byte: UInt8) -> String? {
    if byte == Self.end[matched] {
      matched += 1
      return matched == Self.end.count ? finish() : nil
    }
    // The first byte of the marker occurs in it only once, so the matched bytes contain no other
    // start.
    keep(Self.end[..<matched])
    matched = byte == Self.end[0] ? 1 : 0
    if matched == 0 { keep([byte]) }
    return nil
  }

  /// Ends the paste, with or without its marker, and returns the text.
  mutating func finish() -> String {
    if bytes.count >= Self.limit { dropPartialCharacter() }
    defer { self = PasteCollector() }
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func keep(_ more: some Collection<UInt8>) {
    bytes += more.prefix(Self.limit - bytes.count)
  }

  private mutating func dropPartialCharacter() {
    guard let start = bytes.lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return }
    let length = bytes[start] < 0xC0 ? 1 : bytes[start] < 0xE0 ? 2 : bytes[start] < 0xF0 ? 3 : 4
    if bytes.count - start < length { bytes.removeSubrange(start...) }
  }
}
