/// The words of a search. A text matches if it contains all of them in any order, ignoring case.
package struct SearchQuery: Hashable, Sendable {
  private let words: [[UInt8]]

  package init(_ text: String) {
    var found: Set<Substring> = []
    words = text.lowercased().split(separator: " ").filter { found.insert($0).inserted }
      .map { Array($0.utf8) }
  }

  package var isEmpty: Bool { words.isEmpty }

  /// Returns true if several texts in lower case together contain all words.
  package func matches(_ texts: String...) -> Bool {
    words.allSatisfy { word in texts.contains { $0.contains(word) } }
  }
}

extension String {
  /// Returns true if the text contains a sequence of bytes. Comparing bytes is fast enough to search a thousand
  /// lines for each frame.
  fileprivate func contains(_ sought: [UInt8]) -> Bool {
    utf8.withContiguousStorageIfAvailable { bytes in
      guard let first = sought.first, bytes.count >= sought.count else { return false }
      for start in 0...(bytes.count - sought.count) where bytes[start] == first {
        if bytes[start..<(start + sought.count)].elementsEqual(sought) { return true }
      }
      return false
    } ?? false
  }

  /// The text in lower case, ready to be searched.
  package var searchable: String {
    var text = lowercased()
    text.makeContiguousUTF8()
    return text
  }
}
