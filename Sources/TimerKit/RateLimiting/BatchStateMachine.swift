/// The state machine of a ``Batcher``.
///
/// Ground rules:
/// - The values wait in one queue, in the order in which they were added. Those at its front are *ready*: they wait only for
///   their delivery. The others are the open batch.
/// - The open batch becomes ready when it has ``count`` values; a maximum wait after its first value; or a quiet time after
///   its last one.
/// - A delivery takes the ready values, at most ``count`` of them. Batches that wait for a busy queue are therefore joined,
///   and divided into whole ones.
/// - The open batch has fewer values than ``count``, which is at most ``limit``. Therefore some values are ready whenever
///   the memory is full.
@usableFromInline
struct BatchStateMachine<Value: Sendable>: LimiterStateMachine {
  /// The maximum number of values in a delivery.
  @usableFromInline let count: Int
  /// The maximum number of values that wait.
  @usableFromInline let limit: Int
  @usableFromInline let overflow: BatchOverflow
  @usableFromInline let maxWait: Int64
  @usableFromInline let quietTime: Int64
  @usableFromInline let clockCanGoBack: Bool
  @usableFromInline var values = FIFOQueue<Value>()
  @usableFromInline var readyCount = 0
  @usableFromInline var readyAt: Int64 = 0
  /// The time of the first value of the open batch.
  @usableFromInline var openedAt: Int64 = 0
  @usableFromInline var lastAdded = Int64.min
  @usableFromInline var callCount = 0
  @usableFromInline private(set) var deliveredValueCount: Int? = 0
  @usableFromInline private(set) var generation: UInt64 = 0
  @usableFromInline var phase = LifePhase.open
  /// True while an asynchronous operation runs for a batch. Until it has ended, all other values wait.
  @usableFromInline var isBusy = false

  init(
    _ configuration: BatchConfiguration, clock: TimerClock.Kind = .suspending
  ) throws(TimerConfigurationError) {
    let limit = configuration.limit
    let count = configuration.count ?? limit
    if count < 1 { throw .invalidCount(count, parameter: .batchCount) }
    if limit < 1 { throw .invalidCount(limit, parameter: .pendingLimit) }
    self.count = min(count, limit)
    self.limit = limit
    overflow = configuration.overflow
    maxWait = try configuration.maxWait?.checked(.maxWait) ?? .max
    quietTime = try configuration.quietTime?.checked(.quietTime) ?? .max
    clockCanGoBack = clock == .wall
  }

  @inlinable var isCancelled: Bool { phase.isCancelled }
  @inlinable var isClosed: Bool { phase.isClosed }
  @inlinable var isPending: Bool { !values.isEmpty }
  @inlinable var pendingCount: Int { values.count }
  @inlinable var readySince: Int64? { readyCount > 0 && !isBusy ? readyAt : nil }
  @usableFromInline var maximumTolerance: Int64 { min(maxWait, quietTime) / 2 }

  @inlinable var openCount: Int { values.count - readyCount }

  @inlinable var deadline: Int64? {
    guard openCount > 0, !isBusy else { return nil }
    let deadline = min(openedAt.addingSaturated(maxWait), lastAdded.addingSaturated(quietTime))
    return deadline == .max ? nil : deadline
  }

  // MARK: - Controls

  /// Adds a value. Afterward, `value` is the one that was dropped, if any; the caller destroys it after the mutex has been
  /// unlocked.
  @inlinable
  mutating func add(_ value: inout Value?, at time: Int64) -> ControlResult {
    if phase.isClosed { return .refused(.cancelled) }
    let isFull = values.count >= limit
    if isFull, overflow == .refuse { return .refused(.tooManyPending) }
    callCount += 1
    if isFull, overflow == .dropNewest { return .unchanged }
    guard let added = value.take() else { return .unchanged }
    if isFull {
      value = values.popFirst()
      readyCount -= 1
    }
    // On a clock that cannot go back, another thread may have read a later time.
    let now = clockCanGoBack ? time : max(time, lastAdded)
    openedAt = openCount == 0 ? now : min(openedAt, now)
    lastAdded = now
    values.append(added)
    if openCount >= count { makeReady(at: now) }
    return .changed
  }

  @usableFromInline
  mutating func flush(at now: Int64) -> Bool {
    makeReady(at: now)
    return isPending
  }

  @usableFromInline
  mutating func cancelPending() -> [Value] {
    generation += 1
    readyCount = 0
    return take(values.count)
  }

  @usableFromInline
  mutating func cancel() {
    phase = .cancelled
    generation += 1
  }

  // MARK: - Alarms and deliveries

  @usableFromInline
  mutating func handleArmedAlarm(at now: Int64, on clock: ClockIdentity) -> Effect<[Value]> {
    guard let deadline, now >= deadline else { return .nothing }
    makeReady(at: now)
    return takeReady(at: now, on: clock)
  }

  @usableFromInline
  mutating func takeReady(at now: Int64, on clock: ClockIdentity) -> Effect<[Value]> {
    guard readyCount > 0, !isBusy else { return .nothing }
    let batch = take(min(count, readyCount))
    readyCount -= batch.count
    deliveredValueCount = deliveredValueCount.map { $0 + batch.count }
    return .deliver(batch)
  }

  @inlinable
  mutating func makeReady(at now: Int64) {
    if readyCount == 0 { readyAt = now }
    readyCount = values.count
  }

  private mutating func take(_ count: Int) -> [Value] {
    var taken: [Value] = []
    taken.reserveCapacity(count)
    while taken.count < count, let value = values.popFirst() { taken.append(value) }
    return taken
  }
}
