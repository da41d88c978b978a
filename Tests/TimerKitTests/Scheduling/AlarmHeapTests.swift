import Testing

@testable import TimerKit

/// Properties on which only the speed and memory of the heap depend.
@Suite struct AlarmHeapTests {
  /// Returns a heap of alarms that are due at 0, 1, 2 …
  private func heap(of count: Int) -> AlarmHeap<AlarmEntry> {
    var heap = AlarmHeap<AlarmEntry>()
    for number in (0..<count).reversed() {
      heap.insert(
        at: Int64(number), creationNumber: UInt64(number), slot: UInt32(number), ticket: 1)
    }
    return heap
  }

  @Test func eachNodeHasUpToFourChildren() {
    let heap = heap(of: 10)
    #expect((0..<4).map { heap.children(of: $0) } == [1..<5, 5..<9, 9..<10, 10..<10])
  }

  /// Sorting pays off for 16 of a few alarms, or an eighth of many.
  @Test(arguments: [(20, 15, false), (20, 16, true), (400, 49, false), (400, 50, true)])
  func manyDueAlarmsAreSorted(count: Int, due: Int, areMany: Bool) {
    #expect(heap(of: count).countOfFew(dueBy: Int64(due - 1)) == (areMany ? nil : due))
  }

  @Test func dueAlarmsAreRemovedTogetherAndNoOthers() {
    var heap = heap(of: 40)
    heap.sortDue(by: 29)
    #expect(heap.hasSortedRun)
    #expect(heap.entries.count == 10)
    #expect(heap.count == 40)
    heap.sortDue(by: 35)
    #expect(heap.count == 40)
    for number in 0..<40 {
      #expect(heap.first?.time == Int64(number))
      #expect(heap.hasSortedRun == (number < 30))
      heap.removeFirst()
    }
    #expect(heap.count == 0)
  }
}
