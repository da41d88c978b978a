package import TimerKit

/// The timers of a board in their order, with counts that each change updates incrementally.
package struct TimerList: Hashable, Sendable {
  package private(set) var all: [BoardTimer] = []
  /// A number that changes with every change of the timers and their order.
  package private(set) var revision = 0
  private var positions: [TimerID: Int] = [:]
  /// The timers with a name, which no two of them share.
  private var ids: [String: TimerID] = [:]
  /// The due instants in nanoseconds, in an array of their own so that finding the next timer reads little memory.
  private var dues: [Int64] = []
  private var stateCounts = [Int](repeating: 0, count: TimerState.shown.count)
  private var changes = ChangeList()

  package init() {}

  package var count: Int { all.count }
  package var isEmpty: Bool { all.isEmpty }

  package subscript(position: Int) -> BoardTimer { all[position] }

  package subscript(id: TimerID) -> BoardTimer? { positions[id].map { all[$0] } }

  package func count(of state: TimerState) -> Int { stateCounts[state.index] }

  package func position(of id: TimerID) -> Int? { positions[id] }

  package func timer(named name: String) -> BoardTimer? { ids[name].flatMap { self[$0] } }

  /// The timer that fires next, if any is running.
  package var next: BoardTimer? {
    var first = Int64.max
    var position: Int?
    for (index, due) in dues.enumerated() where due < first {
      first = due
      position = index
    }
    return position.map { all[$0] }
  }

  /// Returns the changes since the last call, for a front end that has data for each timer.
  mutating func takeChanges() -> ChangeList {
    defer { changes = ChangeList() }
    return changes
  }

  mutating func insert(_ timer: BoardTimer, at index: Int) {
    let index = min(max(0, index), all.count)
    record(.inserted(timer.id, at: index))
    all.insert(timer, at: index)
    dues.insert(timer.due?.nanoseconds ?? .max, at: index)
    if let name = timer.name { ids[name] = timer.id }
    count(index, by: 1)
    updatePositions(index..<all.count)
  }

  @discardableResult
  mutating func remove(at index: Int) -> BoardTimer {
    record(.removed(at: index))
    count(index, by: -1)
    dues.remove(at: index)
    let timer = all.remove(at: index)
    positions[timer.id] = nil
    if let name = timer.name { ids[name] = nil }
    updatePositions(index..<all.count)
    return timer
  }

  mutating func move(from: Int, to: Int) {
    record(.moved(from: from, to: to))
    all.insert(all.remove(at: from), at: to)
    dues.insert(dues.remove(at: from), at: to)
    updatePositions(min(from, to)..<(max(from, to) + 1))
  }

  mutating func change(at index: Int, _ change: (inout BoardTimer) -> Void) {
    count(index, by: -1)
    let name = all[index].name
    change(&all[index])
    if all[index].name != name {
      if let name { ids[name] = nil }
      if let name = all[index].name { ids[name] = all[index].id }
    }
    dues[index] = all[index].due?.nanoseconds ?? .max
    count(index, by: 1)
    record(.updated(all[index].id))
  }

  /// Converts the instants of other clocks to the suspending clock again.
  mutating func convertToUptime(at now: ClockReading) {
    for index in all.indices where all[index].status.clock != .suspending {
      change(at: index) { $0.update(from: $0.status, at: now) }
    }
  }

  mutating func acknowledgeAlerts() {
    for index in all.indices where all[index].needsAttention {
      all[index].needsAttention = false
      all[index].isRinging = false
    }
  }

  private mutating func record(_ change: ChangeList.Change) {
    revision += 1
    changes.add(change)
  }

  private mutating func count(_ index: Int, by amount: Int) {
    stateCounts[all[index].status.state.index] += amount
  }

  private mutating func updatePositions(_ range: Range<Int>) {
    for index in range { positions[all[index].id] = index }
  }
}

/// The changes of a list since they were last taken.
package struct ChangeList: Hashable, Sendable {
  package enum Change: Hashable, Sendable {
    case inserted(TimerID, at: Int)
    case removed(at: Int)
    case moved(from: Int, to: Int)
    case updated(TimerID)
  }

  /// The maximum number of changes. After more of them, a front end recounts everything.
  private static let limit = 4096

  package private(set) var changes: [Change] = []
  /// A Boolean value that indicates whether there were too many changes to list them.
  package private(set) var hasOverflowed = false

  mutating func add(_ change: Change) {
    guard !hasOverflowed else { return }
    if case .updated = change, changes.last == change { return }
    if changes.count < Self.limit {
      changes.append(change)
    } else {
      changes = []
      hasOverflowed = true
    }
  }
}

extension TimerState {
  /// The states in the order in which they are shown.
  package static let shown: [TimerState] = [.running, .paused, .idle, .finished, .cancelled]

  fileprivate var index: Int {
    switch self {
    case .running: 0
    case .paused: 1
    case .idle: 2
    case .finished: 3
    case .cancelled: 4
    // A board's timer is never in that state.
    case .executing: 0
    }
  }
}
