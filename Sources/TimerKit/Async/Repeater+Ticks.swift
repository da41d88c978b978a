extension Repeater {
  /// An asynchronous sequence of the ticks of a timer.
  ///
  /// ```swift
  /// for await tick in try Repeater.ticks(every: .seconds(1)) {
  ///   print(tick.iteration)
  /// }
  /// ```
  ///
  /// A slow reader does not delay the timer, and no queue grows: unread ticks are merged into the newest one,
  /// whose ``Repeater/Tick/missedCount`` counts the others and the ticks that they had missed. Here an interval is
  /// four units of time, `-` or `=` being one, and the body of the loop takes ten units for the second tick:
  ///
  /// ```
  /// ticks     ----1---2---3---4---5---6---7---
  /// for await ----1---2=========4-5---6---7---   4 has missedCount == 1, for 3
  /// ```
  ///
  /// The sequence contains the ticks that the timer delivers under its ``MissedTicks`` policy. The body of a
  /// loop runs in your task, on its actor. Each loop has its own iterator and receives all ticks; reading one
  /// iterator from two tasks is a programming error.
  public struct Ticks: AsyncSequence, Sendable {
    /// A tick of the timer.
    public typealias Element = Tick
    /// `Never`, because the sequence does not throw.
    public typealias Failure = Never
    typealias Channel = LatestValueChannel<Tick, Never>

    /// A closure that connects a channel to a timer.
    fileprivate let connect: @Sendable (Channel) -> Void

    /// Returns an iterator. It receives all ticks from now on, including those before the first `next()`.
    public func makeAsyncIterator() -> Iterator {
      let channel = Channel { unread, newer in
        var tick = newer
        tick.missedCount = tick.missedCount.addingSaturated(unread.missedCount).addingSaturated(1)
        return tick
      }
      connect(channel)
      return Iterator(channelReference: ChannelReference(channel, droppingUnread: true))
    }

    /// The iterator of ``Repeater/Ticks``.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate let channelReference: ChannelReference<Tick, Never>

      /// Waits for the next tick and returns it.
      /// - Returns: the tick; `nil` at the end of the sequence, and as soon as the task is cancelled.
      public mutating func next(isolation actor: isolated (any Actor)?) async -> Tick? {
        await channelReference.channel.next(isolation: actor)
      }
    }
  }

  /// Returns a sequence of the ticks of a new timer. Each loop creates and starts its own timer, which is
  /// cancelled when the loop ends or its task is cancelled.
  ///
  /// For a reader that is slower than the timer, see ``Ticks``.
  /// - Parameters:
  ///   - interval: the time between two ticks, and before the first one; greater than zero.
  ///   - count: the number of ticks after which the sequence ends; `nil` if it does not end by itself.
  ///   - startDelay: the time before the first tick, from which the intervals count; `nil` is one interval.
  ///   - tolerance: the time by which a tick may be late, so that several timers share a wake-up.
  ///   - missedTicks: the treatment of ticks that were not delivered before the next one was due.
  ///   - jitter: the maximum of a random delay of each tick: see ``Configuration/jitter``. `nil` is none.
  ///   - clock: the clock it follows.
  /// - Throws: ``TimerConfigurationError`` for an interval, a count, a tolerance or a burst limit that is not valid.
  public static func ticks(
    every interval: Duration, count: Int? = nil, startingAfter startDelay: Duration? = nil,
    tolerance: Duration = .zero, missedTicks: MissedTicks = .skip, jitter: Duration? = nil,
    clock: TimerClock = .suspending
  ) throws(TimerConfigurationError) -> Ticks {
    try ticks(
      Configuration(
        .interval(interval), mode: Mode(count: count), startingAfter: startDelay,
        tolerance: tolerance, missedTicks: missedTicks, jitter: jitter), clock: clock)
  }

  /// Returns a sequence of the ticks of a new timer that follows the time of day. It is empty if the schedule
  /// has no further occurrence.
  ///
  /// ```swift
  /// for await _ in try Repeater.ticks(
  ///   schedule: .weekdays(.mondayToFriday, hour: 9, minute: 55)) { … }
  /// ```
  /// - Parameters:
  ///   - schedule: the times of the ticks.
  ///   - count: the number of ticks after which the sequence ends; `nil` if it does not end by itself.
  ///   - tolerance: the time by which a tick may be late, so that several timers share a wake-up.
  ///   - missedTicks: the treatment of ticks that were not delivered before the next one was due.
  ///   - jitter: the maximum of a random delay of each tick: see ``Configuration/jitter``. `nil` is none.
  ///   - clock: a clock of the kind ``TimerClock/Kind/wall``.
  /// - Throws: ``TimerConfigurationError`` for a count, a tolerance, a burst limit or a clock that is not valid.
  public static func ticks(
    schedule: WallSchedule, count: Int? = nil, tolerance: Duration = .zero,
    missedTicks: MissedTicks = .skip, jitter: Duration? = nil, clock: TimerClock = .wall
  ) throws(TimerConfigurationError) -> Ticks {
    try ticks(
      Configuration(
        .schedule(schedule), mode: Mode(count: count), tolerance: tolerance,
        missedTicks: missedTicks, jitter: jitter), clock: clock)
  }

  /// Returns a sequence of the ticks of a new timer, which is created from a configuration.
  /// - Parameters:
  ///   - configuration: the times at which it fires, and the number of ticks.
  ///   - clock: the clock it follows; `nil` is ``TimerClock/wall`` for a schedule, and otherwise
  ///     ``TimerClock/suspending``.
  /// - Throws: ``TimerConfigurationError`` for the first invalid value of the configuration, or for a schedule on a
  ///   clock that is not of the kind ``TimerClock/Kind/wall``.
  public static func ticks(
    _ configuration: Configuration, clock: TimerClock? = nil
  ) throws(TimerConfigurationError) -> Ticks {
    try ticks(configuration, on: SequenceClock(try configuration.resolvedClock(clock)))
  }

  /// Returns a sequence of the ticks of a new timer on any clock: one of the standard library, a ``VirtualClock``, or
  /// one of another package. The other parameters and the errors are those of
  /// ``ticks(every:count:startingAfter:tolerance:missedTicks:jitter:clock:)``.
  ///
  /// On a clock that TimerKit does not know, a task sleeps until the next tick, and ``Tick/deadline`` is an instant of
  /// a ``VirtualClock`` that begins with the loop. If a sleep on it throws an error, the sequence ends.
  public static func ticks(
    every interval: Duration, count: Int? = nil, startingAfter startDelay: Duration? = nil,
    missedTicks: MissedTicks = .skip, jitter: Duration? = nil, clock: some Clock<Duration>
  ) throws(TimerConfigurationError) -> Ticks {
    try ticks(
      Configuration(
        .interval(interval), mode: Mode(count: count), startingAfter: startDelay,
        missedTicks: missedTicks, jitter: jitter), on: .any(clock))
  }

  private static func ticks(
    _ configuration: Configuration, on clock: SequenceClock
  ) throws(TimerConfigurationError) -> Ticks {
    _ = try RepeaterStateMachine(configuration)
    _ = try configuration.tolerance.checkedTolerance()
    return Ticks { channel in
      let connection = clock.connect()
      let queue = AlarmDriver.taskQueue
      let timer = try? Repeater(configuration, clock: connection.clock, queue: queue) { _, tick in
        channel.send(tick)
      }
      // The configuration has been validated.
      guard let timer else { return channel.finish() }
      // A schedule can also end while the handler of a tick runs that is not the last one.
      timer.observe { _, event in
        if case .state(from: _, to: .finished) = event { channel.finish() }
      }
      channel.onTermination {
        timer.cancel()
        // It keeps the connection until then.
        withExtendedLifetime(connection) {}
      }
      connection.onFailure { channel.finish() }
      connection.perform { if timer.start() == .refused(.noOccurrence) { channel.finish() } }
    }
  }

  /// A sequence of the ticks of this timer from the beginning of a loop, including manual ticks.
  ///
  /// The sequence ends when the timer finishes, is cancelled or deallocated, or when the reading task is
  /// cancelled. It does not keep the timer alive, and is empty if the timer is already finished or cancelled.
  ///
  /// For a reader that is slower than the timer, see ``Ticks``. For all events, such as a pause, use
  /// ``PausableTimer/events(bufferingNewest:endingOnFinish:)``.
  public var ticks: Ticks {
    Ticks { [weak self] channel in
      guard let self else { return channel.finish() }
      // The observer captures it, so that the sequence ends when the timer is released.
      let reference = ChannelReference(channel, droppingUnread: false)
      let token = observe { _, event in
        switch event {
        case .delivery(let tick): reference.channel.send(tick)
        case .state(from: _, to: let state):
          if state.isOver { reference.channel.finish() }
        case .stale: break
        }
      }
      channel.onTermination { [weak self] in self?.removeObserver(token) }
      if state.isOver { channel.finish() }
    }
  }
}
