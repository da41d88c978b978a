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
    try debounced(
      DebounceConfiguration(delay: delay, edges: edges, maxWait: maxWait, tolerance: tolerance),
      on: SequenceClock(clock))
  }

  /// Returns a sequence that yields the last element of each burst, the first one, or both, on any clock: one of the
  /// standard library, a ``VirtualClock``, or one of another package.
  ///
  /// On a clock that TimerKit does not know, a task sleeps until the next deadline, and timers share no wake-up. If a sleep
  /// on it throws an error, a pending element is yielded without waiting, and the sequence ends. The other parameters and the errors are those of ``debounced(for:edges:maxWait:tolerance:clock:)``.
  public func debounced(
    for delay: Duration, edges: DebounceEdges = .trailing, maxWait: Duration? = nil,
    clock: some Clock<Duration>
  ) throws(TimerConfigurationError) -> some AsyncSequence<Element, Failure> & Sendable {
    try debounced(
      DebounceConfiguration(delay: delay, edges: edges, maxWait: maxWait), on: .any(clock))
  }

  private func debounced(
    _ configuration: DebounceConfiguration, on clock: SequenceClock
  ) throws(TimerConfigurationError) -> LimitedSequence<Self, Element> {
    let machine = try DebounceStateMachine<LimitedElement<Element, Failure>>(
      configuration, clock: clock.kind)
    let tolerance = try configuration.tolerance.checkedTolerance()
    return LimitedSequence(self, on: clock) { driver, channel in
      Debouncer(machine, driver: driver, tolerance: tolerance) { $1.deliver(to: channel) }
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
  /// ``debounced(for:edges:maxWait:tolerance:clock:)``. With an interval of zero, the throttler drops no element
  /// unless 1,024 wait for their delivery, but a slow reader still receives only the newest one.
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
    try throttled(
      ThrottleConfiguration(interval: interval, mode: mode, keeping: keeping, tolerance: tolerance),
      on: SequenceClock(clock))
  }

  /// Returns a sequence that yields at most one element in each interval, on any clock: see
  /// ``debounced(for:edges:maxWait:clock:)``. The other parameters and the errors are those of
  /// ``throttled(for:mode:keeping:tolerance:clock:)``.
  public func throttled(
    for interval: Duration, mode: ThrottleMode = .fromDelivery, keeping: KeptValue = .latest,
    clock: some Clock<Duration>
  ) throws(TimerConfigurationError) -> some AsyncSequence<Element, Failure> & Sendable {
    try throttled(
      ThrottleConfiguration(interval: interval, mode: mode, keeping: keeping), on: .any(clock))
  }

  private func throttled(
    _ configuration: ThrottleConfiguration, on clock: SequenceClock
  ) throws(TimerConfigurationError) -> LimitedSequence<Self, Element> {
    let machine = try ThrottleStateMachine<LimitedElement<Element, Failure>>(
      configuration, clock: clock.kind)
    let tolerance = try configuration.tolerance.checkedTolerance()
    return LimitedSequence(self, on: clock) { driver, channel in
      Throttler(machine, driver: driver, tolerance: tolerance) { $1.deliver(to: channel) }
    }
  }
}

/// An asynchronous sequence that passes its elements through a limiter.
///
/// A separate task reads the base sequence, and passes every element to the limiter. What the limiter has delivered waits
/// in the channel for the reader, merged if it was delivered at different times. The task starts with the first `next()`.
/// It ends with the base sequence or the iterator, or when the reader is cancelled.
struct LimitedSequence<Base, Element>: AsyncSequence, Sendable
where Base: AsyncSequence & Sendable, Base.Element: Sendable, Element: Sendable {
  typealias Failure = Base.Failure
  typealias Item = LimitedElement<Base.Element, Base.Failure>
  typealias Channel = LatestValueChannel<Element, Base.Failure>
  typealias Input = LimiterInput<Item, Element>

  let base: Base
  let executor: (any TaskExecutor)?
  /// A closure that merges an element that the reader has not taken with a newer one.
  var merge: @Sendable (Element, Element) -> Element = { $1 }
  /// A closure that creates a limiter, which delivers to the channel.
  let makeInput: @Sendable (Channel) -> Input

  func makeAsyncIterator() -> Iterator {
    let channel = Channel(merging: merge)
    let input = makeInput(channel)
    channel.onTermination(input.cancel)
    let reference = ChannelReference(channel, droppingUnread: true)
    return Iterator(channelReference: reference, taken: input.taken) { [base, executor] in
      let task = Task(executorPreference: executor) { await Self.read(base, into: input) }
      channel.onTermination {
        task.cancel()
        input.cancel()
      }
    }
  }

  private static func read(_ base: Base, into input: Input) async {
    var iterator = base.makeAsyncIterator()
    var end = Item.end(nil)
    do throws(Base.Failure) {
      while let element = try await iterator.next(isolation: nil) {
        if Task.isCancelled { return }
        await input.add(.element(element))
      }
    } catch {
      end = .end(error)
    }
    input.end(end)
  }

  struct Iterator: AsyncIteratorProtocol {
    let channelReference: ChannelReference<Element, Failure>
    let taken: @Sendable (Element) -> Void
    /// A closure that starts the task that reads the base sequence; `nil` after it has been called.
    var start: (@Sendable () -> Void)?

    mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Failure) -> Element? {
      let start = start.take() ?? {}
      let element = try await channelReference.channel.next(isolation: actor, whenWaiting: start)
      if let element { taken(element) }
      return element
    }
  }
}

/// The controls of a limiter that a ``LimitedSequence`` uses.
struct LimiterInput<Item: Sendable, Element>: Sendable {
  /// Passes an element of the base sequence to the limiter; can wait for the reader.
  let add: @Sendable (Item) async -> Void
  /// Delivers what is pending without waiting, and then the end.
  let end: @Sendable (Item) -> Void
  let cancel: @Sendable () -> Void
  /// Called when the reader has taken an element.
  var taken: @Sendable (Element) -> Void = { _ in }
}

extension LimitedSequence where Element == Base.Element {
  /// Creates a sequence with a limiter that does not wait for the reader.
  init<Limiter: LimiterStorageOwner & CallLimiter>(
    _ base: Base, on clock: SequenceClock,
    makeLimiter: @escaping @Sendable (AlarmDriver, Channel) -> Limiter
  )
  where
    Limiter.Machine: CallStateMachine, Limiter.Machine.Delivery == Item, Limiter.Delivery == Item
  {
    self.init(base: base, executor: clock.executor) { channel in
      let connection = clock.connect()
      let limiter = makeLimiter(connection.clock.timeSource.driverForTasks, channel)
      connection.onFailure { limiter.flush(appending: .end(nil)) }
      return Input(
        add: { item in connection.perform { limiter.call(item) } },
        end: { item in connection.perform { limiter.flush(appending: item) } },
        cancel: { limiter.cancel() })
    }
  }
}

/// The value that the limiter of a ``LimitedSequence`` delivers.
enum LimitedElement<Element: Sendable, Failure: Error>: Sendable {
  case element(Element)
  case end(Failure?)

  func deliver(to channel: LatestValueChannel<Element, Failure>) {
    switch self {
    case .element(let element): channel.send(element)
    case .end(let failure): channel.finish(throwing: failure)
    }
  }
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
