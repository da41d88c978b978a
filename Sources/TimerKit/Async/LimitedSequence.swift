extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Returns a sequence that yields the last element of each burst, the first one, or both.
  ///
  /// ```swift
  /// func search(_ texts: AsyncStream<String>) async throws {
  ///   for await text in try texts.debounced(for: .milliseconds(300)) {
  ///     print("search for \(text)")
  ///   }
  /// }
  /// ```
  ///
  /// The sequence passes its elements through a ``Debouncer``. With a delay of three units of time, `-` being
  /// one, and `|` the end:
  ///
  /// ```
  /// base       a-b-c---------d-|
  /// .trailing  -------c--------d|   what is pending at the end is yielded without waiting
  /// .leading   a-------------d-|
  /// .both      a------c------d-|
  /// ```
  ///
  /// **Backpressure.** A separate task reads the base sequence as fast as it yields elements. At most one
  /// element waits for the reader, the task that iterates over the returned sequence: if the reader is slow, the next element replaces it. The base sequence is
  /// therefore never slowed down by the reader.
  ///
  /// **End.** When the base sequence ends or throws, a pending element is yielded first, without waiting; then
  /// the sequence ends, or throws the same error. When the reader's task is cancelled, or its iterator is
  /// released, the sequence ends at once, a pending element is dropped, and the task that reads the base
  /// sequence is cancelled.
  /// - Parameters:
  ///   - delay: the time without elements before the trailing edge; zero or more.
  ///   - edges: the elements of a burst that are yielded.
  ///   - maxWait: the maximum time for which an element waits for the trailing edge; `nil` if there is no
  ///     maximum: see ``DebounceConfiguration/maxWait``.
  ///   - tolerance: the time by which an element may be late, so that several timers share a wake-up.
  ///   - clock: the clock it follows.
  /// - Throws: ``TimerConfigurationError/invalidDuration(_:parameter:)`` for a negative delay, `maxWait` or
  ///   tolerance.
  public func debounced(
    for delay: Duration, edges: DebounceEdges = .trailing, maxWait: Duration? = nil,
    tolerance: Duration = .zero, clock: TimerClock = .suspending
  ) throws(TimerConfigurationError) -> some AsyncSequence<Element, Failure> & Sendable {
    let machine = try DebounceStateMachine<LimitedElement<Element, Failure>>(
      DebounceConfiguration(delay: delay, edges: edges, maxWait: maxWait, tolerance: tolerance),
      clock: clock.kind)
    let tolerance = try tolerance.checkedTolerance()
    return LimitedSequence(base: self, executor: clock.timeSource.virtualExecutor) { deliver in
      Debouncer(machine, driver: clock.timeSource.driverForTasks, tolerance: tolerance) {
        deliver($1)
      }
    }
  }

  /// Returns a sequence that yields at most one element in each interval.
  ///
  /// ```swift
  /// func show(_ progress: AsyncStream<Double>) async throws {
  ///   for await fraction in try progress.throttled(for: .milliseconds(100)) {
  ///     print("\(Int(fraction * 100)) %")
  ///   }
  /// }
  /// ```
  ///
  /// The sequence passes its elements through a ``Throttler``. With an interval of four units of time, `-`
  /// being one, and `|` the end:
  ///
  /// ```
  /// base               a-bc---d-------e-f|
  /// .fromDelivery      a---c---d------e--f|   what is pending at the end is yielded without waiting
  /// keeping: .first    a---b---d------e--f|
  /// keeping: .nothing  a------d-------e--|
  /// .deferred          ----c------d------f|
  /// ```
  ///
  /// Backpressure, end, errors and cancellation are those of
  /// ``debounced(for:edges:maxWait:tolerance:clock:)``. With an interval of zero, the throttler drops no element,
  /// but a slow reader still receives only the newest one.
  /// - Parameters:
  ///   - interval: the minimum time between two elements; zero or more.
  ///   - mode: the event with which an interval begins: with ``ThrottleMode/fromDelivery``, a delivery.
  ///   - keeping: the element that is yielded at the end of an interval, of all that came during it.
  ///   - tolerance: the time by which an element may be late, so that several timers share a wake-up.
  ///   - clock: the clock it follows.
  /// - Throws: ``TimerConfigurationError/invalidDuration(_:parameter:)`` for a negative interval or tolerance.
  public func throttled(
    for interval: Duration, mode: ThrottleMode = .fromDelivery, keeping: KeptValue = .latest,
    tolerance: Duration = .zero, clock: TimerClock = .suspending
  ) throws(TimerConfigurationError) -> some AsyncSequence<Element, Failure> & Sendable {
    let machine = try ThrottleStateMachine<LimitedElement<Element, Failure>>(
      ThrottleConfiguration(interval: interval, mode: mode, keeping: keeping, tolerance: tolerance),
      clock: clock.kind)
    let tolerance = try tolerance.checkedTolerance()
    return LimitedSequence(base: self, executor: clock.timeSource.virtualExecutor) { deliver in
      Throttler(machine, driver: clock.timeSource.driverForTasks, tolerance: tolerance) {
        deliver($1)
      }
    }
  }
}

