import Dispatch
import Synchronization

/// The results of many runs of every pattern and race.
final class Tally: Sendable {
  /// The results of one pattern in one race.
  struct Count: Sendable, Hashable {
    var valid = 0
    /// The runs in which the child was deleted: wrongly, except in ``Race/firedFirst``.
    var deleted = 0
    var ignored = 0
    /// The runs in which a handler ran on the queue.
    var invoked = 0
    /// The runs that did not follow the required order. They were repeated and are not counted
    /// above.
    var discarded = 0
  }

  struct Key: Sendable, Hashable {
    let pattern: Int
    let race: Race
  }

  fileprivate struct State {
    var counts: [Key: Count] = [:]
    var newest: [Key: Run] = [:]
    var workers = 0
    var isStopped = false
  }

  /// The number of attempts at one valid run.
  private static let attemptLimit = 5_000

  private let state = Mutex(State())

  /// The patterns, each in every race that it can run. A deferred call cannot be rescheduled.
  static let keys: [Key] = Pattern.all.indices.flatMap { pattern in
    Race.allCases
      .filter { !Pattern.all[pattern].isDeferred || $0 == .replaced }
      .map { Key(pattern: pattern, race: $0) }
  }

  subscript(key: Key) -> Count { state.withLock { $0.counts[key] ?? Count() } }

  /// Returns the newest valid run of a pattern in a race.
  func newest(_ key: Key) -> Run? { state.withLock { $0.newest[key] } }

  var isWorking: Bool { state.withLock { $0.workers > 0 } }

  var isEmpty: Bool { state.withLock { $0.counts.isEmpty } }

  var discarded: Int { state.withLock { $0.counts.values.reduce(0) { $0 + $1.discarded } } }

  /// Stops the workers after their current run.
  func stop() { state.withLock { $0.isStopped = true } }

  /// Runs each pattern in its race `runs` times, on queues of its own. Does nothing while other
  /// runs are under way.
  /// - Returns: A group that is empty when all runs have ended.
  func start(_ keys: [Key], runs: Int) -> DispatchGroup {
    let group = DispatchGroup()
    // Limits the handlers that block at the same time to the threads of the global queue on the
    // smallest machine.
    let batches = Self.batches(of: keys)
    let isFree = state.withLock { state in
      guard state.workers == 0 else { return false }
      state.workers = batches.count
      state.isStopped = false
      return true
    }
    guard isFree else { return group }
    for batch in batches {
      DispatchQueue(label: "lab.race").async(group: group) { [self] in
        for _ in 0..<runs {
          for key in batch { runOnce(key) }
        }
        state.withLock { $0.workers -= 1 }
      }
    }
    return group
  }

  /// Adds a run to the results; an invalid run counts as discarded.
  func record(_ run: Run, of key: Key) {
    state.withLock { $0.record(run, of: key) }
  }

  private static func batches(of keys: [Key]) -> [[Key]] {
    let own = keys.filter { Pattern.all[$0.pattern].firesOnQueue }
    let global = keys.filter { !Pattern.all[$0.pattern].firesOnQueue }
    let half = (global.count + 1) / 2
    return [own, Array(global.prefix(half)), Array(global.dropFirst(half))]
      .filter { !$0.isEmpty }
  }

  /// Repeats a run until it is valid, up to the limit of attempts.
  private func runOnce(_ key: Key) {
    for _ in 0..<Self.attemptLimit {
      if state.withLock({ $0.isStopped }) { return }
      let run = RaceRunner(pattern: Pattern.all[key.pattern], race: key.race).run()
      record(run, of: key)
      if run.isValid { return }
    }
  }
}

extension Tally.State {
  fileprivate mutating func record(_ run: Run, of key: Tally.Key) {
    var count = counts[key] ?? Tally.Count()
    if run.isValid {
      newest[key] = run
      count.valid += 1
      count.deleted += run.childDeleted ? 1 : 0
      count.ignored += run.has(.ignored) ? 1 : 0
      count.invoked += run.has(.ignored) || run.has(.deleted) ? 1 : 0
    } else {
      count.discarded += 1
    }
    counts[key] = count
  }
}
