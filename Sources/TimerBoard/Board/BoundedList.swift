/// The newest elements of a list that only grows. Older ones are dropped many at a time, so that
/// adding one stays cheap.
package struct BoundedList<Element: Hashable & Sendable>: Hashable, Sendable {
  package let limit: Int
  private var stored: [Element] = []

  init(limit: Int) {
    self.limit = limit
  }

  /// The newest last.
  package var elements: ArraySlice<Element> { stored.suffix(limit) }

  mutating func append(_ element: Element) {
    if stored.count >= limit + limit / 2 { stored.removeFirst(stored.count - limit + 1) }
    stored.append(element)
  }
}
