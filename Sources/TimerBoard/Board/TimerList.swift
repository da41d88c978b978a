package import TimerKit

/// The timers of a board in their order, with counts and indices that each change updates incrementally.
package struct TimerList: Sendable {
  package private(set) var all: [BoardTimer] = []
  /// A number that changes with every change of the timers and their order.
  package private(set) var revision = 0
  private var positions: [TimerID: Int] = [:]
  /// The timers with a name, which no two of them share.
  private var idsByName: [String: TimerID] = [:]
  private var idsByGroup: [String: Set<TimerID>] = [:]
  /// The number of timers whose runs belong to the chain of each head.
  private var runCounts: [TimerID: Int] = [:]
  /// The wake-ups of the timers.
  private var wakeUps = WakeUps()
  private var stateCounts = [Int](repeating: 0, count: TimerState.displayOrder.count)
  /// The number of timers with an alert.
  package private(set) var alertCount = 0
  /// The number of timers that stand ready, which are counted in no state.
  package private(set) var readyCount = 0
  /// The number of timers that repeat the bell.
  package private(set) var ringingCount = 0
  /// The timers that were added or changed since the last call of ``takeChanges()``, of those that are left.
  private var changed: Set<TimerID> = []
  /// The timers that were started by others in this call, whose wake-ups count from the next one on.
  private var started: Set<TimerID> = []
  /// The first state of each timer that a step changes; `nil` outside of steps.
  private var journal: UndoJournal?

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

  /// Returns the timers that were added or changed since the last call, for a front end that has data for each timer.
  mutating func takeChanges() -> Set<TimerID> { exchange(&changed, with: []) }

  mutating func append(_ timer: BoardTimer) {
    place(timer)
    updatePositions((count - 1)..<count)
  }

  /// Adds a timer at the end, but not to `positions`.
  private mutating func place(_ timer: BoardTimer) {
    journal?.add(timer.id)
    recordChange(of: timer.id)
    all.append(timer)
    if let name = timer.name { idsByName[name] = timer.id }
    changeGroup(of: timer.id, from: nil, to: timer.group)
    updateCounts(at: all.count - 1, by: 1)
    wakeUps.update(timer)
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
    updatePositions(start..<count)
  }

  /// Removes timers in one pass.
  mutating func remove(_ ids: [TimerID]) {
    let removed = ids.compactMap { positions.removeValue(forKey: $0) }.sorted(by: >)
    guard let start = removed.last else { return }
    for index in removed {
      journal?.remove(all[index], at: index)
      revision += 1
      changed.remove(all[index].id)
      wakeUps.remove(all[index].id)
      updateCounts(at: index, by: -1)
      if let name = all[index].name { idsByName[name] = nil }
      changeGroup(of: all[index].id, from: all[index].group, to: nil)
    }
    all.removeAll { positions[$0.id] == nil }
    updatePositions(start..<count)
  }

  mutating func move(from: Int, to: Int) {
    revision += 1
    all.insert(all.remove(at: from), at: to)
    updatePositions(min(from, to)..<(max(from, to) + 1))
  }

  /// Changes a timer. Every change of a timer on a board passes here.
  mutating func change(at index: Int, _ change: (inout BoardTimer) -> Void) {
    journal?.change(all[index], at: index)
    updateCounts(at: index, by: -1)
    let (name, group) = (all[index].name, all[index].group)
    change(&all[index])
    changeGroup(of: all[index].id, from: group, to: all[index].group)
    if all[index].name != name {
      if let name { idsByName[name] = nil }
      if let name = all[index].name { idsByName[name] = all[index].id }
    }
    if !started.contains(all[index].id) { wakeUps.update(all[index]) }
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
      stateCounts[all[index].state.index] += amount
    }
    if let alert = all[index].alert {
      alertCount += amount
      if alert.isRinging { ringingCount += amount }
    }
  }

  private mutating func updatePositions(_ range: Range<Int>) {
    for index in range { positions[all[index].id] = index }
  }
}

// MARK: Wake-ups

extension TimerList {
  /// Takes the position of the timer that is overdue for longest; `nil` if none is due. A timer that another one has started
  /// in the same call is not. It is due no more until it changes.
  mutating func takeMostOverdue(at now: ClockReading) -> Int? {
    wakeUps.takeMostOverdue(at: now).flatMap { positions[$0] }
  }

  func isDue(at now: ClockReading) -> Bool { wakeUps.isDue(at: now) }

  func wakeUp(on clock: TimerClock.Kind) -> ClosedRange<TimerClock.Instant>? {
    wakeUps.range(on: clock)
  }

  /// Lets the fires of a timer wait until the next call.
  mutating func holdStarted(_ id: TimerID) {
    started.insert(id)
    wakeUps.remove(id)
  }

  /// Ends a call, after which the timers that were started in it are due at their times.
  mutating func releaseStarted() {
    let ids = started
    started = []
    for id in ids {
      if let position = positions[id] { wakeUps.update(all[position]) }
    }
  }

  /// Returns the running timer that the user waits for: of the countdowns, alarms, cycles and finite intervals the one that
  /// fires next; without any, the endless interval or the triggered timer that does.
  package func next(at now: ClockReading) -> BoardTimer? {
    wakeUps.next(at: now).flatMap { positions[$0] }.map { all[$0] }
  }

  /// Returns true if a timer fires at an instant of the suspending clock or later. Overdue timers do not.
  package func fires(from instant: TimerClock.Instant, at now: ClockReading) -> Bool {
    wakeUps.contains(from: now.moved(to: instant))
  }
}

// MARK: Steps

extension TimerList {
  /// Begins a step: the first state of each timer that it changes is kept.
  mutating func beginStep() { journal = UndoJournal() }

  /// Ends a step.
  /// - Returns: The timers that it has changed.
  mutating func endStep() -> [UndoHistory.Entry] {
    guard let journal else { return [] }
    self.journal = nil
    return journal.entries { self[$0] }
  }
}

extension TimerState {
  /// The states in the order in which they are shown.
  package static let displayOrder: [TimerState] = [.running, .paused, .idle, .finished, .cancelled]

  fileprivate var index: Int { Self.displayOrder.firstIndex(of: self) ?? 0 }
}
