import Dispatch
import Synchronization

/// What came of many runs of every pattern under every race.
final class Tally: Sendable {
  /// Of the runs of one pattern under one race.
  struct Count: Sendable, Hashable {
    var staged = 0
    /// The child was gone though its time had not come; before the control: because it had.
    var lost = 0
    var ignored = 0
    /// A handler had the queue.
    var invoked = 0
    /// Runs that did not go by the recipe; they were repeated, and count for nothing.
    var notStaged = 0
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

  /// How many runs of a kind may fail in a row before it is given up.
  private static let patience = 5_000

  private let state = Mutex(State())

  /// Those that can be run at all: what was deferred cannot be put off.
  static let keys: [Key] = Pattern.all.indices.flatMap { pattern in
    Race.allCases
      .filter { !Pattern.all[pattern].isDeferred || $0 == .replaced }
      .map { Key(pattern: pattern, race: $0) }
  }

  subscript(key: Key) -> Count { state.withLock { $0.counts[key] ?? Count() } }

  /// The newest run of a kind that went by the recipe.
  func newest(_ key: Key) -> Run? { state.withLock { $0.newest[key] } }

  var isWorking: Bool { state.withLock { $0.workers > 0 } }

  var notStaged: Int { state.withLock { $0.counts.values.reduce(0) { $0 + $1.notStaged } } }

  /// What is under way ends after the run it is at.
  func stop() { state.withLock { $0.isStopped = true } }

  /// Runs each of some kinds so many times more, on queues of its own. Where any are under way
  /// already it does nothing.
  /// - Returns: what tells the end of it.
  func start(_ keys: [Key], runs: Int) -> DispatchGroup {
    let group = DispatchGroup()
    // No more handlers wait at a time than the global queue has threads for, on the least machine.
    let works = Self.divided(keys)
    let isFree = state.withLock { state in
      guard state.workers == 0 else { return false }
      state.workers = works.count
      state.isStopped = false
      return true
    }
    guard isFree else { return group }
    for work in works {
      DispatchQueue(label: "lab.race").async(group: group) { [self] in
        for _ in 0..<runs {
          for key in work { runOnce(key) }
        }
        state.withLock { $0.workers -= 1 }
      }
    }
    return group
  }

  /// Counts a run; as nothing, if it did not go by the recipe.
  func note(_ run: Run, of key: Key) {
    state.withLock { $0.note(run, of: key) }
  }

  private static func divided(_ keys: [Key]) -> [[Key]] {
    let own = keys.filter { Pattern.all[$0.pattern].firesOnQueue }
    let global = keys.filter { !Pattern.all[$0.pattern].firesOnQueue }
    let half = (global.count + 1) / 2
    return [own, Array(global.prefix(half)), Array(global.dropFirst(half))]
      .filter { !$0.isEmpty }
  }

  /// One run that goes by the recipe, however many it takes.
  private func runOnce(_ key: Key) {
    for _ in 0..<Self.patience {
      if state.withLock({ $0.isStopped }) { return }
      let run = Staging(pattern: Pattern.all[key.pattern], race: key.race).run()
      note(run, of: key)
      if run.isStaged { return }
    }
  }
}

extension Tally.State {
  fileprivate mutating func note(_ run: Run, of key: Tally.Key) {
    var count = counts[key] ?? Tally.Count()
    if run.isStaged {
      newest[key] = run
      count.staged += 1
      count.lost += run.lostChild ? 1 : 0
      count.ignored += run.has(.ignored) ? 1 : 0
      count.invoked += run.has(.ignored) || run.has(.deleted) ? 1 : 0
    } else {
      count.notStaged += 1
    }
    counts[key] = count
  }
}
