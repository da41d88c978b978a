/// An asynchronous function whose calls are debounced: the caller of the latest one receives its result.
///
/// ```swift
/// @Sendable func find(_ text: String) async throws -> [String] { [] }
/// let search = try DebouncedFunction(delay: .milliseconds(300)) { (text: String) in
///   try await find(text)
/// }
/// let pages = try await search("swift")  // an array, or a CancellationError
/// ```
///
/// It passes its calls through a ``Debouncer``. A call that the debouncer drops is superseded: it throws a
/// `CancellationError` at once. So does a call whose operation runs when that of a later call is due; the run is
/// cancelled, and the next one begins when it has ended. With a delay of three units of time, `-` being one, and an
/// operation that takes five:
///
/// ```
/// calls    a-b---------c---d--------
/// throws   --a----------------c-----   a when b comes, c when d is due
/// returns  ----------b-------------d   each to its own caller
/// ```
///
/// When the task of a caller is cancelled, its call throws at once, and its operation does not begin, or is cancelled.
/// A call that waits keeps the function alive: ``cancel()`` ends it. Use every member from any thread.
public final class DebouncedFunction<Input: Sendable, Output: Sendable>: Drainable {
  private let debouncer: Debouncer<Call>

  /// Creates a debounced function.
  /// - Parameters:
  ///   - delay: see ``DebounceConfiguration/delay``.
  ///   - edges: see ``DebounceConfiguration/edges``.
  ///   - maxWait: see ``DebounceConfiguration/maxWait``.
  ///   - clock: the clock it follows.
  ///   - operation: the function to call. It runs on the actor that it is isolated to, one run at a time.
  /// - Throws: ``TimerConfigurationError/invalidDuration(_:parameter:)`` for a negative delay or `maxWait`.
  public init(
    delay: Duration, edges: DebounceEdges = .trailing, maxWait: Duration? = nil,
    clock: TimerClock = .suspending,
    operation: @escaping @isolated(any) @Sendable (Input) async throws -> Output
  ) throws(TimerConfigurationError) {
    debouncer = try Debouncer(
      delay: delay, edges: edges, maxWait: maxWait, clock: clock, overlap: .cancelPrevious
    ) { _, call in
      await call.perform(operation, on: clock.taskExecutor)
    }
  }

  /// Calls the function, and suspends the task until it has a result.
  /// - Parameter input: the argument of the operation.
  /// - Returns: the result of the operation.
  /// - Throws: `CancellationError` if the call is superseded, or the function or the task is cancelled; otherwise the
  ///   error of the operation.
  public func callAsFunction(_ input: Input) async throws -> Output {
    let reference = Guarded(WeakReference<Call>())
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { caller in
        let call = Call(input, caller)
        reference.withLock { $0.object = call }
        // It must not supersede a call whose caller still waits.
        if Task.isCancelled { return call.end(with: .failure(CancellationError())) }
        debouncer.call(call)
      }
    } onCancel: {
      reference.withLock { $0.load() }?.end(with: .failure(CancellationError()))
    }
  }

  /// Makes the pending call due now.
  /// - Returns: ``ControlResult/unchanged`` if none was pending.
  @discardableResult
  public func flush() -> ControlResult { debouncer.flush() }

  /// Ends the pending call, which throws a `CancellationError`. A run that has begun continues.
  /// - Returns: ``ControlResult/unchanged`` if none was pending.
  @discardableResult
  public func cancelPending() -> ControlResult { debouncer.cancelPending() }

  /// Ends the function permanently: the pending call, the current one and every later one throw a `CancellationError`,
  /// and the current run is cancelled.
  /// - Returns: ``ControlResult/unchanged`` if it was cancelled before.
  @discardableResult
  public func cancel() -> ControlResult { debouncer.cancel() }

  /// Ends the function gracefully: the pending call and the current one return their results, a later one throws a
  /// `CancellationError`. At the deadline, those that have not returned throw one, too.
  @discardableResult
  public nonisolated(nonsending) func drain(until deadline: TimerClock.Instant?) async
    -> DrainResult
  {
    await debouncer.drain(until: deadline)
  }

  /// The value that the debouncer delivers. When the debouncer drops it, for any reason, it is released and ends.
  private final class Call: Sendable {
    typealias Caller = CheckedContinuation<Output, any Error>
    typealias Run = Task<Output, any Error>

    private let input: Input
    /// The caller, whom the end of the call resumes, and the run, which it cancels.
    private let state: Guarded<(caller: Caller?, run: Run?)>

    init(_ input: Input, _ caller: Caller) {
      self.input = input
      state = Guarded((caller, nil))
    }

    deinit { end(with: .failure(CancellationError())) }

    func perform(
      _ operation: @escaping @isolated(any) @Sendable (Input) async throws -> Output,
      on executor: (any TaskExecutor)?
    ) async {
      // A task of its own, because the caller can cancel it, too.
      let run = state.withLock { state -> Run? in
        if Task.isCancelled || state.caller == nil { return nil }
        state.run = Run(executorPreference: executor) { [input] in try await operation(input) }
        return state.run
      }
      guard let run else { return }
      let result = await withTaskCancellationHandler {
        await run.result
      } onCancel: {
        end(with: .failure(CancellationError()))
      }
      end(with: result)
    }

    /// Resumes the caller, unless the call has ended, and cancels the run.
    func end(with result: Result<Output, any Error>) {
      let (caller, run) = state.withLock { ($0.caller.take(), $0.run.take()) }
      run?.cancel()
      caller?.resume(with: result)
    }
  }
}

extension DebouncedFunction: InspectableTimer {
  @usableFromInline package var inspected: any InspectableTimer { debouncer }
}