/// An asynchronous sequence that passes its elements through a ``CallLimiter``.
///
/// A separate task reads the base sequence as fast as it yields elements, and calls the limiter with every
/// element. The newest element that the limiter has delivered waits in the channel for the reader. The task
/// starts with the first `next()`. It ends with the base sequence or the iterator, or when the reader is
/// cancelled.
struct LimitedSequence<Base, Limiter>: AsyncSequence, Sendable
where
  Base: AsyncSequence & Sendable, Base.Element: Sendable,
  Limiter: LimiterStorageOwner & CallLimiter, Limiter.Machine: CallStateMachine,
  Limiter.Machine.Delivery == LimitedElement<Base.Element, Base.Failure>,
  Limiter.Delivery == LimitedElement<Base.Element, Base.Failure>
{
  typealias Element = Base.Element
  typealias Failure = Base.Failure
  typealias Item = LimitedElement<Base.Element, Base.Failure>
  typealias Channel = LatestValueChannel<Base.Element, Base.Failure>

  let base: Base
  let executor: (any TaskExecutor)?
  /// A closure that creates a limiter, which delivers to `deliver`.
  let makeLimiter: @Sendable (_ deliver: @escaping @Sendable (Item) -> Void) -> Limiter

  func makeAsyncIterator() -> Iterator {
    let channel = Channel { _, newer in newer }
    let limiter = makeLimiter { item in
      switch item {
      case .element(let element): channel.send(element)
      case .end(let failure): channel.finish(throwing: failure)
      }
    }
    channel.onTermination { limiter.cancel() }
    let reference = ChannelReference(channel, droppingUnread: true)
    return Iterator(channelReference: reference) { [base, executor] in
      let task = Task(executorPreference: executor) { await Self.read(base, into: limiter) }
      channel.onTermination {
        task.cancel()
        limiter.cancel()
      }
    }
  }

  private static func read(_ base: Base, into limiter: Limiter) async {
    var iterator = base.makeAsyncIterator()
    var end = Item.end(nil)
    do throws(Base.Failure) {
      while let element = try await iterator.next(isolation: nil) {
        if Task.isCancelled { return }
        limiter.call(.element(element))
      }
    } catch {
      end = .end(error)
    }
    limiter.flush(appending: end)
  }

  struct Iterator: AsyncIteratorProtocol {
    let channelReference: ChannelReference<Element, Failure>
    /// A closure that starts the task that reads the base sequence; `nil` after it has been called.
    var start: (@Sendable () -> Void)?

    init(
      channelReference: ChannelReference<Element, Failure>, start: @escaping @Sendable () -> Void
    ) {
      self.channelReference = channelReference
      self.start = start
    }

    mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Failure) -> Element? {
      let start = start.take() ?? {}
      return try await channelReference.channel.next(isolation: actor, whenWaiting: start)
    }
  }
}

/// The value that the limiter of a ``LimitedSequence`` delivers.
enum LimitedElement<Element: Sendable, Failure: Error>: Sendable {
  case element(Element)
  case end(Failure?)
}

extension LimiterStorageOwner where Machine: CallStateMachine {
  /// Delivers the pending value without waiting, and then a last value.
  func flush(appending last: Machine.Delivery) {
    var last: Machine.Delivery? = last
    storage.control(self) { (machine, now) in
      _ = machine.flush(at: now)
      machine.calls.makeReady(&last, at: now)
    }
  }
}
