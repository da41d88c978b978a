/// The letters of a search. A name matches if it contains them in the same order; letters that match at its start, at
/// starts of words or next to each other rank it higher.
struct FuzzyPattern {
  /// The number of bytes of a name that are compared.
  private static let limit = 64

  private let letters: [UInt8]
  /// For each letter of the pattern, the best score that ends at each byte of the name.
  private var scores: [Int]

  init(_ text: String) {
    letters = Array(text.lowercased().utf8)
    scores = Array(repeating: 0, count: min(letters.count, Self.limit) * Self.limit)
  }

  var isEmpty: Bool { letters.isEmpty }

  private enum Score {
    static let start = 12
    static let wordStart = 8
    static let adjacent = 6
    static let gap = -3
    /// No match.
    static let none = Int.min / 2
    /// The factor of the score in the rank. It is larger than any length that is subtracted from the product.
    static let weight = 256
  }

  /// Returns the rank of a name, higher for a better match; `nil` if it does not match.
  /// - Parameters:
  ///   - name: The name in lower case. More text may follow it.
  ///   - length: The number of bytes of the name.
  mutating func rank(of name: String, length: Int) -> Int? {
    guard !letters.isEmpty else { return 0 }
    return best(in: name, length: length).map {
      // Of equal matches, the shortest name is the nearest.
      $0.score * Score.weight - min(length, Score.weight - 1)
    }
  }

  /// Returns the indices of the characters of a name that match; empty if it does not match.
  mutating func matches(in name: String) -> Set<Int> {
    guard !letters.isEmpty else { return [] }
    let lower = name.lowercased()
    guard var column = best(in: lower, length: lower.utf8.count)?.column else { return [] }
    var bytes: Set<Int> = [column]
    for row in stride(from: letters.count - 1, to: 0, by: -1) {
      column = previous(of: column, in: row)
      bytes.insert(column)
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

  /// Returns the best score and the byte of the name at which it ends.
  private mutating func best(in name: String, length: Int) -> (score: Int, column: Int)? {
    name.utf8.withContiguousStorageIfAvailable { bytes in
      let bytes = UnsafeBufferPointer(rebasing: bytes.prefix(min(length, Self.limit)))
      guard isSubsequence(of: bytes) else { return nil }
      fill(from: bytes)
      let last = (letters.count - 1) * Self.limit
      let column = bytes.indices.max { scores[last + $0] < scores[last + $1] }
      return column.map { (scores[last + $0], $0) }
    } ?? nil
  }

  private func isSubsequence(of bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var next = 0
    for byte in bytes where byte == letters[next] {
      next += 1
      if next == letters.count { return true }
    }
    return false
  }

  private mutating func fill(from bytes: UnsafeBufferPointer<UInt8>) {
    for row in letters.indices {
      let start = row * Self.limit
      // The best score of the prior letters that ends before the previous byte.
      var apart = Score.none
      for column in bytes.indices {
        if row > 0, column > 1 { apart = max(apart, scores[start - Self.limit + column - 2]) }
        guard bytes[column] == letters[row] else {
          scores[start + column] = Score.none
          continue
        }
        var before = row == 0 ? 0 : apart + Score.gap
        if row > 0, column > 0 {
          before = max(before, scores[start - Self.limit + column - 1] + Score.adjacent)
        }
        scores[start + column] =
          before <= Score.none / 2 ? Score.none : before + Self.bonus(column, bytes)
      }
    }
  }

  private static func bonus(_ column: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    if column == 0 { return Score.start }
    return isSeparator(bytes[column - 1]) && !isSeparator(bytes[column]) ? Score.wordStart : 0
  }

  /// Returns true for ASCII that is neither a lower-case letter nor a digit; names are in lower case.
  private static func isSeparator(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
      false
    default: true
    }
  }

  /// Returns the byte at which the letter of `row - 1` matches if that of `row` matches at `column`.
  private func previous(of column: Int, in row: Int) -> Int {
    let start = (row - 1) * Self.limit
    let adjacent = column > 0 ? scores[start + column - 1] + Score.adjacent : Score.none
    let apart = (0..<max(0, column - 1)).max { scores[start + $0] < scores[start + $1] }
    guard let apart, scores[start + apart] + Score.gap > adjacent else { return column - 1 }
    return apart
  }
}
