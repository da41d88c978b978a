/// A hash table of the slots in which the identifiers of a ``TimerQueue`` are stored.
///
/// It contains numbers of slots only, in an array with linear probing: a dictionary would contain each identifier a second
/// time, and need three times the memory.
@usableFromInline
struct SlotTable: Sendable {
  /// The slots, each plus one; 0 where there is none. Their number is a power of two, or zero.
  @usableFromInline var buckets: [UInt32] = []
  @usableFromInline var count = 0

  @inlinable init() {}

  /// Returns the slot of an identifier.
  /// - Parameters:
  ///   - hash: the hash value of the identifier.
  ///   - isMatch: returns true if a slot has the identifier.
  @inlinable
  func slot(hash: Int, _ isMatch: (UInt32) -> Bool) -> UInt32? {
    guard count > 0 else { return nil }
    var bucket = home(of: hash)
    while buckets[bucket] != 0 {
      if isMatch(buckets[bucket] - 1) { return buckets[bucket] - 1 }
      bucket = following(bucket)
    }
    return nil
  }

  /// Adds a slot whose identifier has none.
  /// - Parameter hashOfSlot: returns the hash value of the identifier in a slot.
  @inlinable
  mutating func insert(_ slot: UInt32, hash: Int, _ hashOfSlot: (UInt32) -> Int) {
    if count >= buckets.count / 5 * 4 { grow(hashOfSlot) }
    count += 1
    place(slot, hash: hash)
  }

  /// Removes a slot that the table contains, and moves later ones of the same run forward, so that no place is marked as
  /// removed.
  @inlinable
  mutating func remove(_ slot: UInt32, hash: Int, _ hashOfSlot: (UInt32) -> Int) {
    var hole = home(of: hash)
    while buckets[hole] != slot + 1 { hole = following(hole) }
    var bucket = following(hole)
    while buckets[bucket] != 0 {
      let home = home(of: hashOfSlot(buckets[bucket] - 1))
      // It may move to the hole if that is not before its home.
      if (bucket &- home) & (buckets.count - 1) >= (bucket &- hole) & (buckets.count - 1) {
        buckets[hole] = buckets[bucket]
        hole = bucket
      }
      bucket = following(bucket)
    }
    buckets[hole] = 0
    count -= 1
    if count == 0 { buckets = [] }
  }

  @inlinable
  mutating func grow(_ hashOfSlot: (UInt32) -> Int) {
    let old = buckets
    buckets = [UInt32](repeating: 0, count: max(8, old.count * 2))
    for entry in old where entry != 0 { place(entry - 1, hash: hashOfSlot(entry - 1)) }
  }

  @inlinable
  mutating func place(_ slot: UInt32, hash: Int) {
    var bucket = home(of: hash)
    while buckets[bucket] != 0 { bucket = following(bucket) }
    buckets[bucket] = slot + 1
  }

  @inlinable func home(of hash: Int) -> Int { hash & (buckets.count - 1) }

  @inlinable func following(_ bucket: Int) -> Int { (bucket + 1) & (buckets.count - 1) }
}
