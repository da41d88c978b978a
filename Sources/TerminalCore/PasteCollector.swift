/// Gathers the bytes of a bracketed paste up to its end marker, `ESC [ 201 ~`.
struct PasteCollector: Sendable {
  /// The most bytes a paste keeps; the rest is dropped.
  static let limit = 65_536
  private static let end: [UInt8] = [0x1B, 0x5B, 0x32, 0x30, 0x31, 0x7E]

  private var bytes: [UInt8] = []
  /// How many bytes of the end marker have been seen; they are not kept yet.
  private var matched = 0

  /// Takes a byte; the pasted text when it is the last one.
  mutating func take(_ byte: UInt8) -> String? {
    if byte == Self.end[matched] {
      matched += 1
      return matched == Self.end.count ? finish() : nil
    }
    // No byte after the marker's first is its first: what was matched cannot hold another start.
    keep(Self.end[..<matched])
    matched = byte == Self.end[0] ? 1 : 0
    if matched == 0 { keep([byte]) }
    return nil
  }

  /// Ends the paste, with its marker or without.
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
