import Dashboard
import Synchronization
import TimerKit

/// The clock, the lanes and the timers of a scene on virtual time.
final class Fixture: Sendable {
  /// The virtual clock of the scene.
  let clock = VirtualClock()
  private let laneList = Mutex<[Lane]>([])
  private let timers = Mutex<[any Sendable]>([])

  /// Adds a lane below the existing ones.
  /// - Parameter own: The clock that gives the time of its marks, if it is not the clock of the
  ///   scene.
  func lane(
    _ label: String, isInput: Bool = false, rows: Int = 1, on own: VirtualClock? = nil
  ) -> Lane {
    let lane = Lane(
      LabLane(label, isInput: isInput, rows: rows, segments: [.init(from: .zero, .idle)]),
      on: own ?? clock)
    laneList.withLock { $0.append(lane) }
    return lane
  }

  var lanes: [Lane] { laneList.withLock { $0 } }

  /// Keeps references to timers until ``tearDown()``.
  func keep(_ timers: any ObservableTimer...) {
    self.timers.withLock { $0 += timers }
  }

  /// Releases the timers and the notes of the lanes. Timers refer to lanes, and notes to timers:
  /// without it, those cycles would keep both alive.
  func tearDown() {
    let released = timers.withLock { timers in
      defer { timers = [] }
      return timers
    }
    for lane in lanes { lane.setNote { "" } }
    // The lock is not held while timers are deallocated.
    _ = released
  }

  /// The number of marks on all lanes.
  var markCount: Int { lanes.reduce(0) { $0 + $1.markCount } }
}
