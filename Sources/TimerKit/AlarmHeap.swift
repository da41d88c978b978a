/// Wake-ups in the order they come: by deadline, then by the creation of their timers.
///
/// Each entry has up to four below it, not two: with many entries the time goes into fetching them
/// from memory, and four neighbours are fetched at once.
struct AlarmHeap: Sendable {
  struct Entry: Sendable {
    var deadline: Int64
    var creation: UInt64
    var slot: UInt32
    /// Valid while the slot holds the same.
    var ticket: UInt32

    static func < (left: Entry, right: Entry) -> Bool {
      left.deadline != right.deadline
        ? left.deadline < right.deadline : left.creation < right.creation
    }
  }

  private(set) var entries: [Entry] = []

  var first: Entry? { entries.first }
  var count: Int { entries.count }

  /// Where the entries are that come no earlier than the one at `index`, and next after it.
  func children(of index: Int) -> Range<Int> {
    let first = min(4 * index + 1, entries.count)
    return first..<min(first + 4, entries.count)
  }

  mutating func insert(_ entry: Entry) {
    entries.append(entry)
    rise(entry, from: entries.count - 1)
  }

  mutating func removeFirst() {
    let last = entries.removeLast()
    if !entries.isEmpty { sink(last, from: 0) }
  }

  /// Drops the entries that do not count any more.
  mutating func compact(keeping isLiving: (Entry) -> Bool) {
    entries.removeAll { !isLiving($0) }
    guard entries.count > 1 else { return }
    for index in (0...(entries.count - 2) / 4).reversed() { sink(entries[index], from: index) }
  }

  private mutating func rise(_ entry: Entry, from start: Int) {
    var index = start
    while index > 0 {
      let parent = (index - 1) / 4
      guard entry < entries[parent] else { break }
      entries[index] = entries[parent]
      index = parent
    }
    entries[index] = entry
  }

  private mutating func sink(_ entry: Entry, from start: Int) {
    var index = start
    while true {
      var least = entry
      var place = index
      for child in children(of: index) where entries[child] < least {
        least = entries[child]
        place = child
      }
      entries[index] = least
      if place == index { return }
      index = place
    }
  }
}
