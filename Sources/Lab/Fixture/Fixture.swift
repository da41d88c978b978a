import Dashboard
import Synchronization
import TimerBoard
import TimerKit

/// The clock, the lanes and the timers of a scene on virtual time.
final class Fixture: Sendable {
  /// The virtual clock of the scene.
  let clock = VirtualClock()
  private let laneList = Mutex<[Lane]>([])
  private let timers = Mutex<[any ObservableTimer]>([])
  /// The effect of the key that is being handled, in a word; `nil` for the label of the key. The handler of the keys sets it.
  let keyWord = MutexBox<String?>(nil)

  /// Adds a lane below the existing ones. Its outcome is good if it has no wrong mark.
  /// - Parameters:
  ///   - isJudged: False if the outcome is not shown. That of an input never is.
  ///   - own: The clock that gives the time of its marks, if it is not the clock of the scene.
  func lane(
    _ label: String, isInput: Bool = false, isJudged: Bool = true, on own: VirtualClock? = nil
  ) -> Lane {
    let lane = Lane(
      LabLane(label, isInput: isInput, segments: [.init(.zero, .idle)]), on: own ?? clock)
    if isJudged, !isInput { lane.judge { [weak lane] in lane?.count(.wrong) == 0 } }
    laneList.withLock { $0.append(lane) }
    return lane
  }

  var lanes: [Lane] { laneList.withLock { $0 } }

  /// Adds a lane of presses, with their number beside it.
  /// - Returns: A closure that marks a press with the next letter of a to z, and returns the letter.
  func pressLane() -> () -> Character {
    let lane = lane("you", isInput: true)
    lane.setNote { counted(lane.markCount, "press", plural: "presses") }
    var next = 0
    return {
      defer { next = (next + 1) % 26 }
      let letter = Character(Unicode.Scalar(UInt8(97 + next)))
      lane.mark(.character(letter))
      return letter
    }
  }

  /// Keeps references to timers until ``tearDown()``.
  func keep(_ timers: any ObservableTimer...) {
    self.timers.withLock { $0 += timers }
  }

  /// Adds a timer that repeats on the clock of the scene, and keeps it.
  func every(
    _ interval: Duration, _ body: @escaping @Sendable () -> Void
  ) throws(TimerConfigurationError) {
    keep(try Repeater.every(interval, clock: .virtual(clock)) { _, _ in body() })
  }

  /// Cancels the timers, and releases them and the notes of the lanes. Timers refer to lanes, and notes to timers:
  /// without it, those cycles would keep both alive.
  func tearDown() {
    let released = timers.withLock { exchange(&$0, with: []) }
    for lane in lanes { lane.releaseTimers() }
    // The lock is not held while timers are deallocated.
    for timer in released { timer.cancel() }
  }

  /// The number of marks on all lanes.
  var markCount: Int { lanes.reduce(0) { $0 + $1.markCount } }
}

/// A lane that timers draw on as they fire, on any thread.
final class Lane: Sendable {
  private struct State {
    var lane: LabLane
    var counts: [LabMarkKind: Int] = [:]
    var note: @Sendable () -> String = { "" }
    var isGood: (@Sendable () -> Bool)?
  }

  /// The number of marks that are kept at least: more than a screen shows.
  private static let capacity = 2000

  /// The clock that gives the time of the marks.
  let clock: VirtualClock
  private let state: Mutex<State>

  init(_ lane: LabLane, on clock: VirtualClock) {
    self.clock = clock
    state = Mutex(State(lane: lane))
  }

  /// Adds a mark.
  /// - Parameters:
  ///   - time: The time of the mark; `nil` for now.
  ///   - word: The word beside the mark, where there is room.
  ///   - fault: If the event is wrong, the word for it.
  func mark(
    _ kind: LabMarkKind, at time: TimerClock.Instant? = nil, word: String = "",
    wrong fault: String? = nil
  ) {
    let at = time.map { .nanoseconds($0.nanoseconds) } ?? now
    let kind = fault == nil ? kind : .wrong
    state.withLock { state in
      Self.add(.init(at, kind, word: fault ?? word), to: &state.lane.marks)
      state.counts[kind, default: 0] += 1
    }
  }

