import Dispatch
import Synchronization

/// A control that is called while the handler of the object's timer waits for the owner's queue.
enum Race: CaseIterable, Sendable {
  /// It replaces the object.
  case replaced
  /// It keeps the object and resets its timer.
  case rescheduled
}

/// The results of many races of every pattern, which run on threads of their own until the tally is released.
final class Tally: Sendable {
  struct Key: Hashable, Sendable {
    let pattern: Int
    let race: Race
  }

  struct Result: Hashable, Sendable {
    /// The events of the newest run, in the order in which they happened.
    var newest: [RaceEvent] = []
    /// The number of runs that ended with an event: with a control if no handler was called after it.
    var endings: [RaceEvent: Int] = [:]

    var runs: Int { endings.values.reduce(0, +) }
  }

  /// The patterns, each in every race that it can run.
  static let keys: [Key] = Pattern.all.indices.flatMap { pattern in
    Pattern.all[pattern].races.map { Key(pattern: pattern, race: $0) }
  }

  /// The number of runs of each pattern, in all of its races together.
  static let runsOfPattern = 100

  /// The number of attempts at one run.
  private static let attemptLimit = 5_000

  private let results = Mutex<[Key: Result]>([:])
  private let workers = DispatchGroup()

  /// Begins to run each pattern as often as the others: one with two races half as often in each.
  init(_ keys: [Key] = keys, runs: Int = runsOfPattern) {
    // Limits the handlers that block at the same time to the threads of the global queue on the smallest machine.
    let own = keys.filter { Pattern.all[$0.pattern].firesOnQueue }
    let global = keys.filter { !Pattern.all[$0.pattern].firesOnQueue }
    let half = (global.count + 1) / 2
    for batch in [own, Array(global.prefix(half)), Array(global.dropFirst(half))] {
      DispatchQueue(label: "lab.race").async(group: workers) { [weak self] in
        for run in 0..<runs {
          for key in batch where run < runs / Pattern.all[key.pattern].races.count {
            for _ in 0..<Self.attemptLimit {
              // The tally is not kept while a race runs.
              guard self != nil else { return }
              guard let events = RaceRunner(key: key).run() else { continue }
              self?.add(events, to: key)
              break
            }
          }
        }
      }
    }
  }

  subscript(key: Key) -> Result { results.withLock { $0[key] ?? Result() } }

  var isWorking: Bool { workers.wait(timeout: .now()) == .timedOut }

  func wait() { workers.wait() }

  private func add(_ events: [RaceEvent], to key: Key) {
    guard let ending = events.last else { return }
    results.withLock {
      $0[key, default: Result()].newest = events
      $0[key, default: Result()].endings[ending, default: 0] += 1
    }
  }
}

/// A runner of one race, in an order of events that rarely happens by itself.
///
/// It gives the owner's queue other work, so that a control and the timer's handler both wait for the queue in the order
/// in which they arrive, and then ends that work. A run blocks the caller for about 15 ms.
struct RaceRunner {
  private static let lifetime = 6
  /// The lifetime of an object that must still exist at the end of the run.
  private static let longLifetime = 10_000
  /// The duration of the other work, in which the timer fires.
  private static let workDuration = DispatchTimeInterval.milliseconds(12)

  let key: Tally.Key

  private var pattern: Pattern { Pattern.all[key.pattern] }

  /// - Returns: The events; `nil` if they happened in another order than that of the race, because a step came too early
  ///   or too late on a loaded machine. The result of such a run means nothing.
  func run() -> [RaceEvent]? {
    let events = run(pattern.make())
    return isComplete(events) ? events : nil
  }

  private func run(_ owner: some Owner) -> [RaceEvent] {
    let queue = owner.queue
    let gate = DispatchSemaphore(value: 0)
    let controlEnd = DispatchSemaphore(value: 0)
    withValidTimers { try owner.createObject(milliseconds: Self.lifetime) }
    queue.record(.busy)
    queue.queue.async { gate.wait() }
    DispatchQueue(label: "lab.control").async {
      queue.record(.requested)
      withValidTimers {
        switch key.race {
        case .replaced: try owner.createObject(milliseconds: Self.longLifetime)
        case .rescheduled: owner.resetTimer(milliseconds: Self.longLifetime)
        }
      }
      controlEnd.signal()
    }
    _ = DispatchSemaphore(value: 0).wait(timeout: .now() + Self.workDuration)
    if pattern.firesOnQueue { queue.record(.due) }
    gate.signal()
    controlEnd.wait()
    return queue.finish()
  }

  /// Returns true if the events happened in the order that the race requires.
  func isComplete(_ events: [RaceEvent]) -> Bool {
    let fire = pattern.firesOnQueue ? RaceEvent.due : .fired
    guard events.prefix(5) == [.control, .busy, .requested, fire, .control] else { return false }
    // On the queue itself no handler is called if the control came first.
    let handled = events.dropFirst(5)
    return handled == [.deleted] || handled == [.ignored]
      || (handled.isEmpty && pattern.firesOnQueue)
  }
}
