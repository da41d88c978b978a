// Names that people who know other libraries expect. They do not compile, and the message says what to write.

extension Drainable {
  @available(
    *, unavailable,
    message: "use drain(until:), which lets what runs end, and cancels the timer"
  )
  public func waitUntilIdle() async {}

  @available(
    *, unavailable,
    message: "use drain(until:), which lets what runs end, and cancels the timer"
  )
  public func finish() async {}
}

extension ControlResult {
  @available(*, unavailable, renamed: "changed")
  public static var accepted: ControlResult { .changed }
}

extension BackgroundTimer {
  /// An asynchronous run could not exclude ``performExclusively(_:)``.
  @available(
    *, unavailable,
    message: "the work is not asynchronous: use a Debouncer with overlap: and an operation"
  )
  @discardableResult
  public func perform(
    after delay: Duration, _ work: @escaping @isolated(any) @Sendable (Owner) async -> Void
  ) -> ControlResult { .unchanged }
}

extension BatchOverlap {
  /// <!-- snippet fails: a whole batch would be lost -->
  /// ```swift
  /// let log = try Batcher<String>(count: 100, overlap: .skip) { _, lines in print(lines) }
  /// ```
  @available(
    *, unavailable,
    message: "a whole batch would be lost: use .queueOne, with which values wait in the batcher"
  )
  public static var skip: BatchOverlap { .queueOne }

  @available(
    *, unavailable,
    message: "a whole batch would be lost: use .queueOne, with which values wait in the batcher"
  )
  public static var cancelPrevious: BatchOverlap { .queueOne }
}
