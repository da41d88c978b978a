import Dashboard
import Synchronization
import TimerKit

extension Scene {
  static let buffer = Scene(
    name: "buffer",
    keys: [.init("x", "add 8"), .init("d", "remove 8")],
    legend: [.init(isUsed: true, "slots in use, of 64"), .init(isUsed: false, "free slots")],
    listings: [LabCode("shrinking by time", region: "buffer")],
    script: Script("-xxxxxxxddd---------dxdxdxdxdxdxddd-----"), keyLane: nil
  ) { fixture in
    let arrays = ShrinkPolicy.allCases.map { policy in
      ShrinkingArray(policy, on: fixture.lane(policy.rawValue), fixture.clock)
    }
    return { key in
      for array in arrays { key == "x" ? array.add(8) : array.remove(8) }
    }
  }
}

/// A policy for releasing the unused memory of an array.
enum ShrinkPolicy: String, CaseIterable {
  case idle = "when idle"
  case use = "in use"
  case count = "every 5th"
  case countAndHalf = "5th + 50%"
  case half = "under 50%"
  case most = "under 90%"

  /// The behavior of the timer that shrinks the array; `nil` if it shrinks without a timer.
  fileprivate var behavior: BackgroundBehavior? {
    switch self {
    case .idle: .delay
    case .use: .coalesce
    case .count, .countAndHalf, .half, .most: nil
    }
  }
}

/// A model of a resizing array that has a count and a capacity, but no elements. The capacity
/// doubles when it is full and shrinks by a policy.
final class ShrinkingArray: Sendable {
  /// The number of slots at the top of the curve.
  private static let scale = 64
  private static let minimumCapacity = 4
  private static let removalsPerCheck = 5

  private struct State {
    var count = 0
    var capacity = 4
    var changes = 0
    var removals = 0
    var resizes = 0

    var isUnderHalf: Bool { count * 2 < capacity }
    /// True if there is a copy at more than every second change.
    var copiesTooOften: Bool { resizes * 2 > max(8, changes) }
  }

  private let policy: ShrinkPolicy
  private let lane: Lane
  private let state = Mutex(State())
  private let timer: BackgroundTimer<ShrinkingArray>

  init(_ policy: ShrinkPolicy, on lane: Lane, _ clock: VirtualClock) {
    self.policy = policy
    self.lane = lane
    // region: buffer
    timer = BackgroundTimer(behavior: policy.behavior ?? .delay, clock: .virtual(clock))
    // endregion
    timer.owner = self
    draw()
    lane.setNote { [weak self] in
      guard let self else { return "" }
      let free = "\(capacity - count) free"
      let copies = "\(resizes) copies"
      // The fault first, if there is one.
      return state.withLock(\.copiesTooOften) ? "\(copies), \(free)" : "\(free), \(copies)"
    }
    // Memory is released, and not at the cost of a copy at every second change.
    lane.judge { [weak self] in
      guard let state = self?.state.withLock({ $0 }) else { return true }
      let isSmall = state.capacity <= Self.minimumCapacity || !state.isUnderHalf
      return isSmall && !state.copiesTooOften
    }
  }

  var count: Int { state.withLock { $0.count } }
  var capacity: Int { state.withLock { $0.capacity } }
  var resizes: Int { state.withLock { $0.resizes } }

  func add(_ elements: Int) {
    state.withLock { state in
      state.changes += 1
      state.count += elements
      guard state.count > state.capacity else { return }
      while state.count > state.capacity { state.capacity *= 2 }
      state.resizes += 1
    }
    recordUse()
  }

  func remove(_ elements: Int) {
    let state = state.withLock { state in
      state.changes += 1
      state.count = max(0, state.count - elements)
      state.removals += 1
      return state
    }
    let isCounted = state.removals % Self.removalsPerCheck == 0
    switch policy {
    case .idle, .use: break
    case .count: if isCounted { shrink() }
    case .countAndHalf: if isCounted, state.isUnderHalf { shrink() }
    case .half: if state.isUnderHalf { shrink() }
    case .most: if state.count * 10 < state.capacity * 9 { shrink() }
    }
    recordUse()
  }

  private func recordUse() {
    if policy.behavior != nil {
      // region: buffer
      timer.perform(after: .milliseconds(500)) { $0.shrink() }
      // endregion
    }
    draw()
  }

  private func shrink() {
    state.withLock { state in
      let wanted = max(Self.minimumCapacity, state.count)
      guard wanted < state.capacity else { return }
      state.capacity = wanted
      state.resizes += 1
    }
    draw()
  }

  private func draw() { lane.setLevel(capacity, used: count, scale: Self.scale) }
}
