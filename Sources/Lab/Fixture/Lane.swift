import Dashboard
import Synchronization
import TimerKit

/// A lane that timers draw on as they fire, on any thread.
final class Lane: Sendable {
  private struct State {
    var lane: LabLane
    var counts: [LabMarkKind: Int] = [:]
    var markCount = 0
    var note: @Sendable () -> String = { "" }
  }

  /// The number of marks that are kept at least: more than a screen shows.
  private static let capacity = 2000

  private let clock: VirtualClock
  private let state: Mutex<State>

  init(_ lane: LabLane, on clock: VirtualClock) {
    self.clock = clock
    state = Mutex(State(lane: lane))
  }

  /// Adds a mark.
  /// - Parameter time: The time of the mark; `nil` for now.
  func mark(_ kind: LabMarkKind, at time: TimerClock.Instant? = nil) {
    let at = time.map { .nanoseconds($0.nanoseconds) } ?? now
    state.withLock { state in
      state.lane.marks.append(.init(at: at, kind))
      state.counts[kind, default: 0] += 1
      state.markCount += 1
      if state.lane.marks.count > 2 * Self.capacity { state.lane.marks.removeFirst(Self.capacity) }
    }
  }

  /// Sets the line that is drawn from now on.
  func setLineStyle(_ line: LabLine) {
    let segment = LabLane.Segment(from: now, line)
    state.withLock { state in
      guard state.lane.segments.last?.line != line else { return }
      state.lane.segments.append(segment)
      if state.lane.segments.count > 2 * Self.capacity {
        state.lane.segments.removeFirst(Self.capacity)
      }
    }
  }

  /// Sets the level that is drawn from now on, from 0 to 1.
  func setLevel(_ fraction: Double) {
    let level = LabLane.Level(from: now, fraction)
    state.withLock { state in
      state.lane.levels.append(level)
      if state.lane.levels.count > 2 * Self.capacity {
        state.lane.levels.removeFirst(Self.capacity)
      }
    }
  }

  /// Sets the text beside the lane, which is computed for every snapshot.
  func setNote(_ note: @escaping @Sendable () -> String) {
    state.withLock { $0.note = note }
  }

  /// Returns the number of marks of one kind, up to a time of the lane's own clock.
  func count(_ kind: LabMarkKind, until time: TimerClock.Instant? = nil) -> Int {
    let time = Duration.nanoseconds(time?.nanoseconds ?? .max)
    return state.withLock { state in
      let later = state.lane.marks.reversed().prefix { $0.at > time }.count { $0.kind == kind }
      return state.counts[kind, default: 0] - later
    }
  }

  var markCount: Int { state.withLock { $0.markCount } }

  /// The lane as a value, with its note.
  var value: LabLane {
    // The note may ask this lane for its counts, so it runs without the lock.
    let (lane, note) = state.withLock { ($0.lane, $0.note) }
    var value = lane
    value.note = note()
    return value
  }

  private var now: Duration { .nanoseconds(clock.now.nanoseconds) }
}
