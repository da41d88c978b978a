/// A list that keeps only the newest elements. Older ones are removed in batches, so that appending is
/// amortized O(1).
package struct BoundedList<Element: Hashable & Sendable>: Hashable, Sendable {
  package let limit: Int
  private var stored: [Element] = []

  init(limit: Int) {
    self.limit = limit
  }

  /// The elements, the newest last.
  package var elements: ArraySlice<Element> { stored.suffix(limit) }

  mutating func append(_ element: Element) {
    if stored.count >= limit + limit / 2 { stored.removeFirst(stored.count - limit + 1) }
    stored.append(element)
  }
}
