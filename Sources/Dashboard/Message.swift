public import TerminalCore
public import TimerKit

/// A timer of the dashboard, for as long as the program runs; a name can change, this does not.
public struct TimerID: Hashable, Sendable {
  public var rawValue: Int

  public init(_ rawValue: Int) {
    self.rawValue = rawValue
  }
}

/// What reaches the dashboard from outside.
public enum Message: Sendable {
  case input(TerminalInput)
  case resized(Size)
  /// A timer's own event, with the whole state it is in by now. Without an event it is the answer to
  /// an effect: every ``Effect/create(_:_:restoring:)`` and ``Effect/send(_:to:)`` is answered by
  /// one when it was performed, whatever became of it. Input waits until all answers are there,
  /// because what a key means depends on them. A timer's messages come in the order in which
  /// what they tell happened.
  case timer(TimerID, TimerNews?, TimerStatus)
  /// There can be no timer as ``Effect/create(_:_:restoring:)`` asked for, and why; it takes the place
  /// of the answer.
  case notCreated(TimerID, String)
  /// How a command ended that ``Effect/run(_:_:_:_:_:)`` has asked for, and whether another one of the
  /// same timer runs or waits to.
  case command(TimerID, CommandResult, isRunning: Bool)
  /// The program came back from a suspension, or the picture was asked for anew.
  case resumed
  /// The answer to ``Effect/lab(_:)`` where that led out of the lab.
  case labLeft
  /// Something went wrong outside that a person is to know of, such as a session that cannot be saved.
  case trouble(String)
  /// Something happened outside that is worth a line, such as the end of what is piped in.
  case told(String)
}

/// What happened to a timer, in the words that all kinds share.
public enum TimerNews: Hashable, Sendable {
  /// It shows another state.
  case changed
  case fired(Fire)
  /// A fire that was refused because a control had overtaken it.
  case stale
  /// A command that it cannot perform, and the reason.
  case refused(String)
}

/// One fire of a timer, whatever its kind.
public struct Fire: Hashable, Sendable {
  /// How late it came; `nil` where it was due at no time, as when it was asked for by hand.
  public var lateness: Duration?
  /// Fires that it stands for besides itself, because the timer was late.
  public var missed: Int
  /// When it was due, on the timer's clock; `nil` as for `lateness`.
  public var due: TimerClock.Instant?
  /// Which fire of its run it is, from 1; of a cycle, which round. `nil` for kinds without runs.
  public var iteration: Int?

  public init(
    lateness: Duration?, missed: Int = 0, due: TimerClock.Instant? = nil, iteration: Int? = nil
  ) {
    self.lateness = lateness
    self.missed = missed
    self.due = due
    self.iteration = iteration
  }
}

/// What can be asked of a timer; the screen changes when the timer's own event comes back.
public enum TimerCommand: Hashable, Sendable {
  /// Also resumes, and restarts a finished one.
  case start
  case pause
  case reset(restart: Bool)
  case fire(andPause: Bool)
  case adjustTimeLeft(Duration)
  case setInterval(Duration, Repeater.IntervalChange)
  case setRemainingIterations(Int)
  /// A cycle goes on to its next phase.
  case skip
  /// A stopwatch takes a lap.
  case lap
}

/// What the dashboard asks of the world; whoever drives it performs them in order.
public enum Effect: Hashable, Sendable {
  /// Makes a timer and starts it, or makes it as it once was: it runs on with the time it had left,
  /// or stays paused, idle or finished. A timer of the same id is cancelled and let go before, and
  /// nothing of it is heard afterwards.
  case create(TimerID, TimerSpec, restoring: TimerCheckpoint?)
  case send(TimerCommand, to: TimerID)
  /// Cancels a timer and lets it go; nothing of it is heard afterwards.
  case remove(TimerID)
  /// Runs a timer's command, a text for a shell, because of a fire; with it come what was asked for
  /// and what the timer was by then. It may take its time, wait for others, and stand for those that
  /// wait with it; how it ended is told by ``Message/command(_:_:isRunning:)``. Whoever makes the
  /// timer anew or removes it ends its commands too.
  case run(String, TimerID, TimerSpec, Fire, TimerStatus)
  /// Rings the terminal's bell.
  case ring
  /// Rings it again and again from now on, or no more.
  case keepRinging(Bool)
  /// Tells of a timer where a person sees it who does not look at the screen.
  case notify(TimerNotification)
  /// Draws the whole screen anew, in case something else wrote on it.
  case redraw
  case suspend
  /// Does something in the lab, whose picture is ``Dashboard/lab``.
  case lab(LabCommand)
  case quit(status: Int32)
}
