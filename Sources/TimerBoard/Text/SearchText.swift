/// The words of a search, without regard to case: a match has all of them, in any order.
package struct SearchText: Hashable, Sendable {
  private let words: [[UInt8]]

  package init(_ text: String) {
    words = text.lowercased().split(separator: " ").map { Array($0.utf8) }
  }

  package var isEmpty: Bool { words.isEmpty }

  /// Returns a Boolean value that indicates whether some texts, given in lower case, contain all words.
  package func isIn(_ texts: String...) -> Bool {
    words.allSatisfy { word in texts.contains { $0.contains(word) } }
  }
}

extension String {
  /// Compares bytes, because a filter searches a thousand lines for each frame.
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
