extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Returns a sequence that yields the elements in arrays.
  ///
  /// ```swift
  /// func store(_ rows: AsyncStream<String>) async throws {
  ///   for await batch in try rows.chunked(count: 500, maxWait: .seconds(1)) {
  ///     print("insert \(batch.count) rows")
  ///   }
  /// }
  /// ```
  ///
  /// The sequence passes its elements through a ``Batcher``. With a count of three, a `maxWait` of six units of time and a
  /// `quietTime` of four, `-` being one, and `|` the end, a digit is the number of elements in an array:
  ///
  /// ```
  /// base     a-b-c------d-------e--f---g-|
  /// chunked  ----3----------1---------2--1|   what is pending at the end is yielded without waiting
  /// ```
  ///
  /// **Backpressure.** No element is dropped. A separate task reads the base sequence, also while the reader is busy; when
  /// `count` elements wait for the reader, it stops until the reader has taken some.
  ///
  /// **End.** When the base sequence ends or throws, the pending elements are yielded first, without waiting; then the
  /// sequence ends, or throws the same error. When the reader's task is cancelled, or its iterator is released, the
  /// sequence ends, pending elements are dropped, and the task that reads the base sequence is cancelled.
  /// - Parameters:
  ///   - count: the maximum number of elements in an array; at least 1.
  ///   - maxWait: the maximum time for which an element waits for others; `nil` if there is no maximum.
  ///   - quietTime: the time without a new element after which the others are yielded; `nil` for no such time.
  ///   - tolerance: the time by which an array may be late, so that several timers share a wake-up.
  ///   - clock: the clock it follows.
  /// - Throws: ``TimerConfigurationError`` for a count of less than 1, or a negative duration.
  public func chunked(
    count: Int, maxWait: Duration? = nil, quietTime: Duration? = nil, tolerance: Duration = .zero,
    clock: TimerClock = .suspending
  ) throws(TimerConfigurationError) -> some AsyncSequence<[Element], Failure> & Sendable {
    var configuration = BatchConfiguration(
      count: count, maxWait: maxWait, quietTime: quietTime, tolerance: tolerance)
    // One more for the end of the sequence.
    configuration.limit = count.addingSaturated(1)
    configuration.overflow = .refuse
    let machine = try BatchStateMachine<LimitedElement<Element, Failure>>(
      configuration, clock: clock.kind)
    let nanoseconds = try tolerance.checkedTolerance()
    return LimitedSequence(
      base: self, executor: clock.timeSource.virtualExecutor, merge: { $0 + $1 },
      makeInput: { [configuration] channel in
        let gate = ChunkGate(limit: count)
        let batcher = Batcher(
          machine, configuration, driver: clock.timeSource.driverForTasks, tolerance: nanoseconds
        ) { _, items in
          let elements = items.compactMap { item in
            if case .element(let element) = item { element } else { nil }
          }
          if !elements.isEmpty { channel.send(elements) }
          if case .end(let failure)? = items.last { channel.finish(throwing: failure) }
        }
        return LimiterInput(
          add: { element in
            await gate.enter()
            batcher.add(element)
          },
          end: { end in
            batcher.add(end)
            batcher.flush()
          },
          cancel: {
            batcher.cancel()
            gate.leave(.max)
          }, taken: { gate.leave($0.count) })
      })
  }
}

/// The bound on the elements of a chunked sequence that its reader has not taken. Therefore the batcher refuses none, and
/// arrays that are merged because the reader is slow have no more elements than one.
final class ChunkGate: Sendable {
  private struct State {
    /// The number of elements that have a place or wait for one.
    var count = 0
    /// The task that waits for a place.
    var writer: CheckedContinuation<Void, Never>?
  }

  private let limit: Int
  private let state = Guarded(State())

  init(limit: Int) {
    self.limit = limit
  }

  /// Takes a place for an element, and suspends the task while there is none.
  func enter() async {
    await withCheckedContinuation { writer in
      let waits = state.withLock { state in
        state.count = state.count.addingSaturated(1)
        if state.count > limit { state.writer = writer }
        return state.count > limit
      }
      if !waits { writer.resume() }
    }
  }

  /// Frees the places of elements that the reader has taken; `Int.max` for all that will come, because it has ended.
  func leave(_ count: Int) {
    let writer = state.withLock { state in
      state.count = state.count.subtractingSaturated(count)
      return state.count <= limit ? state.writer.take() : nil
    }
    writer?.resume()
  }
}
