extension Repeater {
  /// The ticks of a timer, for a task that reads them.
  ///
  /// ```swift
  /// for await tick in try Repeater.ticks(every: .seconds(1)) {
  ///   print(tick.iteration)
  /// }
  /// ```
  ///
  /// A slow reader does not delay the timer, and no queue grows: ticks that come while another is
  /// unread are merged. The newest stands for all, and its ``Repeater/Tick/missed`` counts the others
  /// and what they had missed. An interval is four steps here, `-` or `=` being one; the body of the
  /// loop takes ten for the second tick:
  ///
  /// ```
  /// ticks     ----1---2---3---4---5---6---7---
  /// for await ----1---2=========4-5---6---7---   4 has missed == 1: it stands for 3 too
  /// ```
  ///
  /// The ticks are those that the timer delivers: what it missed itself is treated by its
  /// ``MissedTicks`` first. The loop runs where its task runs, on its actor if it has one. Each loop
  /// has an iterator of its own, and two loops do not share ticks; reading one iterator from two tasks
  /// is a programming error.
  public struct Ticks: AsyncSequence, Sendable {
    /// One delivery.
    public typealias Element = Tick
    /// It does not fail.
    public typealias Failure = Never
    typealias Channel = LatestValueChannel<Tick, Never>

    /// Connects a channel to a timer.
    fileprivate let connect: @Sendable (Channel) -> Void

    /// Begins a loop. Ticks count from here on, also those before the first `next()`.
    public func makeAsyncIterator() -> Iterator {
      let channel = Channel { unread, newer in
        var tick = newer
        tick.missed = tick.missed.addingSaturated(unread.missed).addingSaturated(1)
        return tick
      }
      connect(channel)
      return Iterator(reader: ChannelReader(channel))
    }

    /// The iterator of ``Repeater/Ticks``.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate let reader: ChannelReader<Tick, Never>

      /// Waits for the next tick.
      /// - Returns: `nil` at the end, and as soon as the task is cancelled.
      public mutating func next(isolation actor: isolated (any Actor)?) async -> Tick? {
        await reader.channel.next(isolation: actor)
      }
    }
  }

  /// The ticks of a timer of their own, which is created and started by each loop, and cancelled with
  /// it: when the loop is left, or its task is cancelled.
  ///
  /// See ``Ticks`` for a reader that is slower than the timer.
  /// - Parameters:
  ///   - interval: the time between two ticks, and before the first one; greater than zero.
  ///   - count: the number of ticks after which the sequence ends; `nil` if it does not end by itself.
  ///   - tolerance: the time by which a tick may be late, so that several timers share a wake-up.
  ///   - missedTicks: the treatment of ticks whose time has passed because the machine was late.
  ///   - clock: the clock it follows.
  /// - Throws: ``TimerConfigurationError`` for an interval, a count or a tolerance that is not valid.
  public static func ticks(
    every interval: Duration, count: Int? = nil, tolerance: Duration = .zero,
    missedTicks: MissedTicks = .skip, clock: TimerClock = .suspending
  ) throws(TimerConfigurationError) -> Ticks {
    try ticks(
      Configuration(
        .interval(interval), mode: count.map(Mode.finite) ?? .infinite, missedTicks: missedTicks,
        tolerance: tolerance), clock: clock)
  }

  /// The ticks of a timer of their own that follows the time of day. A schedule without an occurrence to
  /// come has no ticks.
  ///
  /// ```swift
  /// for await _ in try Repeater.ticks(
  ///   schedule: .weekdays(.mondayToFriday, hour: 9, minute: 55)) { … }
  /// ```
  /// - Parameters:
  ///   - schedule: the times of the ticks.
  ///   - count: the number of ticks after which the sequence ends; `nil` if it does not end by itself.
  ///   - tolerance: the time by which a tick may be late, so that several timers share a wake-up.
  ///   - missedTicks: the treatment of ticks whose time has passed because the machine was late.
  ///   - clock: a clock of the kind ``TimerClock/Kind/wall``.
  /// - Throws: ``TimerConfigurationError`` for a count, a tolerance or a clock that is not valid.
  public static func ticks(
    schedule: WallSchedule, count: Int? = nil, tolerance: Duration = .zero,
    missedTicks: MissedTicks = .skip, clock: TimerClock = .wall
  ) throws(TimerConfigurationError) -> Ticks {
    try ticks(
      Configuration(
        .schedule(schedule), mode: count.map(Mode.finite) ?? .infinite, missedTicks: missedTicks,
        tolerance: tolerance), clock: clock)
  }

  /// The ticks of a timer of their own, created from a configuration.
  /// - Parameters:
  ///   - configuration: the times at which it fires, and how often.
  ///   - clock: the clock it follows; `nil` is ``TimerClock/wall`` for a schedule, and else
  ///     ``TimerClock/suspending``.
  /// - Throws: the first value of the configuration that is not valid.
  public static func ticks(
    _ configuration: Configuration, clock: TimerClock? = nil
  ) throws(TimerConfigurationError) -> Ticks {
    let clock = try configuration.checked(clock)
    let machine = try RepeaterStateMachine(configuration)
    let tolerance = try configuration.tolerance.checkedTolerance()
    return Ticks { channel in
      let timer = Repeater(
        machine, driver: clock.source.sleepDriver, tolerance: tolerance
      ) { _, tick in
        channel.send(tick)
        if tick.isLast { channel.finish() }
      }
      channel.onTermination { timer.cancel() }
      if timer.start() == .refused(.noOccurrence) { channel.finish() }
    }
  }

  /// The ticks of this timer from the beginning of a loop on, manual ones included. The sequence ends
  /// when the timer finishes, is cancelled or deallocated, or the task that reads it is cancelled. It
  /// does not keep the timer alive, and has no ticks if the timer is finished or cancelled already.
  ///
  /// See ``Ticks`` for a reader that is slower than the timer. For all events, such as a pause, take
  /// ``PausableTimer/events(bufferingNewest:endingOnFinish:)``.
  public var ticks: Ticks {
    Ticks { [weak self] channel in
      guard let self else { return channel.finish() }
      let sender = TickSender(channel: channel)
      let token = observe { _, event in
        switch event {
        case .tick(let tick): sender.channel.send(tick)
        case .state(from: _, to: let state):
          if state.isOver { sender.channel.finish() }
        case .stale: break
        }
      }
      channel.onTermination { [weak self] in self?.remove(token) }
      if state.isOver { channel.finish() }
    }
  }
}

/// The value that a timer's observer captures: it is released with the timer, which ends the sequence.
private final class TickSender: Sendable {
  let channel: Repeater.Ticks.Channel

  init(channel: Repeater.Ticks.Channel) {
    self.channel = channel
  }

  deinit { channel.finish() }
}
