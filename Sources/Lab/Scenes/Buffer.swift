import Dashboard
import Synchronization
import TimerKit

extension Scene {
  static let buffer = Scene(
    id: "buffer", about: "an array that gives memory back: by time, by count, by fullness",
    look: [
      "All curves are drawn to the same scale, 64 slots high: what is held, and what four arrays keep"
        + " allocated for it.",
      "Shrunk when less than half full, an array can sit for ever on twice what it needs; when less"
        + " than 90% full, it shrinks only to grow again while elements come and go; at every fifth"
        + " removal, it depends on where the counting stops.",
      "By time it waits until it has not been used for half a second: busy it never shrinks, idle it"
        + " has what it needs and no more.",
    ],
    keys: [.init("x", "add 8"), .init("d", "remove 8")],
    legend: [],
    exhibits: [Exhibit("shrinking by time", source: PackageResources.Buffer_txt)],
    open: {
      VirtualPerformance(
        script: Script("-xxxxxxx-ddd--------dxdxdxdxdxdxddd-----"), inputs: ["x", "d"]
      ) { stage in
        let keys = stage.lane("keys", isInput: true)
        let held = stage.lane("held", rows: 2)
        held.level(0)
        let arrays = ShrinkPolicy.allCases.map { policy in
          ShrinkingArray(policy, on: stage.lane(policy.rawValue, rows: 2), stage.clock)
        }
        held.note { "\(arrays[0].count) elements" }
        return { key in
          keys.mark(.letter(key))
          for array in arrays { key == "x" ? array.add(8) : array.remove(8) }
          held.level(Double(arrays[0].count) / ShrinkingArray.scale)
        }
      }
    })
}

/// When an array gives memory back that it does not use (S2).
enum ShrinkPolicy: String, CaseIterable {
  case time = "by time"
  case count = "by count"
  case half = "under 50%"
  case most = "under 90%"
}

/// The storage of a resizing array, without elements: how many there are and how many there is
/// memory for. It doubles when it is full; by what policy it shrinks is its matter.
final class ShrinkingArray: Sendable {
  /// The slots at the top of the curve.
  static let scale = 64.0
  private static let least = 4
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
    // shown
    timer = BackgroundTimer(.delay, clock: .virtual(clock))
    // end
    timer.owner = self
    lane.level(Double(capacity) / Self.scale)
    lane.note { [weak self] in
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
    wasUsed()
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
    wasUsed()
  }

  private func wasUsed() {
    if policy == .time {
      // shown
      timer.after(.milliseconds(500)) { $0.shrink() }
      // end
    }
    draw()
  }

  private func shrink() {
    state.withLock { state in
      let wanted = max(Self.least, state.count)
      guard wanted < state.capacity else { return }
      state.capacity = wanted
      state.resizes += 1
    }
    draw()
  }

  private func draw() { lane.level(min(1, Double(capacity) / Self.scale)) }
}
