import Dashboard
import Synchronization
import TimerKit

/// Where a scene on virtual time is set up: its clock and its lanes.
final class Stage: Sendable {
  /// The scene's clock: it moves as the person likes.
  let clock = VirtualClock()
  private let made = Mutex<[Lane]>([])
  private let kept = Mutex<[any Sendable]>([])

  /// Adds a lane below those there are.
  /// - Parameter own: a clock that tells when its marks happen, in place of the scene's clock.
  func lane(
    _ label: String, isInput: Bool = false, rows: Int = 1, on own: VirtualClock? = nil
  ) -> Lane {
    let lane = Lane(
      LabLane(label, isInput: isInput, rows: rows, stretches: [.init(from: .zero, .idle)]),
      on: own ?? clock)
    made.withLock { $0.append(lane) }
    return lane
  }

  var lanes: [Lane] { made.withLock { $0 } }

  /// Holds timers that nobody else holds, for as long as the scene is open.
  func keep(_ timers: any ObservableTimer...) {
    kept.withLock { $0 += timers }
  }

  /// Lets go of everything when the scene is over: timers hold lanes, and lanes what they tell of
  /// timers.
  func strike() {
    let kept = kept.withLock { kept in
      defer { kept = [] }
      return kept
    }
    for lane in lanes { lane.note { "" } }
    _ = kept
  }

  /// Goes up with every mark.
  var markCount: Int { lanes.reduce(0) { $0 + $1.markCount } }
}

/// A lane that timers write on as they fire, from whatever thread.
final class Lane: Sendable {
  private struct State {
    var lane: LabLane
    var counts: [LabSign: Int] = [:]
    var markCount = 0
    var note: @Sendable () -> String = { "" }
  }

  /// How many marks are kept: more than any screen shows.
  private static let longest = 2000

  private let clock: VirtualClock
  private let state: Mutex<State>

  init(_ lane: LabLane, on clock: VirtualClock) {
    self.clock = clock
    state = Mutex(State(lane: lane))
  }

  /// Makes a mark.
  /// - Parameter time: when; `nil` is now.
  func mark(_ sign: LabSign, at time: TimerClock.Instant? = nil) {
    let at = time.map { .nanoseconds($0.nanoseconds) } ?? now
    state.withLock { state in
      state.lane.marks.append(.init(at: at, sign))
      state.counts[sign, default: 0] += 1
      state.markCount += 1
      if state.lane.marks.count > 2 * Self.longest { state.lane.marks.removeFirst(Self.longest) }
    }
  }

  /// What lies on the lane from now on.
  func line(_ line: LabLine) {
    let stretch = LabLane.Stretch(from: now, line)
    state.withLock { state in
      guard state.lane.stretches.last?.line != line else { return }
      state.lane.stretches.append(stretch)
      if state.lane.stretches.count > 2 * Self.longest {
        state.lane.stretches.removeFirst(Self.longest)
      }
    }
  }

  /// How full something is from now on, 0 to 1.
  func level(_ fraction: Double) {
    let level = LabLane.Level(from: now, fraction)
    state.withLock { state in
      state.lane.levels.append(level)
      if state.lane.levels.count > 2 * Self.longest {
        state.lane.levels.removeFirst(Self.longest)
      }
    }
  }

  /// What is told beside the lane, made anew for every picture.
  func note(_ note: @escaping @Sendable () -> String) {
    state.withLock { $0.note = note }
  }

  /// How many marks of a sign were made, up to a moment on the lane's own clock.
  func count(_ sign: LabSign, until time: TimerClock.Instant? = nil) -> Int {
    let time = Duration.nanoseconds(time?.nanoseconds ?? .max)
    return state.withLock { state in
      let later = state.lane.marks.reversed().prefix { $0.at > time }.count { $0.sign == sign }
      return state.counts[sign, default: 0] - later
    }
  }

  var markCount: Int { state.withLock { $0.markCount } }

  /// As it stands now.
  var drawn: LabLane {
    let (lane, note) = state.withLock { ($0.lane, $0.note) }
    var drawn = lane
    drawn.note = note()
    return drawn
  }

  private var now: Duration { .nanoseconds(clock.now.nanoseconds) }
}
