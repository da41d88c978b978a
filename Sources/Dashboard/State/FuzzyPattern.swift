/// The letters of a search. A name matches if it contains them in the same order. A name that begins with them ranks
/// highest, then one with a word that begins with them or with words whose initials they are, then one that contains them
/// next to each other.
struct FuzzyPattern {
  /// The number of bytes of a name that are compared.
  private static let limit = 64
  /// The factor of the kind of match in the rank. It is larger than any length that is subtracted from the product.
  private static let weight = 256

  private let letters: [UInt8]

  init(_ text: String) {
    letters = Array(text.lowercased().utf8)
  }

  /// Returns the rank of a name, higher for a better match; `nil` if it does not match.
  /// - Parameters:
  ///   - name: The name in lower case. More text may follow it.
  ///   - length: The number of bytes of the name.
  func rank(of name: String, length: Int) -> Int? {
    guard !letters.isEmpty else { return 0 }
    // Of equal matches, the shortest name is the nearest.
    return match(in: name, length: length).map {
      $0.kind * Self.weight - min(length, Self.weight - 1)
    }
  }

  /// Returns the indices of the characters of a name that match; empty if it does not match.
  func matches(in name: String) -> Set<Int> {
    let lower = name.lowercased()
    guard !letters.isEmpty, let bytes = match(in: lower, length: lower.utf8.count)?.bytes else {
      return []
    }
    var end = 0
    var matched: Set<Int> = []
    for (index, character) in lower.enumerated() {
      let start = end
      end += character.utf8.count
      if (start..<end).contains(where: bytes.contains) { matched.insert(index) }
    }
    return matched
  }

  /// Returns the kind of the best match, higher for a better one, and the bytes of the name that match.
  private func match(in name: String, length: Int) -> (kind: Int, bytes: [Int])? {
    name.utf8.withContiguousStorageIfAvailable { bytes in
      let bytes = UnsafeBufferPointer(rebasing: bytes.prefix(min(length, Self.limit)))
      guard let apart = bytesInOrder(of: bytes, from: { _ in true }) else { return nil }
      let isWordStart = { $0 == 0 || Self.isSeparator(bytes[$0 - 1]) }
      let places = bytes.indices.lazy.filter { bytes[$0...].starts(with: letters) }
      func together(from start: Int) -> [Int] { Array(start..<(start + letters.count)) }
      if places.first == 0 { return (3, together(from: 0)) }
      if let start = places.first(where: isWordStart) { return (2, together(from: start)) }
      if let initials = bytesInOrder(of: bytes, from: isWordStart) { return (2, initials) }
      return places.first.map { (1, together(from: $0)) } ?? (0, apart)
    } ?? nil
  }

  /// Returns the first bytes that are the letters in order, of those from which a letter can be taken; `nil` if some are
  /// missing.
  private func bytesInOrder(
    of bytes: UnsafeBufferPointer<UInt8>, from canTake: (Int) -> Bool
  ) -> [Int]? {
    var taken: [Int] = []
    for (index, byte) in bytes.enumerated() where byte == letters[taken.count] && canTake(index) {
      taken.append(index)
      if taken.count == letters.count { return taken }
    }
    return nil
  }

  /// Returns true for ASCII that is neither a lower-case letter nor a digit; names are in lower case.
  private static func isSeparator(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
      false
    default: true
    }
  }
}
