/// The timers of an ``AlarmTable``, and the valid tickets of each.
///
/// Ground rules:
/// - Methods that read a slot are mutating. A nonmutating read copies the slot with its weak reference,
///   which costs more than everything else here.
/// - Slots are stored in chunks of a limited size, so that growing moves few weak references.
struct AlarmSlots {
  private struct Slot {
    weak var target: (any AlarmTarget)?
    var tolerance: Int64
    /// The tickets of the valid entries: see ``AlarmEntry/ticket``. 0 if there is none.
    var alarm: UInt32 = 0
    var drain: UInt32 = 0

    /// - Returns: true if an alarm was armed before.
    mutating func replaceAlarm(with ticket: UInt32 = 0) -> Bool {
      defer { alarm = ticket }
      return alarm != 0
    }
  }

  private static let chunkSize = 2048

  private var chunks: [[Slot]] = []
  private var free: [UInt32] = []
  private(set) var count = 0

  var freeCount: Int { free.count }

  mutating func add(_ target: any AlarmTarget, tolerance: Int64) -> UInt32 {
    if let index = free.popLast() {
      withSlot(index) { slot in
        slot.target = target
        slot.tolerance = tolerance
      }
      return index
    }
    if count % Self.chunkSize == 0 { chunks.append([]) }
    chunks[chunks.count - 1].append(Slot(target: target, tolerance: tolerance))
    count += 1
    return UInt32(count - 1)
  }

  /// - Returns: true if an invalid entry is left in the heap.
  mutating func remove(_ index: UInt32) -> Bool {
    free.append(index)
    return withSlot(index) { slot in
      slot.target = nil
      slot.drain = 0
      return slot.replaceAlarm()
    }
  }

  mutating func target(_ index: UInt32) -> (any AlarmTarget)? { withSlot(index) { $0.target } }
  mutating func tolerance(_ index: UInt32) -> Int64 { withSlot(index) { $0.tolerance } }

  mutating func hasDrain(_ index: UInt32) -> Bool { withSlot(index) { $0.drain != 0 } }

  mutating func isValidAlarm(_ ticket: UInt32, _ index: UInt32) -> Bool {
    withSlot(index) { $0.alarm == ticket }
  }

  mutating func isValidDrain(_ ticket: UInt32, _ index: UInt32) -> Bool {
    withSlot(index) { $0.drain == ticket }
  }

  /// - Returns: true if an invalid entry is left in the heap.
  mutating func setAlarm(
    _ ticket: UInt32, _ index: UInt32, tolerance: Int64? = nil
  ) -> Bool {
    withSlot(index) { slot in
      if let tolerance { slot.tolerance = tolerance }
      return slot.replaceAlarm(with: ticket)
    }
  }

  mutating func setDrain(_ ticket: UInt32, _ index: UInt32) {
    withSlot(index) { $0.drain = ticket }
  }

  /// The timers in a range of slots, for an inspector; `nil` if there is no such slot.
  mutating func inspect(_ range: Range<Int>) -> [InspectedSlot]? {
    guard range.lowerBound < count else { return nil }
    return range.clamped(to: 0..<count).compactMap { index in
      withSlot(UInt32(index)) { slot in slot.target.map { (index, $0, slot.alarm != 0) } }
    }
  }

  private mutating func withSlot<Result>(
    _ index: UInt32, _ body: (inout Slot) -> Result
  ) -> Result {
    let (chunk, offset) = Int(index).quotientAndRemainder(dividingBy: Self.chunkSize)
    return body(&chunks[chunk][offset])
  }
}
