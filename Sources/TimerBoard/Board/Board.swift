package import TimerKit

/// The timers as a value. Commands and the passing of time go in, and what has changed comes out.
///
/// ```swift
/// let change = board.perform(.control(.pause, ids), at: now)   // a key, ctl, the palette
/// let change = board.advance(to: now)                          // a wake-up
/// ```
///
/// It contains the timers themselves: ``BoardTimer/machine`` is TimerKit's value. It has no screen, no selection and no keys,
/// reads no clock and performs no request: its owner performs the ``Change`` of each call, once and in order, and calls
/// ``advance(to:_:)`` at each ``wakeUp(on:)``.
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
  /// The name of the present step, and what it is the inverse of; `nil` if it cannot be undone.
  var stepName: (text: String, isUndone: Bool?)?
  /// The changes of the present call; empty between calls.
  var change = Change()
  var runIDs: RunIDs
  /// The deleted timers whose commands have not ended, with the recorded runs that await the results.
  var deletedWithCommand: [TimerID: UInt64?] = [:]
  /// The first reading and those after clocks have jumped, the newest last.
  private var clockSamples = BoundedList<ClockReading>(limit: 64)
  /// The parts that a session saves, at the end of the previous call.
  private var saved: (revision: Int, isMuted: Bool)
  private var nextID = 1

  /// - Parameter seed: A random number, which makes the identifiers of the history, and random delays, differ from those of
  ///   other boards.
  package init(isMuted: Bool = false, seed: UInt64 = 0) {
    self.isMuted = isMuted
    saved = (0, isMuted)
    runIDs = RunIDs(seed: seed)
  }

  /// Performs a command, after all that is due.
  package mutating func perform(_ command: Command, at now: ClockReading) -> Change {
    noteJump(at: now)
    deliverDue(at: now)
    change.isOnlyFires = false
    asStep(at: now) { $0.handle(command, at: now) }
    // What is due because of an undo follows its report.
    deliverDue(at: now)
    stopUnneededBell()
    return takeChange()
  }

  /// The ways in which time passes.
  package enum Passage: Hashable, Sendable {
    /// A process runs the timers: what is due is delivered now, with its lateness, and a successor starts now.
    case live
    /// No process ran the timers: each deadline counts at its own time. Nothing rings, and no command runs.
    case unattended
  }

  /// Lets time pass.
  ///
  /// A call delivers a limited number of fires, and no fire of a timer that it has started, so that it takes little time: call
  /// it again in a later turn if ``isDue(at:)``, with the clocks read anew.
  package mutating func advance(to now: ClockReading, _ passage: Passage = .live) -> Change {
    noteJump(at: now)
    switch passage {
    case .live: deliverDue(at: now)
    case .unattended: passUnattended(to: now)
    }
    stopUnneededBell()
    return takeChange()
  }

  /// Ends a call.
  /// - Returns: All that it has changed.
  mutating func takeChange() -> Change {
    var change = Change()
    swap(&change, &self.change)
    change.needsSave = saved != (timers.revision, isMuted)
    saved = (timers.revision, isMuted)
    return change
  }

  /// Returns true if a timer is due.
  package func isDue(at now: ClockReading) -> Bool { timers.isDue(at: now) }

  /// The instants at which the board must advance next because of the timers of a clock: from the earliest to the latest
  /// within their tolerances; `nil` if none of them is due ever.
  package func wakeUp(on clock: TimerClock.Kind) -> ClosedRange<TimerClock.Instant>? {
    timers.wakeUp(on: clock)
  }

  /// Returns the timers that were added or changed since the last call, for a front end that has data for each timer.
  package mutating func takeChangedTimers() -> Set<TimerID> { timers.takeChanges() }

  /// Returns true if there is a step to undo or to redo.
  package func canUndo(isRedo: Bool) -> Bool { undoHistory.hasStep(isRedo: isRedo) }

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

  /// Reports a success, and adds it to the log.
  mutating func report(
    _ text: String, label: String = "", timers: [TimerID] = [], includesTimeLeft: Bool = false,
    at now: ClockReading
  ) {
    report(
      Report(label: label, text: text, timers: timers, includesTimeLeft: includesTimeLeft), at: now)
  }

  /// Reports the outcome of a command, and adds that of a success to the log.
  mutating func report(_ report: Report, at now: ClockReading) {
    var report = report
    // A stopwatch has no time left.
    if let id = report.timers.first, timers[id]?.machine.countsUp == true {
      report.includesTimeLeft = false
    }
    if !report.isFailure {
      log.add(.action(logText(of: report, at: now)), label: report.label, at: now)
    }
    change.reports.append(report)
  }

  /// Returns the text of a report, with the time left if the report includes it.
  package func logText(of report: Report, at now: ClockReading) -> String {
    guard report.includesTimeLeft, let id = report.timers.first, let timer = timers[id],
      let time = timer.timeText(at: now)
    else { return report.text }
    // The time of a finished timer is its overtime, not the time left.
    return timer.state == .finished ? report.text : "\(report.text), \(time) left"
  }

  /// The difference between clocks that is ignored. The gradual corrections of a clock that is synchronized over a
  /// network are smaller; they add up until they exceed this difference.
  private static let tolerance = Duration.milliseconds(10)

  /// Notes a reading if clocks have jumped since the one before: a clock was set, or the machine slept.
  mutating func noteJump(at now: ClockReading) {
    if let before = clockSamples.elements.last {
      let elapsed = before.suspending.duration(to: now.suspending)
      let haveJumped = [TimerClock.Kind.continuous, .wall].contains { clock in
        let moved = before[clock].duration(to: now[clock]) - elapsed
        return moved > Self.tolerance || moved < .zero - Self.tolerance
      }
      guard haveJumped else { return }
    }
    clockSamples.append(now)
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
