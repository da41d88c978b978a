import Dispatch

/// The buckets of a ``KeyedRateLimiter`` that are not full, in two generations.
///
/// A bucket that is used is in the current generation. When the generations change, the current one becomes the previous
/// one, and the previous one is removed as a whole. That happens at times of a grid, whose distance is the time in which a
/// bucket fills, before the first access after each of them. Therefore the buckets that are removed were not used for that
/// time, and are full. Those from which tasks that wait have taken permits in advance need longer, and are kept apart.
struct KeyedBuckets<Key: Hashable & Sendable>: Sendable {
  struct Generation: Sendable {
    /// The time at which a bucket is full, without its lowest bits: see ``PermitRate/excessBits``. There is one table for
    /// some values of the hash, so that no call waits for the growth of a large one.
    fileprivate var tables = [[Key: Int64]](repeating: [:], count: 64)
    fileprivate var count = 0

    /// Sets the time of a bucket; `nil` to remove it.
    /// - Returns: its previous time; `nil` if it was not there.
    @discardableResult
    fileprivate mutating func set(_ fullAt: Int64?, of key: Key, in table: Int) -> Int64? {
      let old: Int64?
      if let fullAt {
        old = tables[table].updateValue(fullAt, forKey: key)
        if old == nil { count += 1 }
      } else {
        old = tables[table].removeValue(forKey: key)
        if old != nil { count -= 1 }
      }
      return old
    }
  }

  /// The outcome of an access to a bucket.
  enum Access<Result: Sendable>: Sendable {
    case bucket(Result)
    /// The key is new, and there is room for it only after some nanoseconds, if no bucket is used meanwhile.
    case noRoom(Int64)
  }

  let rate: PermitRate
  let keyLimit: Int
  private var current = Generation()
  private var previous = Generation()
  /// The buckets that need longer than an empty one until they are full: at most one for each task that waits.
  private var overdrawn: [Key: Int64] = [:]
  private var nextChange = Int128.min

  init(_ rate: PermitRate, keyLimit: Int) {
    self.rate = rate
    self.keyLimit = keyLimit
  }

  var count: Int { current.count + previous.count + overdrawn.count }

  /// Changes the bucket of a key with `body`, whose argument is the time at which it is full.
  /// - Parameter removed: the generations that were removed, which the caller destroys after the mutex has been unlocked.
  mutating func access<Result>(
    _ key: Key, at now: Int128, removed: inout [Generation], _ body: (inout Int128) -> Result
  ) -> Access<Result> {
    if now >= nextChange { changeGenerations(at: now, &removed) }
    let table = table(of: key)
    let known =
      current.tables[table][key] ?? previous.set(nil, of: key, in: table) ?? overdrawn[key]
    if known == nil, count >= keyLimit { return .noRoom(timeToRoom(at: now)) }
    var fullAt = known.map { Int128($0) << rate.excessBits } ?? .min
    let result = body(&fullAt)
    let shortened = Int64(clamping: fullAt >> rate.excessBits)
    let isOverdrawn = isOverdrawn(shortened, at: now)
    current.set(fullAt > now && !isOverdrawn ? shortened : nil, of: key, in: table)
    if isOverdrawn || !overdrawn.isEmpty { overdrawn[key] = isOverdrawn ? shortened : nil }
    return .bucket(result)
  }

  mutating func remove(_ key: Key) {
    current.set(nil, of: key, in: table(of: key))
    previous.set(nil, of: key, in: table(of: key))
    overdrawn[key] = nil
  }

  private func isOverdrawn(_ fullAt: Int64, at now: Int128) -> Bool {
    Int128(fullAt) << rate.excessBits > now.addingSaturated(rate.timeToFill)
  }

  private func table(of key: Key) -> Int {
    Int(UInt(bitPattern: key.hashValue) % UInt(current.tables.count))
  }

  private mutating func changeGenerations(at now: Int128, _ removed: inout [Generation]) {
    let isLate = now.subtractingSaturated(nextChange) >= rate.timeToFill
    removed = isLate ? [previous, current] : [previous]
    previous = isLate ? Generation() : current
    current = Generation()
    for (key, fullAt) in overdrawn where !isOverdrawn(fullAt, at: now) {
      overdrawn[key] = nil
      let isFull = Int128(fullAt) << rate.excessBits <= now
      if !isFull { current.set(fullAt, of: key, in: table(of: key)) }
    }
    nextChange = (isLate ? now : nextChange).addingSaturated(rate.timeToFill)
  }

  /// The nanoseconds after which a generation is removed that has keys.
  private func timeToRoom(at now: Int128) -> Int64 {
    var end = nextChange
    if previous.count == 0 { end = end.addingSaturated(rate.timeToFill) }
    if previous.count + current.count == 0, let first = overdrawn.values.min() {
      // At the latest when it is full, it is in the current generation, which is removed with the second next change.
      end = (Int128(first) << rate.excessBits).addingSaturated(3 * rate.timeToFill)
    }
    return Int64(clamping: end.subtractingSaturated(now))
  }

  /// Destroys generations that were removed. Many keys take long: no call waits for them.
  static func destroy(_ removed: consuming [Generation]) {
    guard removed.reduce(0, { $0 + $1.count }) > 1_000 else { return }
    let removed = Guarded(removed)
    DispatchQueue.global(qos: .utility).async { removed.withLock { $0 = [] } }
  }
}
