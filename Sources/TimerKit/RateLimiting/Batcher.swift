public import Dispatch

/// A timer that collects values and delivers them together, as an array.
///
/// A batch is delivered when it has `count` values, when its first value has waited for `maxWait`, or when no value has come
/// for `quietTime`. With a count of three, a `maxWait` of six units of time and a `quietTime` of four, `-` being one, a digit
/// is the number of values in a batch:
///
/// ```
/// values     a-b-c------d-------e--f---g----
/// delivered  ----3----------1---------2----1
/// ```
///
/// <!-- snippet
/// struct Event: Sendable {}
/// let send: @Sendable ([Event]) -> Void = { _ in }
/// -->
/// ```swift
/// let uploads = try Batcher<Event>(count: 100, maxWait: .seconds(30), quietTime: .seconds(5)) { _, events in
///   send(events)  // one request, and the radio can sleep again
/// }
/// uploads.add(Event())
/// ```
///
/// **Memory.** At most `limit` values wait, also while the handler is slow or the queue is suspended. ``BatchOverflow``
/// determines what happens to a value that comes then. Values that wait for a busy queue are delivered in arrays of
/// `count` values.
///
/// Name the type of the values, `Batcher<String>`: the compiler infers it only from a body that determines it, such as
/// `store(lines)`, and not from `print(lines)`.
///
/// You can use every member from any thread and, except the blocking `cancelAndWait()`, from inside the handler. The
/// handler runs on the queue, for one batch at a time. The values are in the order in which they were added. Deallocating
/// the batcher cancels it and drops the values that wait: if they matter, end it with ``Drainable/drain(until:)``. A
/// ``flush()`` only makes them due.
///
/// Batching transmissions to save the energy of a radio is the networking example of Mike Ash's "Friday Q&A 2010-07-02:
/// Background Timers".
public final class Batcher<Value: Sendable>: Sendable {
  /// A closure called on the timer's queue with each batch, which is not empty. It receives the timer, so that it need not
  /// capture it.
  public typealias Handler = @Sendable (Batcher<Value>, [Value]) -> Void
  /// A closure called on the main actor with each batch.
  public typealias MainActorHandler = @MainActor (Batcher<Value>, [Value]) -> Void

  @usableFromInline let storage: TimerStorage<Batcher<Value>, BatchStateMachine<Value>>
  /// The configuration with which it was created.
  public let configuration: BatchConfiguration

  /// Creates a batcher.
  /// - Parameters:
  ///   - configuration: the size and the times of a batch, the bound on memory and the tolerance.
  ///   - clock: the clock it follows.
  ///   - queue: the queue on which the handler runs; `nil` is a serial queue that all timers without
  ///     one share.
  ///   - handler: called with the batcher and each batch. You can add it later, or use observers instead: see
  ///     ``setHandler(_:)``. Without any of them, batches are dropped when they are due.
  /// - Throws: ``TimerConfigurationError/invalidDuration(_:parameter:)`` for a negative duration, or
  ///   ``TimerConfigurationError/invalidCount(_:parameter:)`` for a count or a limit of less than 1.
  public convenience init(
    _ configuration: BatchConfiguration, clock: TimerClock = .suspending,
    queue: DispatchQueue? = nil, handler: Handler? = nil
  ) throws(TimerConfigurationError) {
    self.init(
      try BatchStateMachine(configuration, clock: clock.kind), configuration,
      driver: clock.driver(for: queue), tolerance: try configuration.tolerance.checkedTolerance(),
      handler: handler)
  }

  /// Creates a batcher from validated values.
  init(
    _ machine: BatchStateMachine<Value>, _ configuration: BatchConfiguration, driver: AlarmDriver,
    tolerance: Int64, handler: Handler?
  ) {
    self.configuration = configuration
    storage = TimerStorage(
      machine, driver: driver, tolerance: tolerance, handler: handler.map(HandlerBox.init))
  }

  /// Creates a batcher. The parameters are the properties of ``BatchConfiguration``, and those of
  /// ``init(_:clock:queue:handler:)``.
  public convenience init(
    count: Int? = nil, maxWait: Duration? = nil, quietTime: Duration? = nil, limit: Int = 10_000,
    whenFull overflow: BatchOverflow = .dropOldest, tolerance: Duration = .zero,
    clock: TimerClock = .suspending, queue: DispatchQueue? = nil, handler: Handler? = nil
  ) throws(TimerConfigurationError) {
    try self.init(
      BatchConfiguration(
        count: count, maxWait: maxWait, quietTime: quietTime, limit: limit, whenFull: overflow,
        tolerance: tolerance), clock: clock, queue: queue, handler: handler)
  }

  /// Creates a batcher whose handler runs on the main actor. The other parameters are those of
  /// ``init(_:clock:queue:handler:)``.
  public convenience init(
    _ configuration: BatchConfiguration, clock: TimerClock = .suspending, isolation: MainActor,
    handler: @escaping MainActorHandler
  ) throws(TimerConfigurationError) {
    try self.init(configuration, clock: clock, queue: .main, handler: onMainActor(handler))
  }