  /// Marks a number with its meaning, such as `3 writes`. Where the text has no room, the number stands alone.
  func mark(_ number: Int, _ text: String) {
    mark(.character(number < 10 ? Character("\(max(0, number))") : "+"), word: text)
  }

  /// Sets the line, or the plane with a word in it, that is drawn from now on.
  func setLine(_ line: LabLine, word: String = "") {
    let now = now
    state.withLock { state in
      guard state.lane.segments.last?.value != line || state.lane.segments.last?.word != word
      else { return }
      Self.add(.init(now, line, word: word), to: &state.lane.segments)
    }
  }

  /// Sets the level that is drawn from now on, and the part of it that is in use.
  /// - Parameter scale: The number of slots at the top of the lane.
  func setLevel(_ value: Int, used: Int, scale: Int) {
    let now = now
    state.withLock { state in
      Self.add(.init(now, min(1, Double(value) / Double(scale))), to: &state.lane.levels)
      Self.add(.init(now, min(1, Double(used) / Double(scale))), to: &state.lane.used)
      state.lane.scale = "\(scale) slots"
    }
  }

  /// Adds a value, and forgets the oldest ones if there are many.
  private static func add<Value>(_ value: LabLane.At<Value>, to list: inout [LabLane.At<Value>]) {
    list.append(value)
    if list.count > 2 * capacity { list.removeFirst(capacity) }
  }

  /// Sets the text beside the lane, which is computed for every snapshot.
  func setNote(_ note: @escaping @Sendable () -> String) {
    state.withLock { $0.note = note }
  }

  /// Shows, beside the lane, if its outcome is good.
  func judge(_ isGood: @escaping @Sendable () -> Bool) {
    state.withLock { $0.isGood = isGood }
  }

  /// Releases the notes, which refer to timers.
  func releaseTimers() {
    state.withLock { ($0.note, $0.isGood) = ({ "" }, nil) }
  }

  /// Returns the number of marks of one kind, up to a time of the lane's own clock.
  func count(_ kind: LabMarkKind, until time: TimerClock.Instant? = nil) -> Int {
    let time = Duration.nanoseconds(time?.nanoseconds ?? .max)
    return state.withLock { state in
      let later = state.lane.marks.reversed().prefix { $0.time > time }.count { $0.value == kind }
      return state.counts[kind, default: 0] - later
    }
  }

  var markCount: Int { state.withLock { $0.counts.values.reduce(0, +) } }

  /// The times of the marks of some kinds.
  func times(where isIncluded: (LabMarkKind) -> Bool) -> [Duration] {
    state.withLock { $0.lane.marks.filter { isIncluded($0.value) }.map(\.time) }
  }

  /// The lane as a value, with its note.
  var value: LabLane {
    // The note may ask this lane for its counts, so it runs without the lock.
    let (lane, note, isGood) = state.withLock { ($0.lane, $0.note, $0.isGood) }
    var value = lane
    value.note = note()
    value.isGood = isGood?()
    return value
  }

  private var now: Duration { .nanoseconds(clock.now.nanoseconds) }

  /// Draws the lane as waiting while a debouncer, throttler or background timer has a call pending.
  func follow<Timer: ObservableTimer>(_ timer: Timer) where Timer.State == CallState {
    timer.observe { [self] _, event in
      guard case .state(_, let new) = event else { return }
      setLine(new == .pending ? .waiting : .idle)
    }
  }
}

/// Runs code that creates or sets timers. The durations are constants of the scenes, which every timer accepts.
func withValidTimers<Result>(_ body: () throws -> Result) -> Result {
  do { return try body() } catch {
    preconditionFailure("a scene has an invalid timer configuration: \(error)")
  }
}

/// A value that handlers on any thread share.
final class MutexBox<Value: Sendable>: Sendable {
  private let stored: Mutex<Value>

  init(_ value: Value) {
    stored = Mutex(value)
  }

  var value: Value {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }

  /// Sets a new value.
  /// - Returns: The old one.
  func exchange(_ new: Value) -> Value { stored.withLock { Swift.exchange(&$0, with: new) } }
}
