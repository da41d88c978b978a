import Dispatch

/// The buckets of a ``KeyedRateLimiter`` that are not full, in two generations.
///
/// A bucket that is used is in the current generation. When the generations change, the current one becomes the previous
/// one, and the previous one is removed as a whole. That happens at times of a grid, whose distance is the time in which a
/// bucket fills, before the first access after each of them. Therefore the buckets that are removed were not used for that
/// time, and are full. Only a task that waits for permits takes more than the burst: such buckets are kept.
struct KeyedBuckets<Key: Hashable & Sendable>: Sendable {
  struct Generation: Sendable {
    /// The time at which a bucket is full, without its lowest bits: see ``PermitRate/excessBits``.
    var fullAt: [Key: Int64] = [:]
    /// The latest of these times.
    var latest = Int128.min
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
  private var nextChange = Int128.min

  init(_ rate: PermitRate, keyLimit: Int) {
    self.rate = rate
    self.keyLimit = keyLimit
  }

  var count: Int { current.fullAt.count + previous.fullAt.count }

  /// Changes the bucket of a key with `body`, whose argument is the time at which it is full.
  /// - Parameter removed: the generations that were removed, which the caller destroys after the mutex has been unlocked.
  mutating func access<Result>(
    _ key: Key, at now: Int128, removed: inout [Generation], _ body: (inout Int128) -> Result
  ) -> Access<Result> {
    if now >= nextChange { changeGenerations(at: now, &removed) }
    let known = current.fullAt[key] ?? previous.fullAt.removeValue(forKey: key)
    if known == nil, count >= keyLimit { return .noRoom(timeToRoom(at: now)) }
    var fullAt = known.map { Int128($0) << rate.excessBits } ?? .min
    let result = body(&fullAt)
    current.fullAt[key] = fullAt > now ? Int64(clamping: fullAt >> rate.excessBits) : nil
    if fullAt > now { current.latest = max(current.latest, fullAt) }
    return .bucket(result)
  }

  mutating func remove(_ key: Key) {
    current.fullAt[key] = nil
    previous.fullAt[key] = nil
  }

  private mutating func changeGenerations(at now: Int128, _ removed: inout [Generation]) {
    let isLate = now.subtractingSaturated(nextChange) >= rate.timeToFill
    removed = isLate ? [previous, current] : [previous]
    previous = isLate ? Generation() : current
    // Probably it will have as many keys: so that no call waits until a large table has grown.
    current = Generation(fullAt: Dictionary(minimumCapacity: previous.fullAt.count))
    for generation in removed where generation.latest > now {
      for (key, fullAt) in generation.fullAt where Int128(fullAt) << rate.excessBits > now {
        current.fullAt[key] = fullAt
      }
      current.latest = max(current.latest, generation.latest)
    }
    nextChange = (isLate ? now : nextChange).addingSaturated(rate.timeToFill)
  }

  /// The nanoseconds after which a generation is removed that has keys.
  private func timeToRoom(at now: Int128) -> Int64 {
    let change = nextChange, later = nextChange.addingSaturated(rate.timeToFill)
    let end =
      if !previous.fullAt.isEmpty, previous.latest <= change {
        change
      } else if !current.fullAt.isEmpty, current.latest <= later {
        later
      } else {
        // Then all are full, and two changes later they are removed.
        max(current.latest, previous.latest).addingSaturated(3 * rate.timeToFill)
      }
    return Int64(clamping: end.subtractingSaturated(now))
  }

  /// Destroys generations that were removed. Many keys take long: no call waits for them.
  static func destroy(_ removed: consuming [Generation]) {
    guard removed.reduce(0, { $0 + $1.fullAt.count }) > 1_000 else { return }
    let removed = Guarded(removed)
    DispatchQueue.global(qos: .utility).async { removed.withLock { $0 = [] } }
  }
}
