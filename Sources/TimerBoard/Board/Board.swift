package import TimerKit

/// The timers as a value: commands go in, events of the live timers go in, effects come out.
///
/// It has no screen, no selection and no keys, reads no clock and changes no live timer: its caller performs
/// the effects in order and applies the events that result.
package struct Board: Sendable {
  package internal(set) var timers = TimerList()
  package internal(set) var log = EventLog()
  /// A Boolean value that indicates whether bell and notifications are off.
  package var isMuted: Bool
  /// The instant of the newest event that began or repeated an alert; `nil` if all alerts have ended, or began before
  /// the board was restored.
  package internal(set) var newestAlertStart: TimerClock.Instant?
  /// The timers with alerts, the newest last. Before the last one, the list can still contain timers whose alerts have
  /// ended.
  var alertOrder: [TimerID] = []
  var isBellRepeating = false
  var undoHistory = UndoHistory()
  var transitions: [Transition] = []
  var stretches: StretchTracker
  /// The deleted timers whose commands have not ended.
  var deletedWithCommand: Set<TimerID> = []
  /// The timers that "pause all" has paused and that have not been started since.
  var pausedTogether: Set<TimerID> = []
  /// The first reading and those after clocks have jumped, the newest last. At each of them, the instants of other clocks
  /// were converted to the suspending clock.
  private var clockSamples = BoundedList<ClockReading>(limit: 64)
  private var nextID = 1

  /// - Parameter seed: A random number, which makes the identifiers of the history differ from those of other boards.
  package init(isMuted: Bool = false, seed: UInt64 = 0) {
    self.isMuted = isMuted
    stretches = StretchTracker(seed: seed)
  }

  /// Returns true if there is a step to undo or to redo.
  package func canUndo(isRedo: Bool) -> Bool { undoHistory.hasStep(isRedo: isRedo) }

  /// Returns the transitions of timers since the last call.
  package mutating func takeTransitions() -> [Transition] { exchange(&transitions, with: []) }

  /// Makes no identifier that is in a list.
  mutating func reserve(_ ids: [TimerID]) {
    for id in ids where TimerID.range.contains(id.rawValue) {
      nextID = max(nextID, id.rawValue + 1)
    }
  }

  mutating func makeID() -> TimerID {
    defer { nextID += 1 }
    return TimerID(nextID)
  }

  /// Returns the effect of the report of a success, and adds it to the log.
  mutating func report(
    _ text: String, label: String = "", timers: [TimerID] = [], includesTimeLeft: Bool = false,
    at now: ClockReading
  ) -> Effect {
    let report = Report(
      label: label, text: text, timers: timers, includesTimeLeft: includesTimeLeft)
    return self.report(report, at: now)
  }

  /// Returns the effect of a report, and adds the report of a success to the log.
  mutating func report(_ report: Report, at now: ClockReading) -> Effect {
    var report = report
    // A stopwatch has no time left.
    if let id = report.timers.first, timers[id]?.status.countsUp == true {
      report.includesTimeLeft = false
    }
    if !report.isFailure {
      log.add(.action(logText(of: report, at: now)), label: report.label, at: now)
    }
    return .report(report)
  }

  /// Returns the text of a report, with the time left if the report includes it.
  package func logText(of report: Report, at now: ClockReading) -> String {
    guard report.includesTimeLeft, let id = report.timers.first, let timer = timers[id],
      let time = timer.timeText(at: now)
    else { return report.text }
    // The time of a finished timer is its overtime, not the time left.
    return timer.status.state == .finished ? report.text : "\(report.text), \(time) left"
  }

  /// The difference between clocks that is ignored. The gradual corrections of a clock that is synchronized over a
  /// network are smaller; they add up until they exceed this difference.
  private static let tolerance = Duration.milliseconds(10)

  /// Converts the instants of other clocks to the suspending clock again if those clocks have jumped, because a
  /// clock was set or the machine slept.
  package mutating func reconvertInstantsIfClocksJumped(at now: ClockReading) {
    if let before = clockSamples.elements.last {
      let elapsed = before.suspending.duration(to: now.suspending)
      let haveJumped = [TimerClock.Kind.continuous, .wall].contains { clock in
        let moved = before[clock].duration(to: now[clock]) - elapsed
        return moved > Self.tolerance || moved < .zero - Self.tolerance
      }
      guard haveJumped else { return }
    }
    clockSamples.append(now)
    timers.convertToSuspendingClock(at: now)
  }

  /// Returns the time of day of an instant on the suspending clock. That of a past one is what the clock said then,
  /// although it has been set, or the machine has slept, since.
  package func timeOfDay(at instant: TimerClock.Instant, now: ClockReading) -> WallInstant {
    guard instant < now.suspending else { return now.moved(to: instant).wall }
    let samples = clockSamples.elements
    let sample = samples.last { $0.suspending <= instant } ?? samples.first ?? now
    return sample.moved(to: instant).wall
  }
}
