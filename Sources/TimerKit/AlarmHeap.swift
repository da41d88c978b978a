/// Wake-ups in the order they come: by deadline, then by the creation of their timers.
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

  mutating func insert(_ entry: Entry) {
    entries.append(entry)
    var index = entries.count - 1
    while index > 0 {
      let parent = (index - 1) / 2
      guard entry < entries[parent] else { break }
      entries[index] = entries[parent]
      index = parent
    }
    entries[index] = entry
  }

  mutating func removeFirst() {
    let last = entries.removeLast()
    if !entries.isEmpty { sink(last, from: 0) }
  }

  /// Drops the entries that do not count any more.
  mutating func compact(keeping isLiving: (Entry) -> Bool) {
    entries = entries.filter(isLiving)
    for index in (0..<entries.count / 2).reversed() { sink(entries[index], from: index) }
  }

  private mutating func sink(_ entry: Entry, from start: Int) {
    var index = start
    while true {
      var child = 2 * index + 1
      guard child < entries.count else { break }
      if child + 1 < entries.count, entries[child + 1] < entries[child] { child += 1 }
      guard entries[child] < entry else { break }
      entries[index] = entries[child]
      index = child
    }
    entries[index] = entry
  }
}
