import Dashboard
import Synchronization
import TimerKit

extension Scene {
  static let buffer = Scene(
    name: "buffer", about: "an array that releases memory: by time, by count, by fill level",
    explanation: [
      "All curves have the same scale, 64 slots high: the number of elements that are held, and"
        + " the capacity of four arrays that hold them; where a curve falls, memory is released.",
      "Under 50% shrinks when it is less than half full, and can keep twice the memory it needs;"
        + " under 90% shrinks and grows again as elements come and go; by count shrinks at every"
        + " fifth press of d, and keeps whatever it has after the last one.",
      "By time shrinks after half a second without use: it never shrinks while in"
        + " use, and has no spare capacity when idle.",
    ],
    keys: [.init("x", "add 8"), .init("d", "remove 8")],
    legend: [],
    terms: [.slot],
    listings: [LabCode("shrinking by time", region: "buffer")],
    open: {
      VirtualPlayer(
        script: Script("-xxxxxxxddd---------dxdxdxdxdxdxddd-----"), inputs: ["x", "d"]
      ) { fixture in
        let held = fixture.lane("held", rows: 2)
        held.setLevel(0)
        let arrays = ShrinkPolicy.allCases.map { policy in
          ShrinkingArray(policy, on: fixture.lane(policy.rawValue, rows: 2), fixture.clock)
        }
        held.setNote { "\(arrays[0].count) elements" }
        return { key in
          for array in arrays { key == "x" ? array.add(8) : array.remove(8) }
          held.setLevel(Double(arrays[0].count) / ShrinkingArray.scale)
        }
      }
    })
}

/// A policy for releasing the unused memory of an array.
enum ShrinkPolicy: String, CaseIterable {
  case time = "by time"
  case count = "by count"
  case half = "under 50%"
  case most = "under 90%"
}

/// A model of a resizing array that has a count and a capacity, but no elements. The capacity
/// doubles when it is full and shrinks by a policy.
final class ShrinkingArray: Sendable {
  /// The number of slots at the top of the curve.
  static let scale = 64.0
  private static let minimumCapacity = 4
  private static let removalsPerCheck = 5

  private struct State {
    var count = 0
    var capacity = 4
    var removals = 0
    var resizes = 0
  }

  private let policy: ShrinkPolicy
  private let lane: Lane
  private let state = Mutex(State())
  private let timer: BackgroundTimer<ShrinkingArray>

  init(_ policy: ShrinkPolicy, on lane: Lane, _ clock: VirtualClock) {
    self.policy = policy
    self.lane = lane
    // region: buffer
    timer = BackgroundTimer(behavior: .delay, clock: .virtual(clock))
    // endregion
    timer.owner = self
    lane.setLevel(Double(capacity) / Self.scale)
    lane.setNote { [weak self] in
      self.map { "\($0.capacity) slots, resized \($0.resizes)×" } ?? ""
    }
  }

  var count: Int { state.withLock { $0.count } }
  var capacity: Int { state.withLock { $0.capacity } }
  var resizes: Int { state.withLock { $0.resizes } }

  func add(_ elements: Int) {
    state.withLock { state in
      state.count += elements
      guard state.count > state.capacity else { return }
      while state.count > state.capacity { state.capacity *= 2 }
      state.resizes += 1
    }
    recordUse()
  }

  func remove(_ elements: Int) {
    state.withLock { state in
      state.count = max(0, state.count - elements)
      state.removals += 1
    }
    switch policy {
    case .time: break
    case .count: if state.withLock({ $0.removals % Self.removalsPerCheck == 0 }) { shrink() }
    case .half: if state.withLock({ $0.count * 2 < $0.capacity }) { shrink() }
    case .most: if state.withLock({ $0.count * 10 < $0.capacity * 9 }) { shrink() }
    }
    recordUse()
  }

  private func recordUse() {
    if policy == .time {
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

  private func draw() { lane.setLevel(min(1, Double(capacity) / Self.scale)) }
}
