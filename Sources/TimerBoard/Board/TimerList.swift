package import TimerKit

/// The timers of a board in their order, with counts that each change updates incrementally.
package struct TimerList: Hashable, Sendable {
  package private(set) var all: [BoardTimer] = []
  /// A number that changes with every change of the timers and their order.
  package private(set) var revision = 0
  private var positions: [TimerID: Int] = [:]
  /// The timers with a name, which no two of them share.
  private var idsByName: [String: TimerID] = [:]
  private var idsByGroup: [String: Set<TimerID>] = [:]
  /// The number of timers whose runs belong to the chain of each head.
  private var runCounts: [TimerID: Int] = [:]
  /// The due instants, in an array of their own so that finding the next timer reads little memory.
  private var dueInstants: [DueInstant] = []
  private var stateCounts = [Int](repeating: 0, count: TimerState.displayOrder.count)
  /// The number of timers with an alert.
  package private(set) var alertCount = 0
  /// The number of timers that stand ready, which are counted in no state.
  package private(set) var readyCount = 0
  /// The number of timers that repeat the bell.
  package private(set) var ringingCount = 0
  /// The timers that were added or changed since the last call of ``takeChanges()``, of those that are left.
  private var changed: Set<TimerID> = []

  package var count: Int { all.count }
  package var isEmpty: Bool { all.isEmpty }

  /// A copy of a timer, which costs more than most of what is read of it: code that runs for each row of each frame reads
  /// ``all`` in place.
  package subscript(position: Int) -> BoardTimer { all[position] }

  package subscript(id: TimerID) -> BoardTimer? { positions[id].map { all[$0] } }

  /// Returns the number of timers in a state, without those that stand ready.
  package func count(of state: TimerState) -> Int { stateCounts[state.index] }

  package func position(of id: TimerID) -> Int? { positions[id] }

  package func timer(named name: String) -> BoardTimer? { idsByName[name].flatMap { self[$0] } }

  /// Returns true if a timer or a group has a name.
  package func contains(named name: String) -> Bool {
    idsByName[name] != nil || idsByGroup[name] != nil
  }

  /// Returns the timer of a name, or the timers of a group in their order. A timer's name precedes that of a group.
  package func ids(named name: String) -> [TimerID] {
    if let id = idsByName[name] { return [id] }
    return (idsByGroup[name] ?? []).compactMap { positions[$0] }.sorted().map { all[$0].id }
  }

  /// The names of the groups.
  package var groups: [String] { Array(idsByGroup.keys) }

  /// Returns the number of timers whose runs belong to the chain of a head.
  func runCount(inChainOf head: TimerID) -> Int { runCounts[head] ?? 0 }

  /// The running timer that the user waits for: of the countdowns, alarms, cycles and finite intervals the one that
  /// fires next; without any, the endless interval or the triggered timer that does.
  package var next: BoardTimer? {
    let first = dueInstants.indices.min { dueInstants[$0] < dueInstants[$1] }
    return first.flatMap { dueInstants[$0].nanoseconds < .max ? all[$0] : nil }
  }

  /// Returns the instant of the next fire of the timer at a position, in nanoseconds of the suspending clock; `.max` if
  /// there is none. It reads much less memory than the timer.
  package func nextFire(at position: Int) -> Int64 { dueInstants[position].nanoseconds }

  /// Returns true if a timer fires at an instant or later. Overdue timers do not.
  package func fires(from instant: TimerClock.Instant) -> Bool {
    dueInstants.contains { $0.nanoseconds >= instant.nanoseconds && $0.nanoseconds < .max }
  }

  /// Returns the timers that were added or changed since the last call, for a front end that has data for each timer.
  mutating func takeChanges() -> Set<TimerID> { exchange(&changed, with: []) }

  mutating func append(_ timer: BoardTimer) {
    place(timer)
    updateIndices(from: count - 1)
  }

  /// Adds a timer at the end, but not to `dueInstants` and `positions`.
  private mutating func place(_ timer: BoardTimer) {
    recordChange(of: timer.id)
    all.append(timer)
    if let name = timer.name { idsByName[name] = timer.id }
    changeGroup(of: timer.id, from: nil, to: timer.group)
    updateCounts(at: all.count - 1, by: 1)
  }

  /// Inserts timers in one pass.
  /// - Parameter new: The timers, each with the position that it will have, in ascending order from 0. A position
  ///   after the end is the end.
  mutating func insert(_ new: [(timer: BoardTimer, position: Int)]) {
    guard let first = new.first else { return }
    let start = min(first.position, all.count)
    var rest = Array(all[start...])[...]
    all.removeLast(rest.count)
    for (timer, position) in new {
      let between = rest.prefix(max(0, position - all.count))
      all += between
      rest = rest.dropFirst(between.count)
      place(timer)
    }
    all += rest
    updateIndices(from: start)
  }

  /// Removes timers in one pass.
  mutating func remove(_ ids: [TimerID]) {
    let removed = ids.compactMap { positions.removeValue(forKey: $0) }.sorted(by: >)
    guard let start = removed.last else { return }
    for index in removed {
      revision += 1
      changed.remove(all[index].id)
      updateCounts(at: index, by: -1)
      if let name = all[index].name { idsByName[name] = nil }
      changeGroup(of: all[index].id, from: all[index].group, to: nil)
    }
    all.removeAll { positions[$0.id] == nil }
    updateIndices(from: start)
  }

  mutating func move(from: Int, to: Int) {
    revision += 1
    all.insert(all.remove(at: from), at: to)
    dueInstants.insert(dueInstants.remove(at: from), at: to)
    updatePositions(min(from, to)..<(max(from, to) + 1))
  }

  mutating func change(at index: Int, _ change: (inout BoardTimer) -> Void) {
    updateCounts(at: index, by: -1)
    let (name, group) = (all[index].name, all[index].group)
    change(&all[index])
    changeGroup(of: all[index].id, from: group, to: all[index].group)
    if all[index].name != name {
      if let name { idsByName[name] = nil }
      if let name = all[index].name { idsByName[name] = all[index].id }
    }
    dueInstants[index] = DueInstant(of: all[index])
    updateCounts(at: index, by: 1)
    recordChange(of: all[index].id)
  }

  private mutating func changeGroup(of id: TimerID, from old: String?, to new: String?) {
    guard old != new else { return }
    if let old {
      idsByGroup[old]?.remove(id)
      if idsByGroup[old]?.isEmpty == true { idsByGroup[old] = nil }
    }
    if let new { idsByGroup[new, default: []].insert(id) }
  }

  /// Converts the instants of other clocks to the suspending clock again.
  mutating func convertToSuspendingClock(at now: ClockReading) {
    for index in all.indices
    where all[index].status.clock != .suspending || all[index].overtimeOrigin != nil {
      change(at: index) { $0.update(from: $0.status, at: now) }
    }
  }

  private mutating func recordChange(of id: TimerID) {
    revision += 1
    changed.insert(id)
  }

  private mutating func updateCounts(at index: Int, by amount: Int) {
    if let head = all[index].chain.head {
      let count = runCounts[head, default: 0] + amount
      runCounts[head] = count > 0 ? count : nil
    }
    // Timers that stand ready are counted separately.
    if all[index].standsReady {
      readyCount += amount
    } else {
      stateCounts[all[index].status.state.index] += amount
    }
    if let alert = all[index].alert {
      alertCount += amount
      if alert.isRinging { ringingCount += amount }
    }
  }

  /// Updates the due instants and the positions of the timers from a position on.
  private mutating func updateIndices(from start: Int) {
    dueInstants.replaceSubrange(start..., with: all[start...].map { DueInstant(of: $0) })
    updatePositions(start..<all.count)
  }

  private mutating func updatePositions(_ range: Range<Int>) {
    for index in range { positions[all[index].id] = index }
  }
}

/// The instant of a timer's next fire. Those of timers that the user waits for come before all others.
private struct DueInstant: Hashable, Comparable {
  let isBackground: Bool
  let nanoseconds: Int64

  init(of timer: BoardTimer) {
    nanoseconds = timer.due?.nanoseconds ?? .max
    isBackground =
      nanoseconds == .max || timer.status.calls != nil
      || (timer.status.interval != nil && timer.status.mode == .infinite)
  }

  static func < (left: DueInstant, right: DueInstant) -> Bool {
    left.isBackground == right.isBackground
      ? left.nanoseconds < right.nanoseconds : right.isBackground
  }
}

extension TimerState {
  /// The states in the order in which they are shown.
  package static let displayOrder: [TimerState] = [.running, .paused, .idle, .finished, .cancelled]

  fileprivate var index: Int { Self.displayOrder.firstIndex(of: self) ?? 0 }
}
