/// A first-in, first-out queue. It is empty most of the time, and allocates no memory then.
@usableFromInline
struct FIFOQueue<Element: Sendable>: Sendable {
  @usableFromInline var items: [Element?] = []
  /// The index of the first element; the elements before it have been removed.
  @usableFromInline var start: UInt32 = 0

  @inlinable var isEmpty: Bool { items.isEmpty }

  @inlinable var count: Int { items.count - Int(start) }

  @inlinable var first: Element? { isEmpty ? nil : items[Int(start)] }

  var last: Element? { items.last ?? nil }

  @inlinable
  mutating func append(_ element: Element) { items.append(element) }

  @usableFromInline
  mutating func popFirst() -> Element? {
    guard let element = first else { return nil }
    items[Int(start)] = nil
    start += 1
    if start == items.count {
      self = FIFOQueue()
    } else if start >= 64, start > items.count / 2 {
      // Compacts the array: removes only the empty places of elements that were popped.
      removeAll { _ in false }
    }
    return element
  }

  mutating func removeAll(where isUnwanted: (Element) -> Bool) {
    items = items.filter { $0.map { !isUnwanted($0) } ?? false }
    start = 0
  }
}

// Two queues with the same elements are equal, however many places of removed ones they still have.

extension FIFOQueue: Equatable where Element: Equatable {
  @usableFromInline
  static func == (left: FIFOQueue, right: FIFOQueue) -> Bool {
    left.items[Int(left.start)...] == right.items[Int(right.start)...]
  }
}

extension FIFOQueue: Hashable where Element: Hashable {
  @usableFromInline
  func hash(into hasher: inout Hasher) { hasher.combine(items[Int(start)...]) }
}
