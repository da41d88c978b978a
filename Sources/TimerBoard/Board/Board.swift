package import TimerKit

/// The timers as a value: commands go in, events of the live timers go in, effects come out.
///
/// It knows no screen, no selection and no key, reads no clock and touches no timer: whoever drives it
/// performs its effects in order, and applies what comes of them.
package struct Board: Sendable {
  package internal(set) var timers = TimerList()
  package internal(set) var log = EventLog()
  /// A Boolean value that indicates whether bell and notifications are off.
  package internal(set) var isMuted: Bool
  /// The most recent fire of any timer.
  package internal(set) var lastFire: LastFire?
  /// The instant at which the newest of the alerts began; `nil` when all are acknowledged.
  package internal(set) var alertsSince: TimerClock.Instant?
  var undoHistory = UndoHistory()
  /// The timers that "pause all" has paused and nobody has started since.
  var pausedTogether: Set<TimerID> = []
  /// The clocks as of when timers of other clocks than the suspending one were last placed on it.
  private var lastClockSample: ClockReading?
  private var nextID = 1

  /// The most recent fire: the timer's label and the second of the day.
  package struct LastFire: Hashable, Sendable {
    package var label: String
    package var second: Int
  }

  package init(isMuted: Bool = false) {
    self.isMuted = isMuted
  }

  /// Returns the changes of the timers since the last call.
  package mutating func takeChanges() -> ChangeList { timers.takeChanges() }

  mutating func makeID() -> TimerID {
    defer { nextID += 1 }
    return TimerID(nextID)
  }

  /// Reports what was done, or why it was not.
  mutating func report(_ report: Report, at now: ClockReading) -> Effect {
    if !report.isFailure {
      log.add(.action(logText(of: report, at: now)), label: report.label, at: now)
    }
    return .report(report)
  }

  private func logText(of report: Report, at now: ClockReading) -> String {
    guard report.tellsTimeLeft, let id = report.timers.first, let timer = timers[id],
      let time = timer.timeText(at: now)
    else { return report.text }
    return "\(report.text), \(time) left"
  }
}

extension Board {
  /// The difference of clocks that is not seen; clocks that a network keeps right creep by less.
  private static let tolerance = Duration.milliseconds(10)

  /// Places timers of other clocks anew where those have moved against the suspending clock, because a
  /// clock was set or the machine slept.
  package mutating func followClocks(at now: ClockReading) {
    guard haveClocksMoved(by: now) else { return }
    lastClockSample = now
    timers.placeByClocks(at: now)
  }

  package func haveClocksMoved(by now: ClockReading) -> Bool {
    guard let before = lastClockSample else { return true }
    let uptime = before.uptime.duration(to: now.uptime)
    return [TimerClock.Kind.continuous, .wall].contains { clock in
      let moved = before[clock].duration(to: now[clock]) - uptime
      return moved > Self.tolerance || moved < .zero - Self.tolerance
    }
  }
}
