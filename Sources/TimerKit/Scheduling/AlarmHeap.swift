/// An entry of an ``AlarmHeap``.
@usableFromInline
protocol AlarmHeapEntry: Sendable {
  /// The time of the alarm, which can be earlier than the deadline of its timer, or of the drain.
  var time: Int64 { get }

  static func < (left: Self, right: Self) -> Bool
}

/// An alarm or a drain of a timer, or of an entry in ``KeyedEntries``. Those with the same time are in the order in which
/// their timers or entries were created.
@usableFromInline
struct AlarmEntry: AlarmHeapEntry {
  @usableFromInline var time: Int64
  var creationNumber: UInt64
  var slot: UInt32
  /// A number that identifies one arming of an alarm, or one request for a drain. The entry is valid
  /// while its slot has the same ticket, and outdated afterward.
  var ticket: UInt32

  @usableFromInline
  static func < (left: AlarmEntry, right: AlarmEntry) -> Bool {
    left.time != right.time
      ? left.time < right.time : left.creationNumber < right.creationNumber
  }
}

/// A priority queue of alarms or drains, ordered by time.
///
/// It is a heap with a sorted run. Alarms that are due together are moved to the run and sorted, which
/// costs much less than removing them from the heap one by one. Each entry of the heap has up to four
/// children instead of two: with many entries, most of the cost is fetching them from memory, and siblings
/// share cache lines.
@usableFromInline
struct AlarmHeap<Entry: AlarmHeapEntry>: Sendable {
  /// The entries of the heap, without those of the run.
  @usableFromInline var entries: [Entry] = []
  /// Sorted in descending order: the first entry is the last element.
  @usableFromInline var run: [Entry] = []

  @inlinable init() {}

  @inlinable var count: Int { entries.count + run.count }

  /// True while the run has entries, which were due when it was sorted.
  @inlinable var hasSortedRun: Bool { !run.isEmpty }

  @inlinable var first: Entry? { isFirstInSortedRun ? run.last : entries.first }

  @inlinable var isFirstInSortedRun: Bool {
    guard let next = run.last else { return false }
    return entries.first.map { next < $0 } ?? true
  }

  /// The indices of the children of an entry in the heap.
  @inlinable
  func children(of index: Int) -> Range<Int> {
    let first = min(4 * index + 1, entries.count)
    return first..<min(first + 4, entries.count)
  }

  @inlinable var firstTime: Int64? { first?.time }

  @inlinable
  mutating func insert(_ entry: Entry) {
    entries.append(entry)
    siftUp(entry, from: entries.count - 1)
  }

  @inlinable
  mutating func removeFirst() {
    guard !isFirstInSortedRun else {
      run.removeLast()
      if run.isEmpty { run = [] }
      return
    }
    let last = entries.removeLast()
    if !entries.isEmpty { siftDown(last, from: 0) }
  }

  /// Returns the number of entries in the heap that are due by `limit`; `nil` if they are so many that sorting them costs
  /// less than removing them one by one.
  /// - Complexity: O(n) in the number that it returns.
  @inlinable
  func countOfFew(dueBy limit: Int64) -> Int? {
    let many = max(16, entries.count / 8)
    let count = dueCount(by: limit, from: 0, upTo: many)
    return count < many ? count : nil
  }

  /// Moves the entries that are due by `limit` to the run and sorts them, unless the run has entries.
  @inlinable
  mutating func sortDue(by limit: Int64) {
    guard run.isEmpty else { return }
    swap(&run, &entries)
    let end = run.partition { $0.time > limit }
    if end < run.count {
      entries = Array(run[end...])
      run.removeSubrange(end...)
      restoreHeapOrder()
    }
    run.sort { $1 < $0 }
  }

  /// Removes the entries for which `isValid` returns false.
  @inlinable
  mutating func compact(keeping isValid: (Entry) -> Bool) {
    run.removeAll { !isValid($0) }
    entries.removeAll { !isValid($0) }
    restoreHeapOrder()
  }

  @inlinable
  func dueCount(by limit: Int64, from index: Int, upTo most: Int) -> Int {
    guard index < entries.count, entries[index].time <= limit else { return 0 }
    var count = 1
    for child in children(of: index) where count < most {
      count += dueCount(by: limit, from: child, upTo: most - count)
    }
    return count
  }

  @inlinable
  mutating func restoreHeapOrder() {
    guard entries.count > 1 else { return }
    for index in (0...(entries.count - 2) / 4).reversed() { siftDown(entries[index], from: index) }
  }

  @inlinable
  mutating func siftUp(_ entry: Entry, from start: Int) {
    var index = start
    while index > 0 {
      let parent = (index - 1) / 4
      guard entry < entries[parent] else { break }
      entries[index] = entries[parent]
      index = parent
    }
    entries[index] = entry
  }

  @inlinable
  mutating func siftDown(_ entry: Entry, from start: Int) {
    var index = start
    while true {
      var least = entry
      var target = index
      for child in children(of: index) where entries[child] < least {
        least = entries[child]
        target = child
      }
      entries[index] = least
      if target == index { return }
      index = target
    }
  }
}

extension AlarmHeap where Entry == AlarmEntry {
  @usableFromInline
  mutating func insert(at time: Int64, creationNumber: UInt64, slot: UInt32, ticket: UInt32) {
    insert(AlarmEntry(time: time, creationNumber: creationNumber, slot: slot, ticket: ticket))
  }
}