  /// Creates a batcher whose handler runs on the main actor. The parameters are the properties of ``BatchConfiguration``,
  /// and those of ``init(_:clock:isolation:handler:)``.
  public convenience init(
    count: Int? = nil, maxWait: Duration? = nil, quietTime: Duration? = nil, limit: Int = 10_000,
    whenFull overflow: BatchOverflow = .dropOldest, tolerance: Duration = .zero,
    clock: TimerClock = .suspending, isolation: MainActor, handler: @escaping MainActorHandler
  ) throws(TimerConfigurationError) {
    try self.init(
      count: count, maxWait: maxWait, quietTime: quietTime, limit: limit, whenFull: overflow,
      tolerance: tolerance, clock: clock, queue: .main, handler: onMainActor(handler))
  }
}

extension Batcher: ObservableTimer, PendingStorageOwner {
  public typealias State = CallState
  public typealias Delivery = [Value]
  @usableFromInline typealias Machine = BatchStateMachine<Value>

  @usableFromInline
  struct HandlerBox: TimerHandler {
    let handler: Handler

    @usableFromInline
    func callAsFunction(_ batcher: Batcher<Value>, _ batch: [Value]) { handler(batcher, batch) }
  }

  /// Replaces the handler. The new one takes the old one's place in the order of the observers, or the last place if
  /// there was no handler.
  public func setHandler(_ handler: @escaping Handler) {
    storage.setHandler(HandlerBox(handler: handler))
  }

  /// Replaces the handler with one that runs on the main actor: see ``setHandler(_:)``.
  /// - Parameters:
  ///   - isolation: `MainActor.shared`. The batcher must have been created with it, or with the main queue;
  ///     otherwise the call traps.
  ///   - handler: the new handler.
  public func setHandler(isolation: MainActor, _ handler: @escaping MainActorHandler) {
    setHandler(storage.onMainActor(self, handler))
  }

  // MARK: - Controls

  /// Adds a value to the batch. Takes constant time, amortized.
  /// - Returns: ``ControlResult/unchanged`` if the value was dropped by ``BatchOverflow/dropNewest``;
  ///   ``ControlResult/Refusal/tooManyPending`` with ``BatchOverflow/refuse`` if `limit` values wait;
  ///   ``ControlResult/Refusal/cancelled`` if the batcher is cancelled.
  @inlinable @discardableResult
  public func add(_ value: Value) -> ControlResult {
    // The value that is dropped is destroyed after the mutex has been unlocked.
    var value: Value? = value
    return storage.control(self) { (machine, now) in machine.add(&value, at: now) }
  }

  /// Makes the values that wait due now: they are delivered as soon as the queue is free.
  /// - Returns: ``ControlResult/unchanged`` if none waited.
  @discardableResult
  public func flush() -> ControlResult {
    .changed(if: controlUnlessClosed { (machine, now) in machine.flush(at: now) })
  }

  /// Drops the values that wait. After this method has returned, no handler starts for them.
  /// - Returns: ``ControlResult/unchanged`` if none waited.
  @discardableResult
  public func cancelPending() -> ControlResult { dropPending() }

  @discardableResult
  public func cancel() -> ControlResult { endDroppingPending() }

  /// True while values wait to be delivered.
  public var isPending: Bool { storage.readMachine { $0.isPending } }

  /// The number of values by their outcome, in one consistent value. Its calls are the values that were added, without
  /// those that were refused.
  public var snapshot: CallSnapshot { callSnapshot }
}

/// The configuration of a ``Batcher``, except for its clock, queue and handler.
public struct BatchConfiguration: Sendable, Hashable, Codable {
  /// The number of values with which a batch is delivered, and the maximum in a batch; at least 1. `nil`, and a count above
  /// ``limit``, are the same as ``limit``.
  public var count: Int?
  /// The maximum time for which a value waits for others; `nil` if there is no maximum.
  public var maxWait: Duration?
  /// The time without a new value after which a batch is delivered; `nil` if values come at any distance.
  public var quietTime: Duration?
  /// The maximum number of values in memory that are not delivered; at least 1.
  public var limit: Int
  /// The treatment of a value that comes while ``limit`` values wait.
  public var overflow: BatchOverflow
  /// The time by which a batch may be late, so that several timers share a wake-up. At most half of the shorter one of
  /// ``maxWait`` and ``quietTime`` has an effect.
  public var tolerance: Duration

  /// Creates a configuration. Its values are checked when a batcher is created from it.
  public init(
    count: Int? = nil, maxWait: Duration? = nil, quietTime: Duration? = nil, limit: Int = 10_000,
    whenFull overflow: BatchOverflow = .dropOldest, tolerance: Duration = .zero
  ) {
    self.count = count
    self.maxWait = maxWait
    self.quietTime = quietTime
    self.limit = limit
    self.overflow = overflow
    self.tolerance = tolerance
  }
}

/// The treatment of a value that comes while the memory of a ``Batcher`` is full.
public enum BatchOverflow: String, Sendable, Hashable, Codable, CaseIterable {
  /// The oldest value is dropped, for data of which the newest part matters.
  case dropOldest
  /// The new value is dropped, and counted.
  case dropNewest
  /// The new value is refused and not counted: it remains the caller's, who can try again later.
  case refuse
}

/// The treatment of the values of a ``Batcher`` that come while its asynchronous operation runs. Every value of a batch
/// matters: none of the policies of ``Repeater/Overlap`` that discard what comes meanwhile exists here.
public enum BatchOverlap: String, Sendable, Hashable, Codable, CaseIterable {
  /// The values wait in the batcher, as many as its limit allows, and the next batch is delivered after the end of the
  /// run; a ``Batcher/flush()`` waits for that, too.
  case queueOne
}
