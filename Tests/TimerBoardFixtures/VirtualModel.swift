package import TimerBoard
package import TimerKit

/// A ``TimerModel`` whose timers follow virtual clocks, with services that note what they were asked to do.
package final class VirtualModel {
  /// 2026-07-01 14:29:00 UTC, a Wednesday.
  package static let startTime = WallInstant(nanosecondsSince1970: 1_782_916_140_000_000_000)

  package let suspending: VirtualClock
  package let continuous: VirtualClock
  package let wall: VirtualClock
  package let model: TimerModel
  package let services = NotedServices()

  package init(
    startingAt start: Duration = .seconds(1000), continuousAt: Duration? = nil,
    isMuted: Bool = false
  ) {
    let suspending = VirtualClock(startingAt: start, wall: Self.startTime)
    let continuous = VirtualClock(
      .continuous, startingAt: continuousAt ?? start, wall: Self.startTime)
    let wall = VirtualClock(.wall, wall: Self.startTime)
    (self.suspending, self.continuous, self.wall) = (suspending, continuous, wall)
    model = TimerModel(
      Board(isMuted: isMuted),
      clocks: TimerClocks(
        continuous: .virtual(continuous), suspending: .virtual(suspending), wall: .virtual(wall)),
      queue: nil,
      readClocks: {
        ClockReading(
          suspending: suspending.now, continuous: continuous.now,
          wall: wall.now.wallInstant ?? Self.startTime, secondsFromUTC: 0,
          wallClock: .virtual(wall))
      }, wake: {})
    model.services = services
  }

  package var now: ClockReading {
    ClockReading(
      suspending: suspending.now, continuous: continuous.now,
      wall: wall.now.wallInstant ?? Self.startTime, secondsFromUTC: 0, wallClock: .virtual(wall))
  }

  private var clocks: [VirtualClock] { [suspending, continuous, wall] }

  /// Advances all clocks together, from deadline to deadline, so that the events of all clocks are applied in order and
  /// at their times.
  package func advance(by duration: Duration, applying: Bool = true) {
    var left = duration
    repeat {
      let steps = clocks.compactMap { clock in
        clock.nextDeadline.map { clock.now.duration(to: $0) }
      }
      let step = min(left, max(.nanoseconds(1), steps.min() ?? left))
      for clock in clocks { clock.advance(by: step) }
      if applying { receive() }
      left -= step
    } while left > .zero
  }

  /// Simulates a machine that sleeps.
  package func sleep(for duration: Duration) {
    for clock in clocks { clock.suspend(for: duration) }
    receive()
  }

  /// Sets the time of day.
  package func adjustWall(by change: Duration) {
    for clock in clocks { clock.adjustWall(by: change) }
    receive()
  }

  /// Applies events, and the events that they cause.
  package func receive() {
    while model.hasEvents { model.receive() }
  }
}

/// Services that perform nothing.
package final class NotedServices: TimerServices {
  /// The calls, as the effects of the board that have caused them.
  package private(set) var effects: [Board.Effect] = []
  package private(set) var change = BoardChange()

  package func run(_ command: String, for fire: Transition) { effects.append(.run(command, fire)) }

  /// The timers that were removed.
  package private(set) var removedTimers: [TimerID] = []
  /// A Boolean value that indicates whether the command of a timer that is removed has begun.
  package var hasCommandBegun = false

  package func dropWaitingCommands(of id: TimerID) -> Bool {
    removedTimers.append(id)
    return hasCommandBegun
  }
  package func ringOnce() { effects.append(.ringOnce) }
  package func repeatBell(_ isOn: Bool) { effects.append(.repeatBell(isOn)) }
  package func notify(_ notification: TimerNotification) { effects.append(.notify(notification)) }

  package func changed(_ new: BoardChange) {
    change.reports += new.reports
    change.transitions += new.transitions
    change.history += new.history
    effects += new.reports.map { .report($0) }
    onChange?(new)
  }

  /// Called with each change.
  package var onChange: ((BoardChange) -> Void)?

  package func takeTransitions() -> [Transition] {
    defer { change.transitions = [] }
    return change.transitions
  }

  package func takeHistory() -> [HistoryLine] {
    defer { change.history = [] }
    return change.history
  }
}
