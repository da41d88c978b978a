import Dispatch
import Synchronization
import TimerBoard
import TimerKit

/// A few thousand fires in real time: a ``Repeater``, and a timer that adds up its waits beside it.
final class AccuracyRun: Sendable {
  static let interval = Duration.milliseconds(1)

  /// What one of the two timers did.
  struct Trace: Sendable {
    /// How many periods its fires stand for.
    var periods = 0
    var fires: [Fire] = []
    var missed = 0
  }

  struct Fire: Sendable {
    /// Which whole number of intervals after the start it was meant for.
    var period: Int
    /// How much later than that moment it came, in nanoseconds.
    var lateness: Int64
    /// How far from that moment it was planned; zero for a timer that plans nothing.
    var drift: Int64 = 0
  }

  private struct State {
    var start: TimerClock.Instant?
    var repeater: Repeater?
    var addingUp: AddingUpTimer?
    var ours = Trace()
    var theirs = Trace()
  }

  let periods: Int
  private let queue = DispatchQueue(label: "lab.accuracy")
  private let otherQueue = DispatchQueue(label: "lab.accuracy.other")
  private let state = Mutex(State())
  private let group = DispatchGroup()

  init(periods: Int) {
    self.periods = periods
  }

  deinit {
    state.withLock { _ = $0.repeater?.cancel() }
  }

  var traces: (ours: Trace, theirs: Trace) { state.withLock { ($0.ours, $0.theirs) } }

  /// Which part of it is done, 0 to 1.
  var progress: Double {
    let (ours, theirs) = traces
    return Double(min(ours.periods, theirs.periods)) / Double(periods)
  }

  var isOver: Bool {
    state.withLock { $0.start != nil && $0.repeater == nil && $0.addingUp == nil }
  }

  /// Starts both timers; once only.
  func start() {
    group.enter()
    group.enter()
    queue.async { [self] in
      do throws(TimerConfigurationError) { try startOurs() } catch {
        preconditionFailure("a scene asks for a timer that cannot be: \(error)")
      }
    }
    otherQueue.async { [self] in startTheirs() }
  }

  /// Waits until both are done.
  func wait() { group.wait() }

  private func startOurs() throws(TimerConfigurationError) {
    // shown
    let repeater = try Repeater(every: Self.interval, queue: queue) { [weak self] timer, tick in
      self?.note(tick, of: timer)
    }
    repeater.start()
    // end
    state.withLock { $0.repeater = repeater }
  }

  /// Grid and first fire are the timer's own: it began one interval before its first deadline.
  private func note(_ tick: Repeater.Tick, of timer: Repeater) {
    let isDone = state.withLock { state in
      let start = state.start ?? tick.scheduled.advanced(by: .zero - Self.interval)
      state.start = start
      state.ours.periods += 1
      let due = start.advanced(by: Self.interval * state.ours.periods)
      let drift = due.duration(to: tick.scheduled).clampedNanoseconds
      state.ours.fires.append(
        Fire(
          period: state.ours.periods, lateness: drift + tick.lateness.clampedNanoseconds,
          drift: drift))
      state.ours.periods += tick.missed
      state.ours.missed += tick.missed
      guard state.ours.periods >= periods else { return false }
      state.repeater = nil
      return true
    }
    guard isDone else { return }
    timer.cancel()
    group.leave()
  }

  private func startTheirs() {
    let start = TimerClock.suspending.now
    let timer = AddingUpTimer(every: .milliseconds(1), queue: otherQueue) { [weak self] in
      self?.noteTheirs(since: start)
    }
    state.withLock { $0.addingUp = timer }
    timer.wait()
  }

  private func noteTheirs(since start: TimerClock.Instant) {
    let now = TimerClock.suspending.now
    let isDone = state.withLock { state in
      guard state.addingUp != nil else { return false }
      state.theirs.periods += 1
      let due = start.advanced(by: Self.interval * state.theirs.periods)
      state.theirs.fires.append(
        Fire(period: state.theirs.periods, lateness: due.duration(to: now).clampedNanoseconds))
      guard state.theirs.periods >= periods else { return false }
      state.addingUp = nil
      return true
    }
    if isDone { group.leave() }
  }
}
